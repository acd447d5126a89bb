/* SPDX-License-Identifier: 0BSD */
/*
 * What runs when a thread ends: C++ destructors of thread_local objects,
 * destructors of thread-specific data (which set their value again, up to four
 * rounds), cleanup handlers; threads that return, leave, and are cancelled.
 * In some threads the first counted call of all is one of these.
 *
 * calls main 1
 * calls counted 120         arc main counted 40     arc at_end counted 40
 *                           arc last_round counted 40
 * calls at_end 40           arc outside at_end 40
 * calls last_round 160      arc outside last_round 160
 * calls destroyed 40        arc outside destroyed 40
 * calls cleaned 30          arc outside cleaned 30
 */
#include <pthread.h>
#include <unistd.h>

#ifdef __clang__
#define OPAQUE __attribute__((noinline))
#else
#define OPAQUE __attribute__((noipa))
#endif
#define PLAIN __attribute__((no_instrument_function))

volatile int sink;
static pthread_key_t end_key, round_key;
static __thread int rounds;

extern "C" {

OPAQUE void counted(void)
{
	sink++;
}

OPAQUE void destroyed(void)
{
	sink++;
}

OPAQUE void cleaned(void *)
{
	sink++;
}

OPAQUE void at_end(void *)
{
	counted();
	sink++;
}

OPAQUE void last_round(void *value)
{
	if (++rounds < 4)
		pthread_setspecific(round_key, value);
	else
		counted();
	sink++;
}

}

struct local {
	int value = 0;
	PLAIN local() {}
	PLAIN ~local() { destroyed(); }
};

static thread_local local object;

PLAIN static void prepare(void)
{
	object.value = 1;
	pthread_setspecific(end_key, &rounds);
	pthread_setspecific(round_key, &rounds);
}

PLAIN static void *returns(void *)
{
	prepare();
	return NULL;
}

PLAIN static void *leaves(void *)
{
	prepare();
	pthread_cleanup_push(cleaned, NULL);
	pthread_exit(NULL);
	pthread_cleanup_pop(0);
	return NULL;
}

PLAIN static void *pops(void *)
{
	prepare();
	pthread_cleanup_push(cleaned, NULL);
	sink++;
	pthread_cleanup_pop(1);
	return NULL;
}

PLAIN static void *waits(void *)
{
	prepare();
	pthread_cleanup_push(cleaned, NULL);
	for (;;)
		pause();
	pthread_cleanup_pop(0);
	return NULL;
}

static void *(*const lives[])(void *) = {returns, leaves, pops, waits};

int main()
{
	pthread_key_create(&end_key, at_end);
	pthread_key_create(&round_key, last_round);
	for (int i = 0; i < 40; i++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, lives[i % 4], NULL))
			return 1;
		if (i % 4 == 3)
			pthread_cancel(thread);
		if (pthread_join(thread, NULL))
			return 1;
	}
	for (int i = 0; i < 40; i++)
		counted();
	return 0;
}
