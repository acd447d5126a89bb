/* SPDX-License-Identifier: 0BSD */
/* Thread tables: whose they are, and when they change hands. */
#include "mcount/threads.h"
#include "gmon/kernel.h"
#include "gmon/pages.h"
#include "profil/sampler.h"

#include <pthread.h>

/* Never matches: no arc has key 0.  Every new thread begins to look here. */
static struct arc_entry nothing[1 + ARCS_NEAR];

THREADS_TLS struct threads_mine threads_mine = {.entries = nothing};

/*
 * A new table and its first arcs fit into one page: a thread of ten arcs
 * touches 4 KiB.  Its second arc table, of 1024 entries, is 20 KiB more.
 */
enum { FIRST_ENTRY_COUNT = 128, FIRST_SIZE = 4096 };

static pthread_key_t end_key;
static bool has_end_key;

/* Destructors behind this one may still count in the table. */
static void thread_ends(void *table)
{
	sampler_detach(table);
	((struct thread_table *)table)->stage = THREAD_ENDING;
}

/*
 * A key made before main is among the first, which both C libraries keep in
 * the thread itself: setting its value allocates nothing.
 */
void threads_start(void)
{
	has_end_key = pthread_key_create(&end_key, thread_ends) == 0;
}

static size_t table_size(void)
{
	return (sizeof(struct thread_table) + 63) & ~(size_t)63;
}

static struct thread_table *table_make(struct threads *threads, int tid)
{
	struct thread_table *table;
	struct thread_table *next;

	_Static_assert(sizeof(struct thread_table) <= 256, "fits with arcs");
	table = pages_map(FIRST_SIZE, PAGES_COUNTS);
	if (!table)
		return NULL;
	table->owner = tid;
	table->stage = THREAD_CLAIMED;
	table->arcs = arcs_make((char *)table + table_size(), FIRST_ENTRY_COUNT,
				NULL);
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

struct thread_table *threads_claim(struct threads *threads, int pid, int tid)
{
	struct thread_table *table = threads_mine.table;

	if (table)
		return table;
	table = threads_find(threads, tid);
	if (!table)
		table = table_take(threads, pid, tid);
	if (!table)
		return NULL;
	threads_mine.table = table;
	threads_mine.entries = table->arcs->entries;
	threads_mine.mask = table->arcs->mask;
	table->attached = true;
	table->stage = THREAD_LIVING;
	if (has_end_key)
		pthread_setspecific(end_key, table);
	return table;
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
	uint32_t entry_count = arcs_next_entry_count(
		old->mask / (uint32_t)sizeof(struct arc_entry) + 1);
	void *memory = pages_map(arcs_size(entry_count), PAGES_COUNTS);
	struct arc_table *new;

	if (!memory)
		return false;
	new = arcs_make(memory, entry_count, old);
	table->arcs = new;
	/* the stub reads the mask first, so it changes last */
	threads_mine.entries = new->entries;
	atomic_signal_fence(memory_order_seq_cst);
	threads_mine.mask = new->mask;
	return true;
}

void threads_detach(void)
{
	threads_mine.mask = 0;
	atomic_signal_fence(memory_order_seq_cst);
	threads_mine.entries = nothing;
	threads_mine.table = NULL;
}
