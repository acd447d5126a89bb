/* SPDX-License-Identifier: 0BSD */
/* A function that the stub counts, and its callers (counted.c). */
#ifndef GCRT_TESTS_UNIT_COUNTED_H
#define GCRT_TESTS_UNIT_COUNTED_H

#include <stdint.h>

enum { CALLER_COUNT = 90 };

void counted(void);

/* Call counted() from the call site of this number: an arc of its own. */
void call_counted(int caller);

/* Whose call site it is. */
int caller_of(uintptr_t frompc);

#endif
