/* SPDX-License-Identifier: 0BSD */
/*
 * 400 functions call 250 functions each from one place: 100 000 arcs.
 *
 * calls main 1
 * each from_ 400 3
 * each to_ 250 1200
 * each_arc from_ to_ 100000 3
 */
#ifdef __clang__
#define OPAQUE __attribute__((noinline, optnone))
#else
#define OPAQUE __attribute__((noipa))
#endif

volatile int sink;

#define TO(n) OPAQUE void to_##n(void) { sink = 1##n; }
#define X5(M, n) M(n##0) M(n##1) M(n##2) M(n##3) M(n##4)
#define X10(M, n) X5(M, n) M(n##5) M(n##6) M(n##7) M(n##8) M(n##9)
#define X50(M, n) X10(M, n##0) X10(M, n##1) X10(M, n##2) X10(M, n##3) \
		  X10(M, n##4)
#define X100(M, n) X50(M, n) X10(M, n##5) X10(M, n##6) X10(M, n##7) \
		   X10(M, n##8) X10(M, n##9)
#define X250(M) X100(M, 0) X100(M, 1) X50(M, 2)
#define X400(M) X100(M, 0) X100(M, 1) X100(M, 2) X100(M, 3)
#define NAME_TO(n) to_##n,
#define NAME_FROM(n) from_##n,

X250(TO)

static void (*const to[])(void) = { X250(NAME_TO) };

#define FROM(n)                             \
	OPAQUE void from_##n(void)          \
	{                                   \
		for (int i = 0; i < 250; i++) \
			to[i]();            \
		sink = 1##n;                \
	}

X400(FROM)

static void (*const from[])(void) = { X400(NAME_FROM) };

int main(void)
{
	for (int round = 0; round < 3; round++)
		for (int i = 0; i < 400; i++)
			from[i]();
	return 0;
}
