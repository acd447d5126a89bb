/* SPDX-License-Identifier: 0BSD */
/*
 * What the programs that end in many ways share: work() is what is counted,
 * and main calls it 1000 times before it goes the way that its first argument
 * names.  Left to itself main leaves with 3.
 */
#ifndef GONE_H
#define GONE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef __clang__
#define OPAQUE __attribute__((noinline, optnone))
#else
#define OPAQUE __attribute__((noipa))
#endif

static const char *plugin;
static volatile int sink;

OPAQUE static void work(void)
{
	sink++;
}

static inline void work_often(int times)
{
	for (int i = 0; i < times; i++)
		work();
}

static inline void wait_forever(void)
{
	for (;;)
		pause();
}

static inline pthread_t thread_make(void *(*body)(void *argument))
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, body, NULL))
		abort();
	return thread;
}

/* 64 threads that work until the end, and know how often they did. */
enum { CROWD_SIZE = 64 };
static struct {
	_Alignas(64) atomic_ulong worked;
} crowd[CROWD_SIZE];
static atomic_int crowd_next;

static void *crowd_body(void *argument)
{
	int me = atomic_fetch_add(&crowd_next, 1);

	for (;;) {
		for (int i = 0; i < 200; i++) {
			work();
			atomic_fetch_add(&crowd[me].worked, 1);
		}
		nanosleep(&(struct timespec){0, 1000000}, NULL);
	}
	return argument;
}

/* Comes back when all of them are at work. */
static inline void crowd_make(void)
{
	for (int i = 0; i < CROWD_SIZE; i++)
		thread_make(crowd_body);
	for (int i = 0; i < CROWD_SIZE; i++)
		while (!crowd[i].worked)
			nanosleep(&(struct timespec){0, 100000}, NULL);
}

/* All calls of work() that are done for sure. */
static inline unsigned long crowd_worked(void)
{
	unsigned long sum = 1000;

	for (int i = 0; i < CROWD_SIZE; i++)
		sum += crowd[i].worked;
	return sum;
}

struct way {
	const char *name;
	void (*go)(void);
};
extern const struct way ways[]; /* the last one has no name */

int main(int argc, char **argv)
{
	plugin = argc > 2 ? argv[2] : NULL;
	work_often(1000);
	for (const struct way *way = ways; argc > 1 && way->name; way++)
		if (strcmp(way->name, argv[1]) == 0) {
			way->go();
			return 3;
		}
	return 99;
}

#endif
