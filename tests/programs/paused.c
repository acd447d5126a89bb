/* SPDX-License-Identifier: 0BSD */
/*
 * Written for the C library's runtime, and knows its names: what it counts
 * while that is off must be in nobody's file.
 *
 * calls main 1
 * calls counted 30          arc main counted 30
 */
#include <sys/gmon.h>

void moncontrol(int mode); /* which that header lacks */

#define OPAQUE __attribute__((noinline))

volatile int sink;

OPAQUE void counted(void)
{
	sink = sink + 1;
}

int main(void)
{
	for (int i = 0; i < 10; i++)
		counted();
	moncontrol(0);
	for (int i = 0; i < 1000; i++)
		counted();
	moncontrol(1);
	for (int i = 0; i < 20; i++)
		counted();
	_mcleanup();
	return 0;
}
