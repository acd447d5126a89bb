/* SPDX-License-Identifier: 0BSD */
/*
 * Profiling is on in windows only: "windows random SECONDS", each 1 to 20 ms
 * long with as much between; or "windows even COUNT", 4 ms on and 1 ms off.
 * Prints how much CPU time was spent while on and while off.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef __clang__
#define OPAQUE __attribute__((noinline))
#else
#define OPAQUE __attribute__((noipa))
#endif
#define PLAIN __attribute__((no_instrument_function))

void moncontrol(int mode);

static volatile unsigned sink;

PLAIN static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

#define BURN_UNTIL(end)                                  \
	do                                               \
		for (int i_ = 0; i_ < 2000; i_++)        \
			sink = sink * 3 + 1;             \
	while (now() < (end))

PLAIN __attribute__((noinline)) void inside(double end)
{
	BURN_UNTIL(end);
}

PLAIN __attribute__((noinline)) void outside(double end)
{
	BURN_UNTIL(end);
}

/* How much of it was on, and how much off. */
static double on, off;

PLAIN static void window(double seconds, double gap)
{
	double start = now(), middle;

	moncontrol(1);
	inside(start + seconds);
	moncontrol(0);
	middle = now();
	outside(middle + gap);
	on += middle - start;
	off += now() - middle;
}

/* 1 to 20 ms. */
PLAIN static double any_length(void)
{
	static unsigned seed = 12345;

	seed = seed * 1664525 + 1013904223;
	return 0.001 + (seed >> 8) % 19001 / 1e6;
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	moncontrol(0);
	if (strcmp(argv[1], "random") == 0)
		while (on + off < atof(argv[2]))
			window(any_length(), any_length());
	else
		for (int i = 0; i < atoi(argv[2]); i++)
			window(0.004, 0.001);
	printf("on %.4f\noff %.4f\n", on, off);
	return 0;
}
