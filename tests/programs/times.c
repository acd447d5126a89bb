/* SPDX-License-Identifier: 0BSD */
/*
 * CPU time in known parts: of 16 units, one 1, two 2, five 5 and eight 8,
 * over and over until about two seconds are used, or as many milliseconds as
 * the argument says.  The work is the same instructions everywhere, at the same
 * place of a page (under an emulator a loop across two pages takes several
 * times as long); eight does half of its work in a function that it calls.
 *
 * share one 1  share two 2  share five 5  share eight 4  share half_of_eight 4
 */
#include <stdlib.h>
#include <time.h>

#ifdef __clang__
#define OPAQUE __attribute__((noinline, optnone, aligned(512)))
#else
#define OPAQUE __attribute__((noipa, aligned(512)))
#endif

enum { UNIT = 20000 };

volatile unsigned sink;

#define WORK(units)                              \
	for (int i = 0; i < (units) * UNIT; i++) \
	sink = sink * 3 + 1

OPAQUE void one(void)
{
	WORK(1);
}

OPAQUE void two(void)
{
	WORK(2);
}

OPAQUE void five(void)
{
	WORK(5);
}

OPAQUE void half_of_eight(void)
{
	WORK(4);
}

OPAQUE void eight(void)
{
	half_of_eight();
	WORK(4);
}

int main(int argc, char **argv)
{
	clock_t ms = argc > 1 ? atoi(argv[1]) : 2000;

	while (clock() < ms * (CLOCKS_PER_SEC / 1000)) {
		one();
		two();
		five();
		eight();
	}
	return 0;
}
