/* SPDX-License-Identifier: 0BSD */
/*
 * Threads that call, and the end of the program with its profile:
 *
 *   threads many WORK COUNT SECONDS   COUNT threads, all at the same time
 *   threads short COUNT [untimed]     COUNT threads of 200 calls, one by one;
 *                                     untimed, the kernel refuses them timers
 *   threads living COUNT              COUNT threads at once, 200 arcs each
 *   threads signals SECONDS           a handler of 100 calls at 10 kHz
 *
 * `calls` is how many calls the works really made.
 */
#include "calls.h"
#include "clock.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { THREAD_MAX = 256, BATCH = 100000, SHORT = 200, HANDLED = 100 };

static work *work_of_all;
static double limit;
static atomic_long calls;
static pthread_t threads[THREAD_MAX];
static pthread_barrier_t all_here, all_done;

static void *call_for_long(void *unused)
{
	double start = seconds(CLOCK_MONOTONIC);
	long made = 0;

	(void)unused;
	do
		made += work_of_all(BATCH);
	while (seconds(CLOCK_MONOTONIC) - start < limit);
	atomic_fetch_add(&calls, made);
	return NULL;
}

static void make_threads(int count, void *(*function)(void *))
{
	for (int i = 0; i < count; i++)
		pthread_create(&threads[i], NULL, function, NULL);
}

static void join_threads(int count)
{
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
}

static void many(int count)
{
	double cpu = cpu_seconds();

	make_threads(count, call_for_long);
	join_threads(count);
	cpu = cpu_seconds() - cpu;
	printf("cpu %.4f\n", cpu / (double)calls * 1e9);
}

static void *call_shortly(void *unused)
{
	(void)unused;
	work_leaf(SHORT);
	return NULL;
}

static void one_by_one(int count, int untimed)
{
	double cpu;

	if (untimed)
		setrlimit(RLIMIT_SIGPENDING, &(struct rlimit){0, 0});
	cpu = cpu_seconds();
	for (int i = 0; i < count; i++) {
		make_threads(1, call_shortly);
		join_threads(1);
	}
	calls = (long)count * SHORT;
	cpu = cpu_seconds() - cpu;
	printf("us %.4f\n", cpu / count * 1e6);
}

static long resident(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	long size, pages = 0;

	if (file && fscanf(file, "%ld %ld", &size, &pages) == 2)
		fclose(file);
	return pages * 4;
}

static void *live(void *unused)
{
	(void)unused;
	atomic_fetch_add(&calls, work_tree(BATCH));
	pthread_barrier_wait(&all_here);
	pthread_barrier_wait(&all_done);
	return NULL;
}

static void all_at_once(int count)
{
	long before = resident();

	pthread_barrier_init(&all_here, NULL, (unsigned)count + 1);
	pthread_barrier_init(&all_done, NULL, (unsigned)count + 1);
	make_threads(count, live);
	pthread_barrier_wait(&all_here);
	printf("kib %.2f\n", (double)(resident() - before) / count);
	pthread_barrier_wait(&all_done);
	join_threads(count);
}

static void handler(int signal)
{
	(void)signal;
	atomic_fetch_add(&calls, work_fixed(HANDLED));
}

static void with_signals(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL,
				 .sigev_signo = SIGUSR1};
	struct itimerspec period = {{0, 100000}, {0, 100000}};
	double cpu = cpu_seconds();
	timer_t timer;

	signal(SIGUSR1, handler);
	timer_create(CLOCK_MONOTONIC, &event, &timer);
	timer_settime(timer, 0, &period, NULL);
	call_for_long(NULL);
	timer_delete(timer);
	cpu = cpu_seconds() - cpu;
	printf("cpu %.4f\n", cpu / (double)calls * 1e9);
}

static void set_work(const char *work, const char *time)
{
	work_of_all = work_named(work);
	limit = atof(time);
}

int main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[1] : "";

	if (strcmp(what, "many") == 0 && argc > 4) {
		set_work(argv[2], argv[4]);
		many(atoi(argv[3]));
	} else if (strcmp(what, "short") == 0) {
		one_by_one(atoi(argv[2]), argc > 3);
	} else if (strcmp(what, "living") == 0) {
		all_at_once(atoi(argv[2]));
	} else if (strcmp(what, "signals") == 0) {
		set_work("leaf", argv[2]);
		with_signals();
	} else {
		return 2;
	}
	printf("calls %ld\n", (long)calls);
	return 0;
}
