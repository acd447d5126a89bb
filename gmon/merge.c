/* SPDX-License-Identifier: 0BSD */
/* All threads' arcs become one list. */
#include "gmon/merge.h"
#include "mcount/shared.h"

#include <stdbool.h>
#include <string.h>

struct sum {
	struct arc arc; /* selfpc 0: free */
	uint64_t count;
	uint64_t source; /* the table that was added last */
};

struct merge {
	struct sum *sums;
	size_t sum_count; /* a power of two */
	size_t used;
	uint32_t pass, pass_count; /* a power of two */
	uint64_t source;
	merge_take *take;
	void *context;
};

static uint64_t mixed(const struct arc *arc)
{
	uint64_t key = arcs_key(arc->frompc, arc->selfpc);

	key ^= key >> 32;
	return key * UINT64_C(0xd6e8feb86659fd93);
}

/* The place of the arc, free if it is new; null if there is no room. */
static struct sum *sum_find(struct merge *merge, const struct arc *arc,
			    uint64_t hash)
{
	size_t mask = merge->sum_count - 1;
	size_t place = (hash >> 32) & mask;

	if (merge->used > mask - mask / 8)
		return NULL;
	for (;; place = (place + 1) & mask) {
		struct sum *sum = &merge->sums[place];

		if (!sum->arc.selfpc || (sum->arc.selfpc == arc->selfpc &&
					 sum->arc.frompc == arc->frompc))
			return sum;
	}
}

/* Whether it is this pass that adds up the arc. */
static bool is_now(const struct merge *merge, uint64_t hash)
{
	return (hash & (merge->pass_count - 1)) == merge->pass;
}

static void add(struct merge *merge, const struct arc *arc, uint64_t hash,
		uint64_t count)
{
	struct sum *sum = sum_find(merge, arc, hash);

	if (!sum) {
		merge->take(merge->context, arc, count);
		return;
	}
	if (!sum->arc.selfpc) {
		sum->arc = *arc;
		merge->used++;
	} else if (sum->source == merge->source) {
		return; /* logged twice in one table, see arcs_logged */
	}
	sum->source = merge->source;
	sum->count += count;
	if (sum->count < count)
		sum->count = UINT64_MAX;
}

/* The counts lie anywhere in the table: read only those of this pass. */
static void add_table(struct merge *merge, const struct arc_table *table)
{
	uint32_t logged = arcs_logged(table);

	merge->source++;
	for (uint32_t i = 0; i < logged; i++) {
		struct arc arc;
		uint64_t hash, count;

		arc.selfpc = __atomic_load_n(&table->log[i].selfpc,
					     __ATOMIC_ACQUIRE);
		arc.frompc = table->log[i].frompc;
		hash = mixed(&arc);
		if (!arc.selfpc || !is_now(merge, hash))
			continue;
		count = arcs_read(table, arc.frompc, arc.selfpc);
		if (count)
			add(merge, &arc, hash, count);
	}
}

/* An arc may have two places here, each with a count of its own. */
static void add_shared(struct merge *merge)
{
	for (uint32_t i = 0; i < shared_count(); i++) {
		struct arc arc;
		uint64_t count = shared_read(i, &arc);
		uint64_t hash = mixed(&arc);

		merge->source++;
		if (count && is_now(merge, hash))
			add(merge, &arc, hash, count);
	}
}

static void pass(struct merge *merge, const struct threads *threads)
{
	const struct thread_table *table = threads->newest;
	const struct arc_table *arcs;

	for (; table; table = table->next)
		for (arcs = table->arcs; arcs; arcs = arcs->older)
			add_table(merge, arcs);
	add_shared(merge);
	for (size_t i = 0; i < merge->sum_count && merge->used; i++) {
		struct sum *sum = &merge->sums[i];

		if (!sum->arc.selfpc)
			continue;
		merge->take(merge->context, &sum->arc, sum->count);
		memset(sum, 0, sizeof *sum);
		merge->used--;
	}
}

static size_t logged(const struct threads *threads)
{
	const struct thread_table *table = threads->newest;
	const struct arc_table *arcs;
	size_t count = shared_count();

	for (; table; table = table->next)
		for (arcs = table->arcs; arcs; arcs = arcs->older)
			count += arcs_logged(arcs);
	return count;
}

/* Where the kernel gives no memory: many passes, but each arc once. */
static struct sum fallback[1024];

void merge_arcs(const struct threads *threads, void *memory, size_t size,
		merge_take *take, void *context)
{
	struct merge merge = {
		.sums = memory ? memory : fallback,
		.sum_count = 1,
		.pass_count = 1,
		.take = take,
		.context = context,
	};
	size_t count = logged(threads);

	if (!memory)
		size = sizeof fallback;
	while (merge.sum_count * 2 * sizeof(struct sum) <= size &&
	       merge.sum_count < 2 * count)
		merge.sum_count *= 2;
	while (count / merge.pass_count > merge.sum_count / 8 * 5)
		merge.pass_count *= 2;
	for (; merge.pass < merge.pass_count; merge.pass++)
		pass(&merge, threads);
}
