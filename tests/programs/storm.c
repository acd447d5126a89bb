/* SPDX-License-Identifier: 0BSD */
/*
 * Four threads count while others write snapshots, switch profiling on that is
 * on already, come and go, and make new arcs of their own; not one call of the
 * four is missing at the end.
 *
 * calls main 1
 * calls worker 4            arc outside worker 4
 * calls leaf 20000000        arc worker leaf 20000000
 * calls dumper 1            arc outside dumper 1
 * calls switcher 2          arc outside switcher 2
 * calls breeder 1           arc outside breeder 1
 * calls short_life 500      arc outside short_life 500
 * each fan_ 64 5000         each_arc worker fan_ 64 4000
 *                           each_arc short_life fan_ 64 1000
 */
#include <pthread.h>
#include <stdlib.h>

#ifdef __clang__
#define OPAQUE __attribute__((noinline))
#else
#define OPAQUE __attribute__((noipa))
#endif

void moncontrol(int mode);
int mondump(const char *path);

static __thread volatile int sink;
static _Atomic int working = 4;

OPAQUE void leaf(void)
{
	sink++;
}

#define FAN(n) OPAQUE void fan_##n(void) { sink++; }
#define X4(M, n) M(n##0) M(n##1) M(n##2) M(n##3)
#define X16(M, n) X4(M, n##0) X4(M, n##1) X4(M, n##2) X4(M, n##3)
#define X64(M) X16(M, 0) X16(M, 1) X16(M, 2) X16(M, 3)
#define NAME(n) fan_##n,

X64(FAN)

static void (*const fans[])(void) = { X64(NAME) };

OPAQUE void *worker(void *argument)
{
	for (int i = 0; i < 5000000; i++) {
		leaf();
		if (i % 250000 == 0)
			for (int j = 0; j < 64; j++)
				for (int k = 0; k < 50; k++)
					fans[j]();
	}
	working--;
	return argument;
}

OPAQUE void *dumper(void *argument)
{
	while (working)
		if (mondump("snapshot.out"))
			abort();
	return argument;
}

OPAQUE void *switcher(void *argument)
{
	while (working)
		moncontrol(1);
	return argument;
}

OPAQUE void *short_life(void *argument)
{
	for (int i = 0; i < 64; i++) {
		fans[i]();
		fans[i]();
	}
	return argument;
}

OPAQUE void *breeder(void *argument)
{
	pthread_t thread;

	for (int i = 0; i < 500; i++)
		if (pthread_create(&thread, NULL, short_life, NULL) ||
		    pthread_join(thread, NULL))
			abort();
	return argument;
}

int main(void)
{
	void *(*const runs[])(void *) = {worker, worker, worker,   worker,
					 dumper, breeder, switcher, switcher};
	pthread_t threads[8];

	for (int i = 0; i < 8; i++)
		if (pthread_create(&threads[i], NULL, runs[i], NULL))
			return 1;
	for (int i = 0; i < 8; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
