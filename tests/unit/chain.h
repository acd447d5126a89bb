/* SPDX-License-Identifier: 0BSD */
/*
 * A chain of arc tables in the test's own memory, which grows as the recorder
 * lets a thread's grow.
 */
#ifndef GCRT_TESTS_UNIT_CHAIN_H
#define GCRT_TESTS_UNIT_CHAIN_H

#include "mcount/arcs.h"

struct chain {
	struct arc_table *newest;
};

/* A table in memory of exactly the size it asks for. */
struct arc_table *chain_table(uint32_t entry_count, struct arc_table *older);

void chain_open(struct chain *chain, uint32_t entry_count);
void chain_close(struct chain *chain);

/* Count the arc once. */
void chain_take(struct chain *chain, uintptr_t frompc, uintptr_t selfpc);

/* The arc's count in all tables, and of all tables their number. */
uint64_t chain_read(const struct chain *chain, uintptr_t frompc,
		    uintptr_t selfpc);
int chain_length(const struct chain *chain);

/* What a reader of the logs finds that never heard of the arcs. */
uint64_t chain_logged_total(const struct chain *chain);

#endif
