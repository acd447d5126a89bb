/* SPDX-License-Identifier: 0BSD */
/*
 * Four threads that load, call and unload a library each, so that each gets
 * addresses that another one's had a moment ago.  Build with -DNAME=one, two,
 * three, four the libraries one.so ...; without it the program: churn LOADS.
 * Exact counts: NAME 3 for each load, NAME_part 6, NAME_end 1.  With another
 * argument each thread takes all of them in turn: NAME_end is then called as
 * often as a library had no other user.
 */
#ifdef NAME
#define JOIN(a, b) a##b
#define NAMED(name, end) JOIN(name, end)

static volatile int sink;

__attribute__((noinline)) void NAMED(NAME, _part)(void)
{
	sink = sink + 1;
}

void NAME(void)
{
	NAMED(NAME, _part)();
	NAMED(NAME, _part)();
	sink = sink + 1;
}

__attribute__((destructor)) void NAMED(NAME, _end)(void)
{
	sink = 0;
}
#else
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const names[] = {"one", "two", "three", "four"};
static int loads, step;

static void *body(void *first)
{
	for (int i = 0; i < loads; i++) {
		const char *name = names[(*(int *)first + i * step) % 4];
		void (*call)(void);
		void *library;
		char path[16];

		snprintf(path, sizeof path, "./%s.so", name);
		library = dlopen(path, RTLD_NOW);
		if (!library)
			abort();
		*(void **)&call = dlsym(library, name);
		for (int k = 0; k < 3; k++)
			call();
		dlclose(library);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	static int firsts[] = {0, 1, 2, 3};
	pthread_t threads[4];

	loads = argc > 1 ? atoi(argv[1]) : 1;
	step = argc > 2;
	for (int i = 0; i < 4; i++)
		if (pthread_create(&threads[i], NULL, body, &firsts[i]))
			abort();
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
#endif
