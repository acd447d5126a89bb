/* SPDX-License-Identifier: 0BSD */
/*
 * Calls that are the last instruction of a function: their return address is
 * already in the next one.
 *
 * calls main 1
 * calls last 1              arc main last 1
 * calls leave 1             arc last leave 1
 * calls next 0
 */
#include <stdlib.h>

#ifdef __clang__
#define OPAQUE __attribute__((noinline, optnone))
#else
#define OPAQUE __attribute__((noipa))
#endif

OPAQUE __attribute__((noreturn)) void leave(int status)
{
	exit(status);
}

OPAQUE __attribute__((noreturn)) void last(int status)
{
	leave(status);
}

OPAQUE void next(void)
{
}

int main(void)
{
	last(0);
}
