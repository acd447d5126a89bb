/* SPDX-License-Identifier: 0BSD */
/*
 * Threads that end by the bare system call, past all destructors, leave tables
 * that look alive.  Two that begin at the same moment both find one whose
 * owner is gone, and only one of them may have it.
 *
 * calls leaf 5000000        arc outside leaf 5000000
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef __clang__
#define OPAQUE __attribute__((noinline))
#else
#define OPAQUE __attribute__((noipa))
#endif
#define PLAIN __attribute__((no_instrument_function))
enum { PAIRS = 250, ROUNDS = 10000, PAIR = 2 };

static _Atomic int here;
static __thread volatile int sink;

OPAQUE void leaf(void)
{
	sink++;
}

PLAIN static void *life(void *count)
{
	here++;
	while (here < *(int *)count)
		;
	for (int i = 0; i < ROUNDS; i++)
		leaf();
	syscall(SYS_exit, 0);
	return NULL;
}

PLAIN static void together(int count)
{
	pthread_t threads[PAIR];

	here = 0;
	for (int i = 0; i < count; i++)
		if (pthread_create(&threads[i], NULL, life, &count))
			abort();
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
}

PLAIN int main(void)
{
	for (int i = 0; i < PAIRS; i++)
		together(PAIR);
	return 0;
}
