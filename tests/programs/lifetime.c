/* SPDX-License-Identifier: 0BSD */
/*
 * What runs before and after main.
 *
 * calls main 1              arc outside main 1
 * calls early 1             arc outside early 1
 * calls constructor 1       arc outside constructor 1
 * calls leave 1             arc outside leave 1
 * calls leave_first 1       arc outside leave_first 1
 * calls destructor 1        arc outside destructor 1
 * calls late 1              arc outside late 1
 * calls work 128            arc early work 1       arc constructor work 2
 *                           arc main work 4        arc leave_first work 8
 *                           arc leave work 16      arc destructor work 32
 *                           arc late work 65
 */
#include <stdlib.h>

#ifdef __clang__
#define OPAQUE __attribute__((noinline, optnone))
#else
#define OPAQUE __attribute__((noipa))
#endif

volatile int sink;

OPAQUE void work(int times)
{
	sink += times;
}

#define WORK(times)                            \
	do {                                   \
		for (int i = 0; i < times; i++) \
			work(i);               \
		sink++;                        \
	} while (0)

__attribute__((constructor(101))) void early(void)
{
	WORK(1);
}

__attribute__((constructor)) void constructor(void)
{
	WORK(2);
}

void leave(void)
{
	WORK(16);
}

void leave_first(void)
{
	WORK(8);
}

__attribute__((destructor)) void destructor(void)
{
	WORK(32);
}

__attribute__((destructor(101))) void late(void)
{
	WORK(65);
}

int main(void)
{
	atexit(leave);
	atexit(leave_first);
	WORK(4);
	return 0;
}
