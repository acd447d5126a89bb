/* SPDX-License-Identifier: 0BSD */
/*
 * Compiled with -pg: counted() enters the stub as any program's function does,
 * from as many call sites as there are callers.  Nothing else here does.
 */
#include "tests/unit/counted.h"

__attribute__((noipa)) void counted(void)
{
}

#define UNCOUNTED __attribute__((no_instrument_function, noipa))
#define CALLER(n)                                                              \
	UNCOUNTED static void caller_##n(void)                                 \
	{                                                                      \
		counted();                                                     \
		__asm__ volatile(""); /* no tail call */                       \
	}
#define TEN(M, n)                                                              \
	M(n##0) M(n##1) M(n##2) M(n##3) M(n##4)                                \
	M(n##5) M(n##6) M(n##7) M(n##8) M(n##9)
#define ALL(M)                                                                 \
	TEN(M, 1) TEN(M, 2) TEN(M, 3) TEN(M, 4) TEN(M, 5)                      \
	TEN(M, 6) TEN(M, 7) TEN(M, 8) TEN(M, 9)
#define NAME(n) caller_##n,

ALL(CALLER)

static void (*const callers[])(void) = {ALL(NAME)};

_Static_assert(sizeof callers / sizeof *callers == CALLER_COUNT, "all");

UNCOUNTED void call_counted(int caller)
{
	callers[caller]();
}

/* The caller that begins last before the call site. */
UNCOUNTED int caller_of(uintptr_t frompc)
{
	int found = -1;

	for (int i = 0; i < CALLER_COUNT; i++)
		if ((uintptr_t)callers[i] < frompc &&
		    (found < 0 || callers[i] > callers[found]))
			found = i;
	return found;
}
