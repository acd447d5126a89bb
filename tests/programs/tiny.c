/* SPDX-License-Identifier: 0BSD */
/*
 * Says something, leaves with 3; what the runtime does must not change either.
 *
 * calls main 1
 * calls work 1000           arc main work 1000
 */
#include <stdio.h>

#ifdef __clang__
#define OPAQUE __attribute__((noinline, optnone))
#else
#define OPAQUE __attribute__((noipa))
#endif

volatile int sink;

OPAQUE void work(void)
{
	sink++;
}

int main(void)
{
	for (int i = 0; i < 1000; i++)
		work();
	puts("done");
	return 3;
}
