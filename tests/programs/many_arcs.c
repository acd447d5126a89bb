/* SPDX-License-Identifier: 0BSD */
/*
 * 400 functions call 250 functions each from one place: 100 000 arcs.
 *
 * calls main 1
 * each from_ 400 3
 * each to_ 250 1200
 * each_arc from_ to_ 100000 3
 *
 * With -DMILLION it is 1000 times 1000.
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
#ifdef MILLION
#define FROM_ALL(M) X100(M, 0) X100(M, 1) X100(M, 2) X100(M, 3) X100(M, 4) \
		    X100(M, 5) X100(M, 6) X100(M, 7) X100(M, 8) X100(M, 9)
#define TO_ALL(M) FROM_ALL(M)
#else
#define FROM_ALL(M) X100(M, 0) X100(M, 1) X100(M, 2) X100(M, 3)
#define TO_ALL(M) X100(M, 0) X100(M, 1) X50(M, 2)
#endif
#define COUNT(array) (int)(sizeof(array) / sizeof *(array))
#define NAME_TO(n) to_##n,
#define NAME_FROM(n) from_##n,

TO_ALL(TO)

static void (*const to[])(void) = { TO_ALL(NAME_TO) };

#define FROM(n)                                    \
	OPAQUE void from_##n(void)                 \
	{                                          \
		for (int i = 0; i < COUNT(to); i++) \
			to[i]();                   \
		sink = 1##n;                       \
	}

FROM_ALL(FROM)

static void (*const from[])(void) = { FROM_ALL(NAME_FROM) };

int main(void)
{
	for (int round = 0; round < 3; round++)
		for (int i = 0; i < COUNT(from); i++)
			from[i]();
	return 0;
}
