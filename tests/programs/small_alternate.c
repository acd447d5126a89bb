/* SPDX-License-Identifier: 0BSD */
/*
 * "small_alternate SIZE": an alternate stack that is too small for a handler,
 * which the program does not have, and time to be sampled.  Nothing below the
 * stack is touched.
 *
 * calls main 1
 * calls work 30
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __clang__
#define OPAQUE __attribute__((noinline))
#else
#define OPAQUE __attribute__((noipa))
#endif

enum { BELOW = 16384 };

volatile unsigned sink;

OPAQUE void work(void)
{
	for (int i = 0; i < 10000000; i++)
		sink = sink * 3 + 1;
}

int main(int argc, char **argv)
{
	size_t size = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
	unsigned char *memory = malloc(BELOW + size);
	stack_t stack = {.ss_sp = memory + BELOW, .ss_size = size};

	memset(memory, 0x5a, BELOW);
	if (sigaltstack(&stack, NULL) && errno != ENOMEM) /* less than least */
		return 2;
	for (int i = 0; i < 30; i++)
		work();
	for (int i = 0; i < BELOW; i++)
		if (memory[i] != 0x5a)
			return 3;
	return 0;
}
