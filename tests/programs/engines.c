/* SPDX-License-Identifier: 0BSD */
/*
 * Threads that use a known CPU time, in different circumstances by the name
 * of a scenario.  Prints `user MS`, what it used in user mode.
 */
#include "gmon/gmon.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __clang__
#define OPAQUE __attribute__((noinline, optnone))
#else
#define OPAQUE __attribute__((noipa))
#endif

enum { THREADS_MAX = 64 };

volatile unsigned sink;
static long ms_each;
static _Atomic int interrupted, is_over;

#define SPIN                            \
	for (int i = 0; i < 50000; i++) \
	sink = sink * 3 + 1

OPAQUE void spin(void)
{
	SPIN;
}

OPAQUE void unseen(void)
{
	SPIN;
}

static long long used_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * 1000000ll + now.tv_nsec / 1000;
}

static void *busy(void *ms)
{
	long long end = used_us() + 1000 * *(long *)ms;

	while (used_us() < end)
		spin();
	return NULL;
}

static void parallel(int count)
{
	pthread_t threads[THREADS_MAX];

	for (int i = 1; i < count; i++)
		if (pthread_create(&threads[i], NULL, busy, &ms_each) != 0)
			exit(3);
	busy(&ms_each);
	for (int i = 1; i < count; i++)
		pthread_join(threads[i], NULL);
}

/* Arcs that are known by then never enter the recorder, which would unblock. */
static void blocked(int count)
{
	sigset_t all, mask;

	sigfillset(&all);
	for (int i = 0; i <= count; i++) {
		busy(&ms_each);
		pthread_sigmask(SIG_BLOCK, &all, NULL);
	}
	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	if (!sigismember(&mask, SIGURG))
		exit(7);
}

/* Whoever closes all it knows nothing of, and what it opens then. */
static void closing(int count)
{
	int ends[2];
	char byte = 0;

	for (int i = 0; i < count; i++) {
		for (int fd = 3; fd < 100; fd++)
			close(fd);
		if (pipe(ends) != 0 || ends[0] != 3 || ends[1] != 4)
			exit(4);
		parallel(2);
		if (write(ends[1], "x", 1) != 1 ||
		    read(ends[0], &byte, 1) != 1 || byte != 'x')
			exit(5);
	}
}

static void *sleeper(void *unused)
{
	struct timespec moment = {0, 20000000};

	while (!is_over)
		interrupted += nanosleep(&moment, NULL) != 0;
	return unused;
}

static void *reader(void *end)
{
	char byte;

	while (!is_over)
		if (read(*(int *)end, &byte, 1) < 0)
			interrupted += errno == EINTR;
	return NULL;
}

/* Nobody who sleeps or waits is disturbed while others work. */
static void sleeping(int count)
{
	pthread_t threads[3];
	int ends[2];

	if (pipe(ends) != 0)
		exit(4);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, sleeper, NULL);
	pthread_create(&threads[2], NULL, reader, &ends[0]);
	parallel(count);
	is_over = 1;
	if (write(ends[1], "x", 1) != 1)
		exit(5);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	if (interrupted)
		exit(6);
}

/* Many short threads; rings of those that are gone must not stay. */
static void churn(int count)
{
	char line[512];
	FILE *maps;
	int rings = 0;

	for (int i = 0; i < count; i++)
		parallel(8);
	maps = fopen("/proc/self/maps", "r");
	while (fgets(line, sizeof line, maps))
		rings += strstr(line, "perf_event") != NULL;
	fclose(maps);
	printf("rings %d\n", rings);
}

static void family(int count)
{
	int status;

	parallel(count);
	if (fork() == 0) {
		parallel(2 * count);
		exit(0);
	}
	wait(&status);
}

/* On and off after each millisecond. */
static void windows(int count)
{
	long long on = 0;

	moncontrol(0);
	for (int i = 0; i < count; i++) {
		long long start = used_us(), now = start;

		moncontrol(1);
		for (; now < start + 1000; now = used_us())
			spin();
		moncontrol(0);
		on += now - start;
		for (; used_us() < now + 1000;)
			unseen();
	}
	printf("on %lld\n", on / 1000);
}

static long long elapsed_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000ll + now.tv_nsec / 1000;
}

OPAQUE void *wait_for(void *ms)
{
	long long end = elapsed_us() + 1000 * *(long *)ms, left;

	while ((left = end - elapsed_us()) > 0)
		usleep((useconds_t)left);
	return NULL;
}

/* One thread waits all the time, the other one half of it. */
static void waiting(int count)
{
	long long start = elapsed_us();
	long both_ms = 2 * ms_each;
	pthread_t thread;

	pthread_create(&thread, NULL, wait_for, &both_ms);
	while (elapsed_us() < start + 1000 * ms_each)
		spin();
	wait_for(&ms_each);
	pthread_join(thread, NULL);
	printf("elapsed %lld\n", (elapsed_us() - start) / 1000 * count);
}

static const struct {
	const char *name;
	void (*run)(int count);
} scenarios[] = {
	{"parallel", parallel}, {"blocked", blocked}, {"closing", closing},
	{"sleeping", sleeping}, {"churn", churn},     {"family", family},
	{"windows", windows},	{"waiting", waiting},
};

int main(int argc, char **argv)
{
	struct rusage used;

	if (argc != 4)
		return 2;
	ms_each = atol(argv[3]);
	for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++)
		if (strcmp(argv[1], scenarios[i].name) == 0)
			scenarios[i].run(atoi(argv[2]));
	getrusage(RUSAGE_SELF, &used);
	printf("user %ld\n", used.ru_utime.tv_sec * 1000 +
				     used.ru_utime.tv_usec / 1000);
	return 0;
}
