/* SPDX-License-Identifier: 0BSD */
/*
 * 1000 calls of work(), and profiles that are written while the program runs:
 * by dump=USR1, by every=1, or by the program itself.  tests/gprof/ends.c
 * knows what is due.
 */
#include "gone.h"

#include <dlfcn.h>
#include <limits.h>
#include <sys/time.h>

/* Of gmon.h; not there without the runtime. */
__attribute__((weak)) int mondump(const char *path);
__attribute__((weak)) void _mcleanup(void);

enum { THREADS = 8, ROUNDS = 40 };

static pthread_t threads[THREADS];
static pthread_barrier_t all_there;

static void killed(void)
{
	raise(SIGKILL);
}

static void dump_and_die(void)
{
	raise(SIGUSR1);
	killed();
}

static void dump_twice_and_die(void)
{
	raise(SIGUSR1);
	work_often(10);
	dump_and_die();
}

/* 8 threads, each 40 times: 100 calls, and a snapshot in some thread. */
static void *storm_body(void *argument)
{
	pthread_barrier_wait(&all_there);
	for (int i = 0; i < ROUNDS; i++) {
		work_often(100);
		pthread_kill(threads[i * 7 % THREADS], SIGUSR1);
	}
	pthread_barrier_wait(&all_there);
	return argument;
}

static void dump_in_storm(void)
{
	pthread_barrier_init(&all_there, NULL, THREADS + 1);
	for (int i = 0; i < THREADS; i++)
		threads[i] = thread_make(storm_body);
	pthread_barrier_wait(&all_there);
	pthread_barrier_wait(&all_there);
}

/* Snapshots come beside threads that go on, and exit() beside snapshots. */
static void *dumper(void *argument)
{
	for (;;)
		raise(SIGUSR1);
	return argument;
}

static void exit_beside_dump(void)
{
	for (int i = 0; i < 4; i++)
		thread_make(dumper);
	nanosleep(&(struct timespec){0, 2000000}, NULL);
	exit(3);
}

static void *small_body(void *argument)
{
	work_often(10);
	raise(SIGUSR1);
	return argument;
}

static void dump_on_small_stack(void)
{
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 16384);
	if (pthread_create(&thread, &attributes, small_body, NULL))
		abort();
	pthread_join(thread, NULL);
	killed();
}

static void dump_in_dlopen(void)
{
	dlopen(plugin, RTLD_NOW);
	killed();
}

static void abort_beside_dump(void)
{
	for (int i = 0; i < 4; i++)
		thread_make(dumper);
	nanosleep(&(struct timespec){0, 2000000}, NULL);
	abort();
}

/* Until the first snapshot is there. */
static void dump_in_malloc(void)
{
	struct itimerval soon = {{0, 2000}, {0, 2000}};
	size_t size = 1;

	setitimer(ITIMER_REAL, &soon, NULL);
	while (access("gmon.out", F_OK) != 0)
		for (int i = 0; i < 100000; i++, size = size * 5 % 99991)
			free(malloc(size));
	killed();
}

static void dump_after_own(void)
{
	signal(SIGUSR1, SIG_IGN);
	dump_and_die();
}

static double cpu_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* The first second's end has been written; what follows is lost. */
static void every_second(void)
{
	while (cpu_seconds() < 1.2)
		sink++;
	work_often(10);
	killed();
}

static void every_second_in_loader(void)
{
	signal(SIGUSR1, SIG_IGN);
	while (cpu_seconds() < 1.2)
		dlclose(dlopen(plugin, RTLD_NOW));
	work_often(10);
	killed();
}

static void mondump_elsewhere(void)
{
	if (mondump && mondump("elsewhere") != 0)
		abort();
	work_often(10);
	killed();
}

static void mondump_here(void)
{
	if (mondump && mondump(NULL) != 0)
		abort();
	killed();
}

static void mondump_twice(void)
{
	if (_mcleanup)
		_mcleanup();
	work_often(10);
}

/* Until somebody makes a file called "stop". */
static void mondump_always(void)
{
	while (access("../stop", F_OK) != 0)
		if (mondump)
			mondump(NULL);
}

const struct way ways[] = {
	{"dump", dump_and_die},
	{"dump-twice", dump_twice_and_die},
	{"storm", dump_in_storm},
	{"exit-beside", exit_beside_dump},
	{"small-stack", dump_on_small_stack},
	{"in-dlopen", dump_in_dlopen},
	{"in-malloc", dump_in_malloc},
	{"taken-over", dump_after_own},
	{"every", every_second},
	{"every-in-loader", every_second_in_loader},
	{"abort-beside", abort_beside_dump},
	{"mondump-path", mondump_elsewhere},
	{"mondump", mondump_here},
	{"mcleanup", mondump_twice},
	{"mondump-always", mondump_always},
	{NULL, NULL},
};
