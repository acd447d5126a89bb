/* SPDX-License-Identifier: 0BSD */
/*
 * Threads that end by pthread_exit and by pthread_cancel: both unwind the
 * stack, which a static program can do only if the unwinder finds its data.
 *
 * calls main 1
 * calls leaving 8           calls deep_leave 8      arc leaving deep_leave 8
 * calls waiting 4           calls deep_wait 4       arc waiting deep_wait 4
 * calls clean 12
 *
 * Cleanup is called from where the unwinder lands; musl unwinds nothing and
 * calls it itself.
 */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#ifdef __GLIBC__
#define CALLERS "arc leaving clean 8  arc waiting clean 4"
#else
#define CALLERS "arc outside clean 12"
#endif

#ifdef __clang__
#define OPAQUE __attribute__((noinline, optnone))
#else
#define OPAQUE __attribute__((noipa))
#endif

volatile int sink;

OPAQUE void clean(void *argument)
{
	(void)argument;
	sink++;
}

OPAQUE void deep_leave(void *argument)
{
	pthread_exit(argument);
}

OPAQUE void *leaving(void *argument)
{
	pthread_cleanup_push(clean, NULL);
	deep_leave(argument);
	pthread_cleanup_pop(0);
	return NULL;
}

OPAQUE void deep_wait(void)
{
	for (;;)
		pause();
}

OPAQUE void *waiting(void *argument)
{
	pthread_cleanup_push(clean, NULL);
	deep_wait();
	pthread_cleanup_pop(0);
	return argument;
}

int main(void)
{
	pthread_t thread;
	void *result;

	for (int i = 0; i < 8; i++)
		if (pthread_create(&thread, NULL, leaving, &thread) ||
		    pthread_join(thread, &result) || result != &thread)
			return 1;
	for (int i = 0; i < 4; i++) {
		if (pthread_create(&thread, NULL, waiting, NULL))
			return 1;
		usleep(20000); /* in pause() by then, or nearly */
		if (pthread_cancel(thread) || pthread_join(thread, &result) ||
		    result != PTHREAD_CANCELED)
			return 1;
	}
	puts(CALLERS);
	return 0;
}
