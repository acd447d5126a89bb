/* SPDX-License-Identifier: 0BSD */
/*
 * A stack that deepens while ticks come: valgrind makes it grow by itself.
 *
 * calls deep 18020          arc main deep 20
 */
#include <stdio.h>
#include <string.h>

enum { DEPTH = 900, ROUNDS = 20, FRAME = 4000, WORK = 2000 };

static __attribute__((noinline)) int deep(int depth)
{
	char frame[FRAME];

	memset(frame, depth, sizeof frame);
	for (volatile int i = 0; i < WORK; i++)
		;
	return depth ? deep(depth - 1) + frame[5] : 0;
}

int main(void)
{
	int sum = 0;

	for (int i = 0; i < ROUNDS; i++)
		sum += deep(DEPTH);
	printf("%d\n", sum);
	return 0;
}
