/* SPDX-License-Identifier: 0BSD */
/* Thread tables: whose they are, and when they change hands. */
#include "mcount/threads.h"
#include "gmon/kernel.h"
#include "gmon/pages.h"

#include <pthread.h>
#include <string.h>

/* Never matches: no arc has key 0.  Every new thread begins to look here. */
static struct arc_entry nothing[1 + ARCS_NEAR];

THREADS_TLS struct threads_mine threads_mine = {.entries = nothing};

/*
 * A thread of ten arcs touches the one page of its first counts; its second
 * arc table, of 1024 entries, is 20 KiB more.
 */
enum { FIRST_ENTRY_COUNT = 128 };

/*
 * Tables themselves stay where they are in a forked child, where their counts
 * are wiped: a call may have been interrupted by the fork, and goes on there.
 * They come out of pages that are shared by many.
 */
enum { BLOCK_SIZE = 4096 };
struct block {
	_Atomic size_t used;
	_Alignas(64) char memory[BLOCK_SIZE - 64];
};
static _Atomic(struct block *) block;

/*
 * Asked for weakly: gcc's own libraries (libgfortran, libgcc_eh) take its
 * presence in a static program for that of all thread functions, and call
 * those that are not there.  Where it is missing, threads end unannounced and
 * keep their timers until their tables are claimed; crt/musl.c brings it where
 * no library asks such a thing.
 */
#pragma weak pthread_key_create

static pthread_key_t end_key;
static bool has_end_key;
static void (*call_ending)(struct thread_table *table);

static unsigned stage_of(unsigned word)
{
	return word & THREAD_STAGES;
}

/* Called by: the owner, or who has claimed the table. */
static void stage_set(struct thread_table *table, enum thread_stage stage)
{
	table->stage = (table->stage & ~(unsigned)THREAD_STAGES) | stage;
}

/*
 * Claim a table of which `seen` was read before anything else; false if it has
 * changed hands since.  The stage alone does not tell: another thread may have
 * claimed it, and be in the same stage by now.
 */
static bool claim(struct thread_table *table, unsigned seen)
{
	return atomic_compare_exchange_strong(
		&table->stage, &seen,
		(seen | THREAD_CLAIMED) + THREAD_STAGES + 1);
}

/* Destructors behind this one may still count in the table. */
static void thread_ends(void *table)
{
	call_ending(table);
	stage_set(table, THREAD_ENDING);
}

/*
 * A key made before main is among the first, which both C libraries keep in
 * the thread itself: setting its value allocates nothing.
 */
void threads_start(void (*ending)(struct thread_table *table))
{
	call_ending = ending;
	has_end_key = pthread_key_create &&
		      pthread_key_create(&end_key, thread_ends) == 0;
}

/* Zeroed memory that is never given back, or null. */
static void *keep(size_t size)
{
	struct block *old = atomic_load(&block), *new;
	size_t at;

	size = (size + 63) & ~(size_t)63;
	for (;;) {
		at = old ? atomic_fetch_add(&old->used, size) : BLOCK_SIZE;
		if (at + size <= sizeof old->memory)
			return old->memory + at;
		new = pages_map(BLOCK_SIZE, PAGES_KEPT);
		if (!new)
			return NULL;
		if (atomic_compare_exchange_strong(&block, &old, new))
			old = new;
		else
			pages_unmap(new, BLOCK_SIZE);
	}
}

/* What is kept is never given back: it comes last, when nothing can fail. */
static struct arc_table *arcs_add_table(uint32_t entry_count,
					struct arc_table *older)
{
	size_t size = arcs_counts_size(entry_count);
	void *counts = pages_map(size, PAGES_COUNTS);
	struct arc_table *arcs = counts ? keep(sizeof *arcs) : NULL;

	if (arcs)
		arcs_lay_out(arcs, counts, entry_count, older);
	else if (counts)
		pages_unmap(counts, size);
	return arcs;
}

static struct thread_table *table_make(struct threads *threads, int tid)
{
	struct arc_table *arcs = arcs_add_table(FIRST_ENTRY_COUNT, NULL);
	struct thread_table *table = arcs ? keep(sizeof *table) : NULL;
	struct thread_table *next;

	if (!table) {
		if (arcs)
			pages_unmap(arcs->entries,
				    arcs_counts_size(FIRST_ENTRY_COUNT));
		return NULL;
	}
	table->arcs = arcs;
	table->owner = tid;
	table->stage = THREAD_CLAIMED;
	next = atomic_load(&threads->newest);
	do
		table->next = next;
	while (!atomic_compare_exchange_weak(&threads->newest, &next, table));
	return table;
}

static bool is_gone(int pid, int tid)
{
	return kernel(SYS_tgkill, pid, tid, 0) == -ESRCH;
}

/*
 * A table whose owner the kernel no longer knows.  Those that said goodbye
 * are asked about first; threads that ended without destructors are looked
 * for when `thorough`.
 */
