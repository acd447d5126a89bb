/* SPDX-License-Identifier: 0BSD */
/*
 * The arc table: how often each (frompc, selfpc) was taken.
 *
 * One thread writes; signal handlers of that thread may interrupt any
 * instruction of the writer and write too, or never come back to it
 * (siglongjmp).  Other threads may read at any time.  No lock, and nothing is
 * ever lost, because of three rules:
 *
 *   - An arc's two addresses are in the log before its key is in an entry, so
 *     no entry ever counts for an arc that nobody can name.
 *   - A key goes into an empty entry by compare-and-swap and stays.
 *   - A full table is succeeded by an empty, bigger one that links to it;
 *     nothing is moved, so a writer that was interrupted in the old table
 *     finishes there.  The arc's count is the sum over all of them.
 *
 * This file knows no globals and makes no memory.
 */
#ifndef GCRT_ARCS_H
#define GCRT_ARCS_H

#include <stdatomic.h>
#include <stdint.h>

#include <stddef.h>

/* What the stub touches: 16 bytes, so four share a cache line. */
struct arc_entry {
	_Atomic uint64_t key; /* 0: empty */
	_Atomic uint64_t count;
};

_Static_assert(sizeof(struct arc_entry) == 16 &&
		       offsetof(struct arc_entry, count) == 8,
	       "the stubs step from entry to entry");

struct arc {
	uintptr_t frompc;
	uintptr_t selfpc; /* 0: not yet logged */
};

struct arc_table {
	struct arc_table *older;   /* the one this one succeeded */
	struct arc_entry *entries; /* a power of two of them, and ARCS_NEAR; */
				   /* where the counts begin */
	struct arc *log;	   /* the addresses, in order of first call */
	_Atomic(uint64_t *) before; /* counts at the last reset, or null */
	uint32_t mask;		   /* (entries - 1) * sizeof(struct arc_entry) */
	uint32_t arc_max;	   /* room in the log */
	_Atomic uint32_t arc_count; /* log places taken; may pass arc_max */
};

/*
 * How many entries behind its bucket an arc is first sought in, by the stub
 * itself.  The table has as many more at its end, so nobody has to wrap.
 */
#define ARCS_NEAR 3

#if UINTPTR_MAX > UINT32_MAX
/*
 * The key is frompc * K + selfpc modulo 2^64.  By the continued fraction of
 * K / 2^64, |d * K mod 2^64| >= 2^32.5 for all 0 < |d| < 2^31: two arcs of
 * equal key differ in both addresses, so within a text of 2 GiB no two arcs
 * can have the same key; across images a clash needs a coincidence of 64
 * bits.  The low bits choose the bucket: callees of one call site keep their
 * order and their distance, callers of one callee are spread by K.
 */
#define ARCS_MULTIPLIER UINT64_C(0x9e3779b97f4a7c15)

static inline uint64_t arcs_key(uintptr_t frompc, uintptr_t selfpc)
{
	return frompc * ARCS_MULTIPLIER + selfpc;
}

static inline uint32_t arcs_hash(uint64_t key)
{
	return (uint32_t)key;
}
#else
/* Both addresses fit into the key; the hash is the same sum in 32 bits. */
#define ARCS_MULTIPLIER UINT32_C(0x9e3779b1)

static inline uint64_t arcs_key(uintptr_t frompc, uintptr_t selfpc)
{
	return (uint64_t)selfpc << 32 | frompc;
}

static inline uint32_t arcs_hash(uint64_t key)
{
	return (uint32_t)key * ARCS_MULTIPLIER + (uint32_t)(key >> 32);
}
#endif

/*
 * Bytes of counts, entries and log, that a table of entry_count (a power of
 * two, >= 64) needs; and the same with the struct before them.
 */
size_t arcs_counts_size(uint32_t entry_count);
size_t arcs_size(uint32_t entry_count);

/* How many entries the successor of a table of entry_count should have. */
uint32_t arcs_next_entry_count(uint32_t entry_count);

/*
 * Lay out an empty table whose counts are in arcs_counts_size(entry_count)
 * zeroed bytes at a multiple of 64, succeeding `older` (may be null).  The
 * table is not yet known to anybody.
 */
void arcs_lay_out(struct arc_table *table, void *counts, uint32_t entry_count,
		  struct arc_table *older);

/* The same in one piece of arcs_size(entry_count) bytes. */
struct arc_table *arcs_make(void *memory, uint32_t entry_count,
			    struct arc_table *older);

/* How many entries a table was laid out with. */
uint32_t arcs_entry_count(const struct arc_table *table);

/*
 * How often the arc was taken in this one table since the last arcs_reset.
 * Called from: anywhere.
 */
uint64_t arcs_read(const struct arc_table *table, uintptr_t frompc,
		   uintptr_t selfpc);

/* Soon arcs_read will be asked for this key. */
static inline void arcs_prefetch(const struct arc_table *table, uint64_t key)
{
	uint32_t place = (arcs_hash(key) & table->mask) /
			 (uint32_t)sizeof(struct arc_entry);

	__builtin_prefetch(&table->entries[place]);
}

/*
 * Let all counts start from zero again.  The owner may be counting, so its
 * counters stay as they are, and what they show now is kept in `before` for
 * subtraction: arcs_reset_size(table) zeroed bytes, set by the caller.
 * Called from: one thread at a time.
 */
size_t arcs_reset_size(const struct arc_table *table);
void arcs_reset(struct arc_table *table);

/*
 * What arcs_read says, after which that arc alone starts from zero again.
 * `before` must be set.  Called from: as arcs_reset.
 */
uint64_t arcs_take(struct arc_table *table, uintptr_t frompc,
		   uintptr_t selfpc);

/* Set the arc's count to 0.  For tables that nobody counts in. */
void arcs_zero(struct arc_table *table, uintptr_t frompc, uintptr_t selfpc);

/*
 * The counter of an arc, entered if new; null if this table is full.
 * Called from: the table's own thread and its signal handlers.
 */
_Atomic uint64_t *arcs_enter(struct arc_table *table, uintptr_t frompc,
			     uintptr_t selfpc);

/*
 * How many log places may be read.  A place whose selfpc is 0 was abandoned, is
 * being written, or was wiped by a fork: skip it.  An arc may stand in the log
 * twice when a handler entered it while its thread was about to; its count is
 * in one entry.
 */
static inline uint32_t arcs_logged(const struct arc_table *table)
{
	uint32_t count =
		atomic_load_explicit(&table->arc_count, memory_order_acquire);

	return count < table->arc_max ? count : table->arc_max;
}

#endif
