/* SPDX-License-Identifier: 0BSD */
/* All threads' arcs become one list. */
#include "gmon/merge.h"
#include "mcount/shared.h"

#include <string.h>

struct sum {
	struct arc arc; /* selfpc 0: free */
	uint64_t count;
	uint64_t source; /* the table that was added last */
};

struct merge {
	struct sum *sums;
	size_t sum_count; /* a power of two, or 0 */
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

	if (!merge->sum_count || merge->used > mask - mask / 8)
		return NULL;
	for (;; place = (place + 1) & mask) {
		struct sum *sum = &merge->sums[place];

		if (!sum->arc.selfpc || (sum->arc.selfpc == arc->selfpc &&
					 sum->arc.frompc == arc->frompc))
			return sum;
	}
}

static void add(struct merge *merge, const struct arc *arc, uint64_t count)
{
	uint64_t hash = mixed(arc);
	struct sum *sum;

	if ((hash & (merge->pass_count - 1)) != merge->pass || !count)
		return;
	sum = sum_find(merge, arc, hash);
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

static void add_table(struct merge *merge, const struct arc_table *table)
{
	uint32_t count = arcs_logged(table);

	merge->source++;
	for (uint32_t i = 0; i < count; i++) {
		struct arc arc;

		arc.selfpc = __atomic_load_n(&table->log[i].selfpc,
					     __ATOMIC_ACQUIRE);
		arc.frompc = table->log[i].frompc;
		if (arc.selfpc)
			add(merge, &arc,
			    arcs_read(table, arc.frompc, arc.selfpc));
	}
}

static void add_shared(struct merge *merge)
{
	merge->source++;
	for (uint32_t i = 0; i < shared_count(); i++) {
		struct arc arc;
		uint64_t count = shared_read(i, &arc);

		/* an arc may have two places, each with a count of its own */
		if (count)
			add(merge, &arc, count);
		merge->source++;
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

void merge_arcs(const struct threads *threads, void *memory, size_t size,
		merge_take *take, void *context)
{
	struct merge merge = {
		.sums = memory, .pass_count = 1, .take = take, .context = context
	};
	size_t count = logged(threads);

	if (memory)
		for (merge.sum_count = 1;
		     merge.sum_count * 2 * sizeof(struct sum) <= size &&
		     merge.sum_count < 2 * count;)
			merge.sum_count *= 2;
	while (merge.sum_count &&
	       count / merge.pass_count > merge.sum_count / 8 * 5)
		merge.pass_count *= 2;
	for (; merge.pass < merge.pass_count; merge.pass++)
		pass(&merge, threads);
}
