/* SPDX-License-Identifier: 0BSD */
/*
 * The slow path of a call: everything that the stub cannot do.  A known arc
 * costs about 2 ns in the stub; a new one costs about 40 ns here, a thread's
 * first call about 5 us (its table, its timer).
 */
#include "mcount/mcount.h"
#include "gmon/fatal.h"
#include "gmon/kernel.h"
#include "gmon/state.h"
#include "mcount/shared.h"
#include "mcount/threads.h"
#include "profil/sampler.h"

/* In a section of their own: a cache line that nobody else writes. */
#define HOT __attribute__((section(".data.mcount")))

HOT _Alignas(64) uintptr_t mcount_multiplier;
HOT uint8_t mcount_early = 1;

void mcount_start(void)
{
	if (mcount_multiplier)
		return;
	mcount_early = 0;
	shared_clear();
}

/*
 * Early ends when counting is turned off, not when it begins: a stub that has
 * seen it off before start, and looks only now, is counted.
 */
void mcount_turn(int on)
{
	__atomic_store_n(&mcount_multiplier, on ? ARCS_MULTIPLIER : 0,
			 __ATOMIC_RELAXED);
	if (!on)
		mcount_early = 0;
}

static void record_shared(uintptr_t frompc, uintptr_t selfpc)
{
	if (!shared_add(frompc, selfpc))
		state_lose_call();
}

/* Not started, just being started, or just switched off. */
static void record_early(uintptr_t frompc, uintptr_t selfpc)
{
	if (mcount_early)
		record_shared(frompc, selfpc);
}

/* While the kernel refuses memory, one call in so many asks for it again. */
enum { RETRY_CALLS = 256 };
static _Atomic uint32_t refused;

/*
 * A table for this thread, and its timer.  With all signals blocked, so that
 * no handler finds the half of it, and none leaves it by siglongjmp: a thread
 * that has its table comes here no more.
 */
static struct thread_table *attach(void)
{
	struct kernel_sigset signals;
	struct thread_table *table;

	if (state_is_borrowed()) /* vfork: this thread is its parent's */
		return NULL;
	if (refused && atomic_fetch_add(&refused, 1) % RETRY_CALLS)
		return NULL;
	kernel_block_signals(&signals);
	table = threads_claim(&state.threads, state.identity->pid,
			      kernel_gettid());
	if (table) {
		fatal_attach(&table->signal_stack);
		sampler_attach(table, &signals);
		refused = 0;
	} else {
		refused = 1;
	}
	kernel_restore_signals(&signals);
	return table;
}

static bool grow(struct thread_table *table, const struct arc_table *full)
{
	struct kernel_sigset signals;
	bool grown = true;

	kernel_block_signals(&signals);
	if (table->arcs == full) /* else a handler has just done it */
		grown = threads_grow(table);
	kernel_restore_signals(&signals);
	return grown;
}

/*
 * A program that blocked our signal is sampled again from here on.  Always
 * asking would cost three times a new arc; the first 64 times catch whatever
 * a thread does when it begins, every 64th time what it does later.
 */
static void visit_at_times(struct thread_table *table)
{
	if (table->entries_into_c++ < 64 || table->entries_into_c % 64 == 0)
		sampler_visit(table);
}

void mcount_attach(void)
{
	attach();
}

void mcount_record(uintptr_t frompc, uintptr_t selfpc)
{
	struct thread_table *table;
	_Atomic uint64_t *count = NULL;

	if (!mcount_multiplier && mcount_early)
		state_begin();
	if (!mcount_multiplier) {
		record_early(frompc, selfpc);
		return;
	}
	if (state_adopt()) {
		sampler_fork();
		attach();
	}
	table = threads_mine.table;
	if (!table)
		table = attach();
	if (!table) {
		record_shared(frompc, selfpc);
		return;
	}
	visit_at_times(table);
	do {
		struct arc_table *arcs = table->arcs;

		count = arcs_enter(arcs, frompc, selfpc);
		if (!count && !grow(table, arcs)) {
			record_shared(frompc, selfpc);
			return;
		}
	} while (!count);
	/* one writer, but its handlers interrupt: a single instruction */
	atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
}
