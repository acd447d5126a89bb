/* SPDX-License-Identifier: 0BSD */
/* A chain of arc tables in the test's own memory. */
#include "tests/unit/chain.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

struct arc_table *chain_table(uint32_t entry_count, struct arc_table *older)
{
	size_t size = arcs_size(entry_count);
	void *memory = aligned_alloc(64, (size + 63) & ~(size_t)63);

	ck_assert_ptr_nonnull(memory);
	memset(memory, 0, size);
	return arcs_make(memory, entry_count, older);
}

void chain_open(struct chain *chain, uint32_t entry_count)
{
	chain->newest = chain_table(entry_count, NULL);
}

void chain_close(struct chain *chain)
{
	while (chain->newest) {
		struct arc_table *older = chain->newest->older;

		free(chain->newest);
		chain->newest = older;
	}
}

void chain_take(struct chain *chain, uintptr_t frompc, uintptr_t selfpc)
{
	_Atomic uint64_t *count;

	while (!(count = arcs_enter(chain->newest, frompc, selfpc))) {
		uint32_t entry_count = chain->newest->mask / 16 + 1;

		chain->newest = chain_table(arcs_next_entry_count(entry_count),
					    chain->newest);
	}
	++*count;
}

uint64_t chain_read(const struct chain *chain, uintptr_t frompc,
		    uintptr_t selfpc)
{
	const struct arc_table *table;
	uint64_t sum = 0;

	for (table = chain->newest; table; table = table->older)
		sum += arcs_read(table, frompc, selfpc);
	return sum;
}

int chain_length(const struct chain *chain)
{
	const struct arc_table *table;
	int length = 0;

	for (table = chain->newest; table; table = table->older)
		length++;
	return length;
}

uint64_t chain_logged_total(const struct chain *chain)
{
	const struct arc_table *table;
	uint64_t sum = 0;

	for (table = chain->newest; table; table = table->older)
		for (uint32_t i = 0; i < arcs_logged(table); i++)
			sum += arcs_read(table, table->log[i].frompc,
					 table->log[i].selfpc);
	return sum;
}
