/* SPDX-License-Identifier: 0BSD */
/*
 * Compiled with -pg and linked without, under LD_PRELOAD: the runtime begins
 * at the first counted call.  "latecomers middle": other threads call in two
 * places of that very moment, 1000 times each.  "latecomers forks": it comes
 * first in three children and last in their parent.
 *
 * calls leaf 3000           arc outside leaf 3000
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __clang__
#define OPAQUE __attribute__((noinline))
#else
#define OPAQUE __attribute__((noipa))
#endif
#define PLAIN __attribute__((no_instrument_function))
enum { CALLS = 1000 };

static __thread volatile int sink;
static int is_due[2];

OPAQUE void leaf(void)
{
	sink++;
}

PLAIN static void *life(void *argument)
{
	for (int i = 0; i < CALLS; i++)
		leaf();
	return argument;
}

PLAIN static void middle(int place)
{
	pthread_t thread;

	if (!is_due[place])
		return;
	is_due[place] = 0;
	if (pthread_create(&thread, NULL, life, NULL))
		abort();
	pthread_join(thread, NULL);
}

/* The C library's, which a runtime that begins asks early and late. */
PLAIN unsigned long getauxval(unsigned long type)
{
	unsigned long (*next)(unsigned long);

	*(void **)&next = dlsym(RTLD_NEXT, "getauxval");
	middle(0);
	return next(type);
}

PLAIN int __cxa_atexit(void (*function)(void *), void *argument, void *dso)
{
	int (*next)(void (*)(void *), void *, void *);

	*(void **)&next = dlsym(RTLD_NEXT, "__cxa_atexit");
	middle(1);
	return next(function, argument, dso);
}

PLAIN static void fork_some(void)
{
	for (int i = 0; i < 3; i++) {
		if (fork() == 0) {
			life(NULL);
			exit(0);
		}
		wait(NULL);
	}
}

PLAIN int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "forks") == 0)
		fork_some();
	else
		is_due[0] = is_due[1] = 1;
	life(NULL);
	return is_due[0] + is_due[1];
}
