/* SPDX-License-Identifier: 0BSD */
/*
 * Calls before profiling has begun: the resolver of an indirect function runs
 * while the program is being relocated, without thread-local storage.  How
 * often it is asked is the loader's business, and printed.
 *
 * With an argument, profiling is switched on (again) in main.
 *
 * calls constructor 1       arc outside constructor 1
 * calls main 1
 * calls indirect_work 20    arc main indirect_work 20
 * calls after 5             arc main after 5
 */
#include <stdio.h>

#ifdef __clang__
#define OPAQUE __attribute__((noinline, optnone))
#else
#define OPAQUE __attribute__((noipa))
#endif

void moncontrol(int mode);

static unsigned long resolutions;
volatile int sink;

OPAQUE void helper(int times)
{
	resolutions += times == 3;
}

OPAQUE void indirect_work(void)
{
	sink++;
}

static void (*choose(void))(void)
{
	helper(1);
	helper(2);
	helper(3);
	return indirect_work;
}

void work(void) __attribute__((ifunc("choose")));

__attribute__((constructor(101))) void constructor(void)
{
	sink++;
}

OPAQUE void after(void)
{
	sink++;
}

int main(int argc, char **argv)
{
	(void)argv;
	for (int i = 0; i < 20; i++)
		work();
	if (argc > 1)
		moncontrol(1);
	for (int i = 0; i < 5; i++)
		after();
	printf("calls choose %lu  arc outside choose %lu  "
	       "calls helper %lu  arc choose helper %lu\n",
	       resolutions, resolutions, 3 * resolutions, 3 * resolutions);
	return resolutions < 1;
}
