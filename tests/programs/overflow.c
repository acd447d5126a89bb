/* SPDX-License-Identifier: 0BSD */
/*
 * More arcs than a guess from the code's size allows for: 2048 tiny functions
 * called through a table from two places.  With an argument it also works for
 * some ticks, says "done" and leaves with 3.
 *
 * calls main 1
 * calls walk_one 2          arc main walk_one 2
 * calls walk_two 2          arc main walk_two 2
 * each tiny_ 2048 4
 * each_arc walk_ tiny_ 4096 2
 */
#include <time.h>
#include <unistd.h>

#ifdef __clang__
#define OPAQUE __attribute__((noinline, optnone))
#else
#define OPAQUE __attribute__((noipa))
#endif

volatile int sink;

#define TINY(n) OPAQUE void tiny_##n(void) { sink = 0x##n; }
#define X8(M, n) M(n##0) M(n##1) M(n##2) M(n##3) M(n##4) M(n##5) M(n##6) M(n##7)
#define X64(M, n) X8(M, n##0) X8(M, n##1) X8(M, n##2) X8(M, n##3) \
		  X8(M, n##4) X8(M, n##5) X8(M, n##6) X8(M, n##7)
#define X512(M, n) X64(M, n##0) X64(M, n##1) X64(M, n##2) X64(M, n##3) \
		   X64(M, n##4) X64(M, n##5) X64(M, n##6) X64(M, n##7)
#define X2048(M) X512(M, 0) X512(M, 1) X512(M, 2) X512(M, 3)
#define NAME(n) tiny_##n,

X2048(TINY)

static void (*const table[])(void) = { X2048(NAME) };

OPAQUE void walk_one(void)
{
	for (int i = 0; i < 2048; i++)
		table[i]();
	sink++;
}

OPAQUE void walk_two(void)
{
	for (int i = 2047; i >= 0; i--)
		table[i]();
	sink++;
}

int main(int argc, char **argv)
{
	(void)argv;
	for (int i = 0; i < 2; i++) {
		walk_one();
		walk_two();
	}
	if (argc == 1)
		return 0;
	while (clock() < CLOCKS_PER_SEC / 20)
		sink++;
	return write(1, "done\n", 5) == 5 ? 3 : 1;
}
