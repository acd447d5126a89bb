/* SPDX-License-Identifier: 0BSD */
/*
 * The histogram: how many ticks found the pc in each few bytes of code,
 * anywhere in the address space.  Sparse: a tree whose leaves, one for each
 * 4 KiB of code, are made when the code is first hit.  Shared by all threads
 * and their signal handlers without a lock: nodes are put in place by
 * compare-and-swap and stay, bins are added to atomically.
 *
 * This file knows no globals.
 */
#ifndef GCRT_HISTOGRAM_H
#define GCRT_HISTOGRAM_H

#include "pc.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How many bytes of code one leaf counts, and in how many bins. */
#define LEAF_SIZE      ((uintptr_t)4096)
#define LEAF_BIN_COUNT (LEAF_SIZE / PC_BIN_SIZE)

struct histogram {
	_Atomic(void *) root;
};

/*
 * Add `weight` ticks at pc.  False if the kernel refused memory: the caller
 * counts the ticks as not sampled.  Called from: any thread, signal handler.
 */
bool histogram_add(struct histogram *histogram, uintptr_t pc, uint64_t weight);

/*
 * The LEAF_BIN_COUNT bins of the page of code that holds pc, or null if it
 * was never hit.  They may change while they are read.
 */
_Atomic uint64_t *histogram_leaf(const struct histogram *histogram,
				 uintptr_t pc);

/* The ticks of the one bin that holds pc. */
uint64_t histogram_bin(const struct histogram *histogram, uintptr_t pc);

/* The first page >= pc that was ever hit; false if there is none. */
bool histogram_next(const struct histogram *histogram, uintptr_t pc,
		    uintptr_t *page);

/* Let all bins start from zero.  Called from: any thread. */
void histogram_reset(struct histogram *histogram);

/* All ticks in [lowpc, highpc); both are multiples of LEAF_SIZE. */
uint64_t histogram_sum(const struct histogram *histogram, uintptr_t lowpc,
		       uintptr_t highpc);

#endif
