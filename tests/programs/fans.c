/* SPDX-License-Identifier: 0BSD */
/*
 * 5000 callers of one function, and 1000 callees of one call site.
 *
 * calls main 1
 * calls spread 3            arc main spread 3
 * calls popular 10000
 * each caller_ 5000 2
 * each callee_ 1000 3
 * each_arc caller_ popular 5000 2
 * each_arc spread callee_ 1000 3
 */
#ifdef __clang__
#define OPAQUE __attribute__((noinline, optnone))
#else
#define OPAQUE __attribute__((noipa))
#endif

volatile int sink;

OPAQUE void popular(void)
{
	sink++;
}

#define CALLER(n) OPAQUE void caller_##n(void) { popular(); sink = 1##n; }
#define CALLEE(n) OPAQUE void callee_##n(void) { sink = 1##n; }
#define X10(M, n) M(n##0) M(n##1) M(n##2) M(n##3) M(n##4) \
		  M(n##5) M(n##6) M(n##7) M(n##8) M(n##9)
#define X100(M, n) X10(M, n##0) X10(M, n##1) X10(M, n##2) X10(M, n##3) \
		   X10(M, n##4) X10(M, n##5) X10(M, n##6) X10(M, n##7) \
		   X10(M, n##8) X10(M, n##9)
#define X1000(M, n) X100(M, n##0) X100(M, n##1) X100(M, n##2) X100(M, n##3) \
		    X100(M, n##4) X100(M, n##5) X100(M, n##6) X100(M, n##7) \
		    X100(M, n##8) X100(M, n##9)
#define X5000(M) X1000(M, 0) X1000(M, 1) X1000(M, 2) X1000(M, 3) X1000(M, 4)
#define NAME_CALLER(n) caller_##n,
#define NAME_CALLEE(n) callee_##n,

X5000(CALLER)
X1000(CALLEE, 0)

static void (*const callers[])(void) = { X5000(NAME_CALLER) };
static void (*const callees[])(void) = { X1000(NAME_CALLEE, 0) };

OPAQUE void spread(void)
{
	for (int i = 0; i < 1000; i++)
		callees[i]();
	sink++;
}

int main(void)
{
	for (int round = 0; round < 2; round++)
		for (int i = 0; i < 5000; i++)
			callers[i]();
	for (int round = 0; round < 3; round++)
		spread();
	return 0;
}
