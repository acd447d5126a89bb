/* SPDX-License-Identifier: 0BSD */
/* The works whose functions are few; those of the tree are generated. */
#include "calls.h"

#include <stddef.h>
#include <string.h>

enum { FIB = 20, FIB_CALLS = 21891, TREE_DEPTH = 16 };

void node0(unsigned path, int depth); /* tree.c */

static __attribute__((noipa)) void leaf(void)
{
	__asm__ volatile("");
}

static __attribute__((noipa)) int fib(int n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

long work_leaf(long count)
{
	for (long i = 0; i < count; i++)
		leaf();
	return count;
}

long work_fib(long count)
{
	long i;

	for (i = 0; i < count; i += FIB_CALLS)
		fib(FIB);
	return i;
}

long work_tree(long count)
{
	unsigned path = 1;
	long i;

	for (i = 0; i < count; i += TREE_DEPTH + 1) {
		path ^= path << 13;
		path ^= path >> 17;
		path ^= path << 5;
		node0(path, TREE_DEPTH);
	}
	return i;
}

long work_fixed(long count)
{
	long i;

	for (i = 0; i < count; i += TREE_DEPTH + 1)
		node0(0x6c8e9cf5, TREE_DEPTH);
	return i;
}

work *work_named(const char *name)
{
	static const struct {
		const char *name;
		work *work;
	} works[] = {
		{"leaf", work_leaf},
		{"fib", work_fib},
		{"tree", work_tree},
		{"fixed", work_fixed},
	};

	for (size_t i = 0; i < sizeof works / sizeof *works; i++)
		if (strcmp(works[i].name, name) == 0)
			return works[i].work;
	return NULL;
}