static struct thread_table *table_reuse(struct threads *threads, int pid,
					bool thorough)
{
	struct thread_table *table = atomic_load(&threads->newest);

	for (; table; table = table->next) {
		unsigned seen = table->stage, stage = stage_of(seen);

		if (stage == THREAD_CLAIMED ||
		    (stage == THREAD_LIVING && !thorough))
			continue;
		if (is_gone(pid, table->owner) && claim(table, seen))
			return table;
	}
	return NULL;
}

static uint32_t table_count(struct threads *threads)
{
	struct thread_table *table = atomic_load(&threads->newest);
	uint32_t count = 0;

	for (; table; table = table->next)
		count++;
	return count;
}

struct thread_table *threads_find(struct threads *threads, int tid)
{
	struct thread_table *table = atomic_load(&threads->newest);

	while (table && (table->owner != tid ||
			 stage_of(table->stage) == THREAD_CLAIMED))
		table = table->next;
	return table;
}

static struct thread_table *table_take(struct threads *threads, int pid,
				       int tid)
{
	/* asking after every living owner is dear: once in 16 new tables */
	bool thorough = table_count(threads) % 16 == 15;
	struct thread_table *table = table_reuse(threads, pid, thorough);

	if (!table)
		return table_make(threads, tid);
	table->owner = tid;
	table->attached = false;
	return table;
}

/*
 * Threads claim tables beside one another.  Only who claims for others keeps
 * them all out for the moment, lest a thread get a second table: it gives up
 * if any is at it, so that nobody ever waits for more than a few claims.
 */
static void claims_begin(struct threads *threads)
{
	for (;;) {
		atomic_fetch_add(&threads->claims, 1);
		if (!atomic_load(&threads->claiming_for_others))
			return;
		atomic_fetch_sub(&threads->claims, 1);
		kernel(SYS_sched_yield);
	}
}

static void attach(struct thread_table *table)
{
	struct arc_table *arcs = table->arcs;

	threads_mine.table = table;
	threads_mine.entries = arcs->entries;
	threads_mine.mask = arcs->mask;
	table->attached = true;
	stage_set(table, THREAD_LIVING);
	if (has_end_key)
		pthread_setspecific(end_key, table);
}

/* One made for this thread by another one, or left by a dead namesake. */
static struct thread_table *table_of(struct threads *threads, int tid)
{
	struct thread_table *table = threads_find(threads, tid);
	unsigned seen;

	if (!table)
		return NULL;
	seen = table->stage;
	if (stage_of(seen) == THREAD_CLAIMED || table->owner != tid ||
	    !claim(table, seen))
		return NULL;
	return table;
}

struct thread_table *threads_claim(struct threads *threads, int pid, int tid)
{
	struct thread_table *table = threads_mine.table;

	if (table)
		return table;
	claims_begin(threads);
	table = table_of(threads, tid);
	if (!table)
		table = table_take(threads, pid, tid);
	if (table)
		attach(table);
	atomic_fetch_sub(&threads->claims, 1);
	return table;
}

bool threads_claim_for_others(struct threads *threads)
{
	if (atomic_exchange(&threads->claiming_for_others, true))
		return false;
	if (!atomic_load(&threads->claims))
		return true;
	atomic_store(&threads->claiming_for_others, false);
	return false;
}

void threads_claimed_for_others(struct threads *threads)
{
	atomic_store(&threads->claiming_for_others, false);
}

struct thread_table *threads_claim_for(struct threads *threads, int pid,
				       int tid)
{
	struct thread_table *table;

	if (threads_find(threads, tid))
		return NULL;
	table = table_take(threads, pid, tid);
	if (table)
		stage_set(table, THREAD_LIVING);
	return table;
}

bool threads_grow(struct thread_table *table)
{
	struct arc_table *old = table->arcs;
	struct arc_table *new = arcs_add_table(
		arcs_next_entry_count(arcs_entry_count(old)), old);

	if (!new)
		return false;
	table->arcs = new;
	/* the stub reads the mask first, so it changes last */
	threads_mine.entries = new->entries;
	atomic_signal_fence(memory_order_seq_cst);
	threads_mine.mask = new->mask;
	return true;
}

/*
 * The kernel has done so where it knows how.  The places of the log that were
 * taken stay taken: a call that the fork interrupted may be about to write one.
 */
static void wipe(struct arc_table *arcs)
{
	pages_clear(arcs->entries, arcs_counts_size(arcs_entry_count(arcs)));
	if (arcs->before)
		pages_clear(arcs->before, arcs_reset_size(arcs));
}

void threads_fork(struct threads *threads, bool keep_counts)
{
	struct thread_table *table = threads->newest;

	threads->claims = 0;
	threads->claiming_for_others = false;
	for (; table; table = table->next) {
		if (!keep_counts) {
			for (struct arc_table *arcs = table->arcs; arcs;
			     arcs = arcs->older)
				wipe(arcs);
			memset(&table->ticks, 0, sizeof table->ticks);
		}
		table->ticks.timed = false;
		table->ticks.ring = NULL;
		table->ticks.ring_busy = false;
		stage_set(table, THREAD_ENDING);
	}
	table = threads_mine.table;
	if (table) {
		table->owner = kernel_gettid();
		stage_set(table, THREAD_LIVING);
	}
}
