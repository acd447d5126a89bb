/* SPDX-License-Identifier: 0BSD */
/* The arc table: where an arc is sought, and how a new one is entered. */
#include "mcount/arcs.h"

#include <stdbool.h>

/*
 * A low load beats a small table as long as the table fits the caches
 * (measured on Lua and SQLite: 12-25 % costs 1.08 of a do-nothing mcount,
 * 50 % 1.12, 75 % 1.3); beyond that memory counts more.
 */
enum { SPARSE_ENTRIES_MAX = 16384 };

static uint32_t arc_max(uint32_t entry_count)
{
	return entry_count > SPARSE_ENTRIES_MAX ? entry_count / 2
						: entry_count / 4;
}

static size_t round_to_line(size_t size)
{
	return (size + 63) & ~(size_t)63;
}

static size_t entries_size(uint32_t entry_count)
{
	return round_to_line(((size_t)entry_count + ARCS_NEAR) *
			     sizeof(struct arc_entry));
}

size_t arcs_counts_size(uint32_t entry_count)
{
	return entries_size(entry_count) +
	       arc_max(entry_count) * sizeof(struct arc);
}

size_t arcs_size(uint32_t entry_count)
{
	return round_to_line(sizeof(struct arc_table)) +
	       arcs_counts_size(entry_count);
}

/* A first page of 128 entries, then 20 KiB; then cheap doubling, then x4. */
uint32_t arcs_next_entry_count(uint32_t entry_count)
{
	if (entry_count < 1024)
		return 1024;
	if (entry_count < SPARSE_ENTRIES_MAX)
		return entry_count * 2;
	return entry_count < UINT32_C(1) << 26 ? entry_count * 4 : entry_count;
}

void arcs_lay_out(struct arc_table *table, void *counts, uint32_t entry_count,
		  struct arc_table *older)
{
	table->older = older;
	table->entries = counts;
	table->log = (void *)((char *)counts + entries_size(entry_count));
	table->mask = (entry_count - 1) * (uint32_t)sizeof(struct arc_entry);
	table->arc_max = arc_max(entry_count);
}

struct arc_table *arcs_make(void *memory, uint32_t entry_count,
			    struct arc_table *older)
{
	struct arc_table *table = memory;

	arcs_lay_out(table, (char *)memory + round_to_line(sizeof *table),
		     entry_count, older);
	return table;
}

uint32_t arcs_entry_count(const struct arc_table *table)
{
	return table->mask / (uint32_t)sizeof(struct arc_entry) + 1;
}

/*
 * The order in which entries are tried: the bucket and ARCS_NEAR behind it,
 * which is all that the stub looks at; then from a second bucket, that of the
 * mixed key, on.  Two call sites of the same thousand callees make two runs of
 * entries; where the runs overlap, neighbours would be sought ever further
 * away, a second bucket ends the search at once.  A table is never more than
 * half full, so an empty entry is always met.
 */
static struct arc_entry *entry_at(const struct arc_table *table, uint64_t key,
				  uint32_t attempt)
{
	uint32_t position = arcs_hash(key);

	if (attempt > ARCS_NEAR) {
		position = (uint32_t)(key * UINT64_C(0xd6e8feb86659fd93) >> 32);
		position += (attempt - ARCS_NEAR - 1) *
			    (uint32_t)sizeof(struct arc_entry);
		attempt = 0;
	}
	position &= table->mask;
	return &table->entries[position / sizeof(struct arc_entry) + attempt];
}

/* The entry that has the key or, if none has, the empty one it would get. */
static struct arc_entry *entry_find(const struct arc_table *table, uint64_t key)
{
	for (uint32_t attempt = 0;; attempt++) {
		struct arc_entry *entry = entry_at(table, key, attempt);
		uint64_t there =
			atomic_load_explicit(&entry->key, memory_order_relaxed);

		if (there == key || there == 0)
			return entry;
	}
}

