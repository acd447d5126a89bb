/* SPDX-License-Identifier: 0BSD */
/*
 * time WORK SECONDS [off]: CPU nanoseconds per call of a work; with `off`,
 * after moncontrol(0).
 */
#include "calls.h"
#include "clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { BATCH = 100000 };

__attribute__((weak)) void moncontrol(int mode);

int main(int argc, char **argv)
{
	work *work = argc > 2 ? work_named(argv[1]) : NULL;
	double start, end;
	long calls = 0;

	if (!work)
		return 2;
	if (argc > 3 && moncontrol)
		moncontrol(0);
	work(BATCH);
	end = seconds(CLOCK_MONOTONIC) + atof(argv[2]);
	start = seconds(CLOCK_THREAD_CPUTIME_ID);
	do
		calls += work(BATCH);
	while (seconds(CLOCK_MONOTONIC) < end);
	printf("ns %.4f\n", (seconds(CLOCK_THREAD_CPUTIME_ID) - start) /
				    (double)calls * 1e9);
	fflush(stdout);
	syscall(SYS_exit_group, 0); /* no profile: time is short */
	return 0;
}
