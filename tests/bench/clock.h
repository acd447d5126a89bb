/* SPDX-License-Identifier: 0BSD */
/*
 * What time it is, for the programs of the bench.  They read a CPU clock only
 * before and after what they time, and decide by CLOCK_MONOTONIC when to end:
 * a system call each 100 us makes the calls in between slower by a fifth.  The
 * process's clock lags by a tick as soon as a timer runs on it, as ITIMER_PROF
 * does: a process's time is what getrusage says.
 */
#ifndef BENCH_CLOCK_H
#define BENCH_CLOCK_H

#include <sys/resource.h>
#include <time.h>

static inline double seconds(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static inline double cpu_seconds(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

#endif
