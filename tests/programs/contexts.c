/* SPDX-License-Identifier: 0BSD */
/*
 * Coroutines on stacks of their own, in four threads at once, by makecontext
 * and swapcontext; some are continued by another thread than began them.
 *
 * calls main 1
 * calls thread 4            arc outside thread 4
 * calls coroutine 32        arc outside coroutine 32
 * calls turn 64000          arc coroutine turn 64000
 * calls give_way 64000      arc turn give_way 64000
 */
#include <pthread.h>
#include <stdlib.h>
#include <ucontext.h>

#ifdef __clang__
#define OPAQUE __attribute__((noinline))
#else
#define OPAQUE __attribute__((noipa))
#endif
#define PLAIN __attribute__((no_instrument_function))
enum { THREADS = 4, EACH = 8, TURNS = 2000, STACK_SIZE = 32768 };

struct routine {
	ucontext_t own, caller;
	int turns;
	char stack[STACK_SIZE];
};

static struct routine *routines[THREADS * EACH];
static pthread_barrier_t barrier;

OPAQUE void give_way(struct routine *routine)
{
	swapcontext(&routine->own, &routine->caller);
}

OPAQUE void turn(struct routine *routine)
{
	give_way(routine);
	routine->turns++;
}

OPAQUE void coroutine(int number)
{
	struct routine *routine = routines[number];

	for (;;)
		turn(routine);
}

PLAIN static struct routine *make(int number)
{
	struct routine *routine = calloc(1, sizeof *routine);

	if (!routine || getcontext(&routine->own))
		abort();
	routine->own.uc_stack.ss_sp = routine->stack;
	routine->own.uc_stack.ss_size = STACK_SIZE;
	makecontext(&routine->own, (void (*)(void))coroutine, 1, number);
	return routine;
}

/* In each round a thread has the routines of the next one. */
OPAQUE void *thread(void *argument)
{
	int own = (int)(long)argument;

	for (int round = 0; round < TURNS / 10; round++) {
		int first = (own + round) % THREADS * EACH;

		for (int i = 0; i < 10 * EACH; i++) {
			struct routine *routine = routines[first + i % EACH];

			swapcontext(&routine->caller, &routine->own);
		}
		pthread_barrier_wait(&barrier);
	}
	return argument;
}

int main(void)
{
	pthread_t threads[THREADS];

	pthread_barrier_init(&barrier, NULL, THREADS);
	for (int i = 0; i < THREADS * EACH; i++)
		routines[i] = make(i);
	for (long i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, thread, (void *)i))
			return 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
