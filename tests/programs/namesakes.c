/* SPDX-License-Identifier: 0BSD */
/*
 * Threads that end by the bare system call, past all destructors, leave tables
 * that look alive.  Two that begin at the same moment both find one whose
 * owner is gone, and only one of them may have it.  musl cannot join them, so
 * whoever waits asks the kernel.
 *
 * calls leaf 5000000        arc outside leaf 5000000
 */
#include <pthread.h>
#include <sched.h>
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
enum { PAIRS = 250, ROUNDS = 10000, PAIR = 2, STACK = 262144 };

static _Atomic int here, tids[PAIR];
static __thread volatile int sink;

OPAQUE void leaf(void)
{
	sink++;
}

PLAIN static void *life(void *tid)
{
	*(_Atomic int *)tid = (int)syscall(SYS_gettid);
	here++;
	while (here < PAIR)
		;
	for (int i = 0; i < ROUNDS; i++)
		leaf();
	syscall(SYS_exit, 0);
	return NULL;
}

PLAIN static void together(const pthread_attr_t *small)
{
	pthread_t thread;

	here = 0;
	for (int i = 0; i < PAIR; i++)
		if (pthread_create(&thread, small, life, &tids[i]))
			abort();
	while (here < PAIR)
		;
	for (int i = 0; i < PAIR; i++)
		while (syscall(SYS_tgkill, getpid(), tids[i], 0) == 0)
			sched_yield();
}

PLAIN int main(void)
{
	pthread_attr_t small;

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, STACK);
	for (int i = 0; i < PAIRS; i++)
		together(&small);
	return 0;
}
