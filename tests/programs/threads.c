/* SPDX-License-Identifier: 0BSD */
/*
 * Threads of one kind, so many of them, each of which calls a known function a
 * known number of times.  "threads KIND COUNT CALLS" prints what that comes
 * to; the kinds say how the threads end, if they do.
 *
 * calls main 1
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __clang__
#define OPAQUE __attribute__((noinline))
#else
#define OPAQUE __attribute__((noipa))
#endif
#define PLAIN __attribute__((no_instrument_function))
enum { COUNT_MAX = 64 };

static int count, calls;
static pthread_t threads[COUNT_MAX];
static sem_t done;
static __thread volatile int sink;

OPAQUE void leaf(void)
{
	sink++;
}

OPAQUE void middle(void)
{
	leaf();
	sink++;
}

OPAQUE void work(void)
{
	for (int i = 0; i < calls; i++) {
		leaf();
		middle();
	}
	sink++;
}

OPAQUE void *body(void *argument)
{
	work();
	return argument;
}

OPAQUE void *exiting(void *argument)
{
	work();
	pthread_exit(argument);
}

OPAQUE void *waiting(void *argument)
{
	work();
	sem_post(&done);
	for (;;)
		pause();
	return argument;
}

OPAQUE void *posting(void *argument)
{
	work();
	sem_post(&done);
	return argument;
}

PLAIN static void start(void *run(void *), int detached)
{
	pthread_attr_t attributes;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 1 << 18);
	if (detached)
		pthread_attr_setdetachstate(&attributes,
					    PTHREAD_CREATE_DETACHED);
	for (int i = 0; i < count; i++)
		if (pthread_create(&threads[i], &attributes, run, &done))
			abort();
}

PLAIN static void join(void *result)
{
	void *found;

	for (int i = 0; i < count; i++)
		if (pthread_join(threads[i], &found) || found != result)
			abort();
}

PLAIN static void wait_for_all(void)
{
	for (int i = 0; i < count; i++)
		while (sem_wait(&done))
			;
}

PLAIN static void cancel_all(void)
{
	wait_for_all();
	for (int i = 0; i < count; i++)
		pthread_cancel(threads[i]);
	join(PTHREAD_CANCELED);
}

PLAIN static void run(const char *kind)
{
	if (strcmp(kind, "joined") == 0) {
		start(body, 0);
		join(&done);
	} else if (strcmp(kind, "exiting") == 0) {
		start(exiting, 0);
		join(&done);
	} else if (strcmp(kind, "waiting") == 0) { /* while main exits */
		start(waiting, 0);
		wait_for_all();
	} else if (strcmp(kind, "cancelled") == 0) {
		start(waiting, 0);
		cancel_all();
	} else if (strcmp(kind, "posting") == 0) {
		start(posting, 1);
		wait_for_all();
	} else if (strcmp(kind, "body") == 0) { /* the last one ends us */
		start(body, 1);
		pthread_exit(NULL);
	} else {
		abort();
	}
}

int main(int argc, char **argv)
{
	const char *kind = argc > 3 ? argv[1] : "";
	const char *first = strcmp(kind, "joined") == 0	     ? "body"
			    : strcmp(kind, "cancelled") == 0 ? "waiting"
							     : kind;

	count = argc > 3 ? atoi(argv[2]) : 0;
	calls = argc > 3 ? atoi(argv[3]) : 0;
	if (count < 1 || count > COUNT_MAX || sem_init(&done, 0, 0))
		return 2;
	printf("calls %s %d arc outside %s %d calls work %d arc %s work %d "
	       "calls middle %d arc work middle %d calls leaf %d "
	       "arc work leaf %d arc middle leaf %d\n",
	       first, count, first, count, count, first, count, count * calls,
	       count * calls, 2 * count * calls, count * calls, count * calls);
	fflush(stdout);
	run(kind);
	return 0;
}
