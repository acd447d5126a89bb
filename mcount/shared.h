/* SPDX-License-Identifier: 0BSD */
/*
 * The shared arc table: small, static, for all threads.  It serves calls that
 * come before there is thread-local storage (IFUNC resolvers, constructors of
 * libraries) and calls of threads for whose tables the kernel refuses memory.
 * It calls nothing, since before relocation nothing can be called.
 */
#ifndef GCRT_SHARED_H
#define GCRT_SHARED_H

#include "mcount/arcs.h"

#include <stdbool.h>

/*
 * Add one call of the arc; false if the table is full: the call is lost.
 * Called from: anywhere, any time.
 */
bool shared_add(uintptr_t frompc, uintptr_t selfpc);

/* How many places may be read; the arc and its count at one of them. */
uint32_t shared_count(void);
uint64_t shared_read(uint32_t place, struct arc *arc);

/* Whether any call was counted.  Called from: start. */
bool shared_is_used(void);

/* Let all counts start from zero.  Called from: anywhere. */
void shared_reset(void);

/* Forget all arcs.  Called from: start, a forked child. */
void shared_clear(void);

#endif
