/* SPDX-License-Identifier: 0BSD */
/*
 * sprofil() with a region for each 16 bytes of eight functions, which take the
 * same time for factorials modulo a prime, and an overflow bin for the rest.
 * With "uint" bins have 32 bits.  Exits with 0 if each function's bins have
 * its share and the overflow bin what was used elsewhere.
 */
#include "profil/profil.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#ifdef __clang__
#define OPAQUE __attribute__((noinline, optnone, aligned(256)))
#else
#define OPAQUE __attribute__((noipa, aligned(256)))
#endif

enum { FUNCTIONS = 8, SIZE = 256, PIECE = 16, PIECES = SIZE / PIECE };
enum { REGIONS = FUNCTIONS * PIECES + 1 };

#define FACTORIAL(name)                                              \
	OPAQUE unsigned name(unsigned n)                             \
	{                                                            \
		unsigned product = 1;                                \
		for (unsigned i = 2; i <= n; i++)                    \
			product = (unsigned)((unsigned long long)    \
				  product * i % 4294967291u);        \
		return product;                                      \
	}
FACTORIAL(factorial_0)
FACTORIAL(factorial_1)
FACTORIAL(factorial_2)
FACTORIAL(factorial_3)
FACTORIAL(factorial_4)
FACTORIAL(factorial_5)
FACTORIAL(factorial_6)
FACTORIAL(factorial_7)
FACTORIAL(elsewhere)

static unsigned (*const functions[FUNCTIONS])(unsigned) = {
	factorial_0, factorial_1, factorial_2, factorial_3,
	factorial_4, factorial_5, factorial_6, factorial_7,
};

static unsigned bins[REGIONS][PIECE / sizeof(int)]; /* or twice as many */
static unsigned flags;
volatile unsigned sink;

static size_t bin_size(void)
{
	return flags & PROF_UINT ? sizeof(int) : sizeof(short);
}

/* In no order; the overflow bin is somewhere among them. */
static int begin(void)
{
	static struct prof regions[REGIONS];
	struct timeval period;

	for (int i = 0; i < REGIONS - 1; i++)
		regions[i * 37 % REGIONS] = (struct prof){
			.pr_base = bins[i],
			.pr_size = PIECE,
			.pr_off = (uintptr_t)functions[i / PIECES] +
				  (size_t)(i % PIECES) * PIECE,
			.pr_scale = 65536};
	regions[(REGIONS - 1) * 37 % REGIONS] = (struct prof){
		bins[REGIONS - 1], bin_size(), 0, 2};
	return sprofil(regions, REGIONS, &period, flags) == 0 &&
	       period.tv_sec == 0 && period.tv_usec == 10000;
}

static unsigned long sum_of(int from, int to)
{
	unsigned long sum = 0;

	for (int i = from; i < to; i++)
		for (int k = 0; k < (int)(PIECE / bin_size()); k++)
			sum += flags & PROF_UINT
				       ? bins[i][k]
				       : ((unsigned short *)bins[i])[k];
	return sum;
}

static int is_near(double count, double due, const char *what)
{
	if (fabs(count - due) <= 4.5 * sqrt(due) + 3)
		return 1;
	fprintf(stderr, "%s: %.0f ticks instead of %.0f\n", what, count, due);
	return 0;
}

int main(int argc, char **argv)
{
	double all;
	int right;

	flags = argc > 1 && strcmp(argv[1], "uint") == 0 ? PROF_UINT
							  : PROF_USHORT;
	if (!begin())
		return 2;
	while (clock() < CLOCKS_PER_SEC) {
		for (int i = 0; i < FUNCTIONS; i++)
			sink += functions[i](20000);
		sink += elsewhere(40000);
	}
	if (sprofil(NULL, 0, NULL, 0) != 0)
		return 3;
	all = (double)clock() / CLOCKS_PER_SEC * 100;
	right = fabs((double)sum_of(0, REGIONS) - all) < all * 0.06 + 2;
	if (!right)
		fprintf(stderr, "%lu ticks instead of %.0f\n",
			sum_of(0, REGIONS), all);
	for (int i = 0; i < FUNCTIONS; i++)
		right &= is_near((double)sum_of(i * PIECES, (i + 1) * PIECES),
				 all / 10, "a function");
	right &= is_near((double)sum_of(REGIONS - 1, REGIONS), all / 5,
			 "overflow");
	return !right;
}