uint64_t arcs_read(const struct arc_table *table, uintptr_t frompc,
		   uintptr_t selfpc)
{
	uint64_t key = arcs_key(frompc, selfpc);
	struct arc_entry *entry = entry_find(table, key);
	const uint64_t *before =
		atomic_load_explicit(&table->before, memory_order_acquire);

	if (atomic_load_explicit(&entry->key, memory_order_relaxed) != key)
		return 0;
	return atomic_load_explicit(&entry->count, memory_order_relaxed) -
	       (before ? before[entry - table->entries] : 0);
}

size_t arcs_reset_size(const struct arc_table *table)
{
	return (arcs_entry_count(table) + ARCS_NEAR) * sizeof *table->before;
}

void arcs_reset(struct arc_table *table)
{
	for (size_t i = 0; i < arcs_entry_count(table) + ARCS_NEAR; i++) {
		struct arc_entry *entry = &table->entries[i];
		uint64_t count = atomic_load_explicit(&entry->count,
						      memory_order_acquire);

		/* what is in an empty one is a stray, which claim() takes off */
		table->before[i] = atomic_load_explicit(&entry->key,
							memory_order_relaxed)
					   ? count
					   : 0;
	}
}

uint64_t arcs_take(struct arc_table *table, uintptr_t frompc, uintptr_t selfpc)
{
	uint64_t count = arcs_read(table, frompc, selfpc);
	struct arc_entry *entry = entry_find(table, arcs_key(frompc, selfpc));

	if (count)
		table->before[entry - table->entries] += count;
	return count;
}

void arcs_zero(struct arc_table *table, uintptr_t frompc, uintptr_t selfpc)
{
	uint64_t key = arcs_key(frompc, selfpc);
	struct arc_entry *entry = entry_find(table, key);

	if (entry->key == key)
		entry->count = 0;
}

/* A place in the log that names the arc, or null when there is none left. */
static struct arc *log_add(struct arc_table *table, uintptr_t frompc,
			   uintptr_t selfpc)
{
	struct arc *arc;
	uint32_t place;

	if (table->arc_count >= table->arc_max)
		return NULL;
	place = atomic_fetch_add_explicit(&table->arc_count, 1,
					  memory_order_relaxed);
	if (place >= table->arc_max)
		return NULL;
	arc = &table->log[place];
	arc->frompc = frompc;
	__atomic_store_n(&arc->selfpc, selfpc, __ATOMIC_RELEASE);
	return arc;
}

/*
 * Take an empty entry for the key; false if it is taken.  Its count is 0, but
 * where a stub was interrupted before its addition, by a handler that forked:
 * in the child it then added to an entry that had been wiped.
 */
static bool claim(struct arc_entry *entry, uint64_t key)
{
	uint64_t stray =
		atomic_load_explicit(&entry->count, memory_order_relaxed);
	uint64_t empty = 0;

	/* release: who sees the key sees the log */
	if (!atomic_compare_exchange_strong_explicit(&entry->key, &empty, key,
						     memory_order_release,
						     memory_order_relaxed))
		return false;
	if (stray)
		atomic_fetch_sub_explicit(&entry->count, stray,
					  memory_order_relaxed);
	return true;
}

_Atomic uint64_t *arcs_enter(struct arc_table *table, uintptr_t frompc,
			     uintptr_t selfpc)
{
	uint64_t key = arcs_key(frompc, selfpc);
	struct arc *arc = NULL;
	struct arc_entry *entry;

	do {
		entry = entry_find(table, key);
		if (atomic_load_explicit(&entry->key, memory_order_relaxed) ==
		    key) {
			if (arc) /* a handler came first with the same arc */
				__atomic_store_n(&arc->selfpc, 0,
						 __ATOMIC_RELAXED);
			return &entry->count;
		}
		if (!arc && !(arc = log_add(table, frompc, selfpc)))
			return NULL;
	} while (!claim(entry, key) || entry_find(table, key) != entry);
	/*
	 * Where a handler forked, this is the child, and everything before was
	 * wiped: the key may have come behind an empty entry, where nobody
	 * looks (so above it is entered again), and the log may be empty.
	 */
	if ((__atomic_load_n(&arc->selfpc, __ATOMIC_RELAXED) != selfpc ||
	     __atomic_load_n(&arc->frompc, __ATOMIC_RELAXED) != frompc) &&
	    !log_add(table, frompc, selfpc))
		return NULL;
	return &entry->count;
}
