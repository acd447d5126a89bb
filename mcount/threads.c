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
 * keep their timers until their tables are claimed; crt/musl.c
 * brings it where no library asks such a thing.
 */
#pragma weak pthread_key_create

static pthread_key_t end_key;
static bool has_end_key;
static void (*call_ending)(struct thread_table *table);

/* Destructors behind this one may still count in the table. */
static void thread_ends(void *table)
{
	call_ending(table);
	((struct thread_table *)table)->stage = THREAD_ENDING;
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

static struct arc_table *arcs_add_table(uint32_t entry_count,
					struct arc_table *older)
{
	struct arc_table *arcs = keep(sizeof *arcs);
	void *counts = NULL;

	if (arcs)
		counts = pages_map(arcs_counts_size(entry_count), PAGES_COUNTS);
	if (!counts)
		return NULL;
	arcs_lay_out(arcs, counts, entry_count, older);
	return arcs;
}

static struct thread_table *table_make(struct threads *threads, int tid)
{
	struct thread_table *table = keep(sizeof *table);
	struct thread_table *next;

	if (!table)
		return NULL;
	table->arcs = arcs_add_table(FIRST_ENTRY_COUNT, NULL);
	if (!table->arcs)
		return NULL;
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
		int stage = table->stage;

		if (stage == THREAD_CLAIMED ||
		    (stage == THREAD_LIVING && !thorough))
			continue;
		if (is_gone(pid, table->owner) &&
		    atomic_compare_exchange_strong(&table->stage, &stage,
						   THREAD_CLAIMED))
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

	while (table && (table->owner != tid || table->stage == THREAD_CLAIMED))
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
	table->stage = THREAD_LIVING;
	if (has_end_key)
		pthread_setspecific(end_key, table);
}

/* One made for this thread by another one, or left by a dead namesake. */
static struct thread_table *table_of(struct threads *threads, int tid)
{
	struct thread_table *table = threads_find(threads, tid);
	int stage;

	if (!table)
		return NULL;
	stage = table->stage;
	return stage != THREAD_CLAIMED &&
			       atomic_compare_exchange_strong(
				       &table->stage, &stage, THREAD_CLAIMED)
		       ? table
		       : NULL;
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
		table->stage = THREAD_LIVING;
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
		table->stage = THREAD_ENDING;
	}
	table = threads_mine.table;
	if (table) {
		table->owner = kernel_gettid();
		table->stage = THREAD_LIVING;
	}
}
