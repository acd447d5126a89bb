/* SPDX-License-Identifier: 0BSD */
/*
 * What a profile should say of time: each thread uses its own function, for
 * so much CPU time in all, in equal parts or with nine tenths in the first.
 *
 * `thread_N` is what thread N used, `user` and `used` what the process did.
 */
#include "clock.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { THREADS_MAX = 8 };

static volatile unsigned sink[THREADS_MAX][16]; /* a cache line for each */

#define SPIN(n)                                           \
	__attribute__((noipa)) void spin_##n(void)        \
	{                                                 \
		for (int i = 0; i < 200000; i++)          \
			sink[n][0] = sink[n][0] * 3 + 1;  \
	}
SPIN(0)
SPIN(1)
SPIN(2)
SPIN(3)
SPIN(4)
SPIN(5)
SPIN(6)
SPIN(7)

static struct spinner {
	void (*spin)(void);
	double due, used; /* seconds */
} spinners[THREADS_MAX] = {
	{spin_0, 0, 0}, {spin_1, 0, 0}, {spin_2, 0, 0}, {spin_3, 0, 0},
	{spin_4, 0, 0}, {spin_5, 0, 0}, {spin_6, 0, 0}, {spin_7, 0, 0},
};

static void *run(void *argument)
{
	struct spinner *spinner = argument;

	while (seconds(CLOCK_THREAD_CPUTIME_ID) < spinner->due)
		spinner->spin();
	spinner->used = seconds(CLOCK_THREAD_CPUTIME_ID);
	return NULL;
}

static void share_out(int count, double all, int is_uneven)
{
	for (int i = 0; i < count; i++)
		spinners[i].due = all / count;
	if (!is_uneven || count < 2)
		return;
	for (int i = 0; i < count; i++)
		spinners[i].due = all * (i ? 0.1 / (count - 1) : 0.9);
}

int main(int argc, char **argv)
{
	int count = argc > 2 ? atoi(argv[1]) : 0;
	pthread_t threads[THREADS_MAX];
	struct rusage usage;

	if (count < 1 || count > THREADS_MAX)
		return 2;
	share_out(count, atof(argv[2]), argc > 3);
	for (int i = 1; i < count; i++)
		pthread_create(&threads[i], NULL, run, &spinners[i]);
	run(&spinners[0]);
	for (int i = 1; i < count; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < count; i++)
		printf("thread_%d %.4f\n", i, spinners[i].used);
	getrusage(RUSAGE_SELF, &usage);
	printf("user %.4f\nused %.4f\n",
	       (double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec / 1e6,
	       seconds(CLOCK_PROCESS_CPUTIME_ID));
	return 0;
}
