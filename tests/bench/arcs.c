/* SPDX-License-Identifier: 0BSD */
/*
 * arcs WORK SECONDS [shuffled]: CPU nanoseconds per call where arcs are many.
 *
 *   callers         callee0 from 2 000 places
 *   callees         1 000 functions from one place
 *   10000 1000000   as many arcs
 *
 * `new` is what a call costs when its arc is new (in order: the C library's
 * runtime would take minutes otherwise), `again` the second time, `ns` later.
 * `before` is its CPU time in milliseconds when it begins to exit, and `kib`
 * its memory then.
 */
#include "arcs.h"
#include "clock.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t *order;
static long order_count;
static int width; /* callees in use */

static void order_make(long count)
{
	order = malloc((size_t)count * sizeof *order);
	order_count = count;
	for (long i = 0; i < count; i++)
		order[i] = (uint32_t)i;
}

static void order_shuffle(void)
{
	uint64_t random = 88172645463325252U;

	for (long i = order_count - 1; i > 0; i--) {
		uint32_t swapped = order[i];
		long with;

		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		with = (long)(random % (uint64_t)(i + 1));
		order[i] = order[with];
		order[with] = swapped;
	}
}

static void step_caller(uint32_t place)
{
	callers[place]();
}

static void step_callee(uint32_t place)
{
	callees[place]();
}

static void step_arc(uint32_t place)
{
	sites[place / (uint32_t)width](callees[place % (uint32_t)width]);
}

/* Steps [from, to) of the order; inlined for each kind of step. */
static inline __attribute__((always_inline)) void
go(void (*step)(uint32_t place), long from, long to)
{
	for (long i = from; i < to; i++)
		step(order[i]);
}

static void go_callers(long from, long to)
{
	go(step_caller, from, to);
}

static void go_callees(long from, long to)
{
	go(step_callee, from, to);
}

static void go_arcs(long from, long to)
{
	go(step_arc, from, to);
}

static void (*prepare(const char *work))(long from, long to)
{
	if (strcmp(work, "callers") == 0) {
		order_make(CALLER_COUNT);
		return go_callers;
	}
	if (strcmp(work, "callees") == 0) {
		order_make(CALLEE_COUNT);
		return go_callees;
	}
	order_make(atol(work));
	for (width = 1; width * width < order_count; width++)
		;
	return go_arcs;
}

/* At least `count` calls, if there is time; and what one of them took. */
static double time_of_call(void (*go)(long from, long to), long count,
			   double limit)
{
	double start = seconds(CLOCK_THREAD_CPUTIME_ID);
	double end = seconds(CLOCK_MONOTONIC) + limit;
	long calls = 0, from = 0;

	do {
		/* some at a time, so that reading the clock costs nothing */
		for (int i = 0; i < 10; i++) {
			long to = from + 2000;

			if (to > order_count)
				to = order_count;
			go(from, to);
			calls += to - from;
			from = to == order_count ? 0 : to;
		}
	} while (calls < count && seconds(CLOCK_MONOTONIC) < end);
	return (seconds(CLOCK_THREAD_CPUTIME_ID) - start) / (double)calls;
}

static long resident(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	long size, pages = 0;

	if (file && fscanf(file, "%ld %ld", &size, &pages) == 2)
		fclose(file);
	return pages * 4;
}

int main(int argc, char **argv)
{
	void (*go)(long from, long to);
	double start, limit;

	if (argc < 3)
		return 2;
	go = prepare(argv[1]);
	start = seconds(CLOCK_THREAD_CPUTIME_ID);
	go(0, order_count);
	printf("new %.4f\n", (seconds(CLOCK_THREAD_CPUTIME_ID) - start) /
				     (double)order_count * 1e9);
	if (argc > 3)
		order_shuffle();
	limit = atof(argv[2]);
	printf("again %.4f\n", time_of_call(go, order_count, 20 * limit) * 1e9);
	printf("ns %.4f\n", time_of_call(go, LONG_MAX, limit) * 1e9);
	printf("kib %ld\n", resident());
	printf("before %.3f\n", cpu_seconds() * 1e3);
	return 0;
}
