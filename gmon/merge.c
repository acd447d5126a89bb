/* SPDX-License-Identifier: 0BSD */
/* All threads' arcs become one list. */
#include "gmon/merge.h"
#include "mcount/shared.h"

#include <stdbool.h>

struct sum {
	struct arc arc; /* selfpc 0: free */
	uint64_t count;
	uint64_t source; /* the table that was added last */
};

/* The counts lie anywhere in a table: so many are fetched side by side. */
enum { BATCH_MAX = 32 };

struct item {
	struct arc arc;
	uint64_t key;
};

struct merge {
	struct sum *sums;
	size_t sum_count; /* a power of two */
	size_t used;
	uint32_t mask;	     /* of the biggest table */
	uint64_t begin, end; /* this pass has the arcs with places there */
	uint64_t source;
	merge_take *take;
	void *context;
	uint32_t batch_count;
	struct item batch[BATCH_MAX];
};

/* Where the search for an arc's sum begins. */
static size_t first_place(const struct merge *merge, uint64_t key)
{
	key ^= key >> 32;
	return (key * UINT64_C(0xd6e8feb86659fd93) >> 32) &
	       (merge->sum_count - 1);
}

/*
 * Whether it is this pass that adds up the arc.  Each pass has the arcs of one
 * stretch of the biggest table, which the caches and the TLB can hold.
 */
static bool is_now(const struct merge *merge, uint64_t key)
{
	uint32_t place = arcs_hash(key) & merge->mask;

	return place >= merge->begin && place < merge->end;
}

/* The place of the arc, free if it is new; null if there is no room. */
static struct sum *sum_find(struct merge *merge, const struct item *item)
{
	size_t mask = merge->sum_count - 1;
	size_t place = first_place(merge, item->key);

	if (merge->used > mask - mask / 8)
		return NULL;
	for (;; place = (place + 1) & mask) {
		struct sum *sum = &merge->sums[place];

		if (!sum->arc.selfpc ||
		    (sum->arc.selfpc == item->arc.selfpc &&
		     sum->arc.frompc == item->arc.frompc))
			return sum;
	}
}

static void add(struct merge *merge, const struct item *item, uint64_t count)
{
	struct sum *sum = sum_find(merge, item);

	if (!sum) {
		merge->take(merge->context, &item->arc, count);
		return;
	}
	if (!sum->arc.selfpc) {
		sum->arc = item->arc;
		merge->used++;
	} else if (sum->source == merge->source) {
		return; /* logged twice in one table, see arcs_logged */
	}
	sum->source = merge->source;
	sum->count += count;
	if (sum->count < count)
		sum->count = UINT64_MAX;
}

static void add_batch(struct merge *merge, const struct arc_table *table)
{
	for (uint32_t i = 0; i < merge->batch_count; i++) {
		const struct item *item = &merge->batch[i];
		uint64_t count =
			arcs_read(table, item->arc.frompc, item->arc.selfpc);

		if (count)
			add(merge, item, count);
	}
	merge->batch_count = 0;
}

static void add_table(struct merge *merge, const struct arc_table *table)
{
	uint32_t logged = arcs_logged(table);

	merge->source++;
	for (uint32_t i = 0; i < logged; i++) {
		struct item *item = &merge->batch[merge->batch_count];

		item->arc.selfpc = __atomic_load_n(&table->log[i].selfpc,
						   __ATOMIC_ACQUIRE);
		item->arc.frompc = table->log[i].frompc;
		item->key = arcs_key(item->arc.frompc, item->arc.selfpc);
		if (!item->arc.selfpc || !is_now(merge, item->key))
			continue;
		arcs_prefetch(table, item->key);
		__builtin_prefetch(&merge->sums[first_place(merge, item->key)]);
		if (++merge->batch_count == BATCH_MAX)
			add_batch(merge, table);
	}
	add_batch(merge, table);
}

/* An arc may have two places here, each with a count of its own. */
static void add_shared(struct merge *merge)
{
	for (uint32_t i = 0; i < shared_count(); i++) {
		struct item item;
		uint64_t count = shared_read(i, &item.arc);

		merge->source++;
		item.key = arcs_key(item.arc.frompc, item.arc.selfpc);
		if (count && is_now(merge, item.key))
			add(merge, &item, count);
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
		*sum = (struct sum){0};
		merge->used--;
	}
}

/* How many arcs there are at most, and the biggest table's mask. */
static size_t logged(const struct threads *threads, uint32_t *mask)
{
	const struct thread_table *table = threads->newest;
	const struct arc_table *arcs;
	size_t count = shared_count();

	for (; table; table = table->next)
		for (arcs = table->arcs; arcs; arcs = arcs->older) {
			count += arcs_logged(arcs);
			if (arcs->mask > *mask)
				*mask = arcs->mask;
		}
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
		.mask = 1024,
		.take = take,
		.context = context,
	};
	size_t count = logged(threads, &merge.mask);
	uint64_t places = merge.mask + UINT64_C(1), pass_count;

	if (!memory)
		size = sizeof fallback;
	while (merge.sum_count * 2 * sizeof(struct sum) <= size &&
	       merge.sum_count < 2 * count)
		merge.sum_count *= 2;
	pass_count = 1 + count * 4 / (merge.sum_count * 3);
	for (uint64_t i = 1; i <= pass_count; i++) {
		merge.begin = merge.end;
		merge.end = places * i / pass_count;
		pass(&merge, threads);
	}
}
