/* SPDX-License-Identifier: 0BSD */
/*
 * The perf engine: the kernel itself takes the samples, on a high-resolution
 * timer of the thread's CPU time, and puts them into a ring that each thread
 * shares with it.  No signal comes with a sample: the kernel's own
 * notification would send one with each, so a timer of the thread does, ten
 * times a second or when half a ring is full, and all rings are emptied.
 *
 * The descriptor is closed as soon as the ring is mapped.  The mapping keeps
 * the event alive; it is not inherited by fork and gone with exec.
 */
#include "gmon/kernel.h"
#include "gmon/state.h"
#include "gmon/warn.h"
#include "profil/engine.h"

#include <linux/perf_event.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

/* 2048 samples: 0.2 s at 10 kHz. */
enum { RING_SIZE = 32768, SAMPLE_SIZE = 16 };

static _Atomic bool is_refused; /* said once; threads get timers */

/* perf's first page, then the ring; both in one mapping. */
static size_t page_size(void)
{
	return getauxval(AT_PAGESZ);
}

static size_t ring_size(void)
{
	return page_size() > RING_SIZE ? page_size() : RING_SIZE;
}

/* Half a ring; but who looks at the bins of profil() wants to see them move. */
int64_t perf_drain_period(void)
{
	int64_t half = sampler.period * (int64_t)(ring_size() / SAMPLE_SIZE / 2);
	int64_t soon = sampler.period > NS_PER_S / 10 ? sampler.period
						       : NS_PER_S / 10;

	return half < soon ? half : soon;
}

static int event_open(int tid)
{
	struct perf_event_attr event;

	memset(&event, 0, sizeof event);
	event.type = PERF_TYPE_SOFTWARE;
	event.size = sizeof event;
	event.config = PERF_COUNT_SW_TASK_CLOCK;
	event.sample_period = (uint64_t)sampler.period;
	event.sample_type = PERF_SAMPLE_IP;
	event.exclude_kernel = 1;
	event.exclude_hv = 1;
	return (int)kernel(SYS_perf_event_open, &event, tid, -1, -1,
			   PERF_FLAG_FD_CLOEXEC);
}

/* The address, or a negative errno. */
static long event_map(int event)
{
	return KERNEL_MMAP(0UL, page_size() + ring_size(),
			   PROT_READ | PROT_WRITE, (unsigned long)MAP_SHARED,
			   (unsigned long)event, 0UL);
}

static void say_refused(int error)
{
	if (!atomic_exchange(&is_refused, true))
		warn("engine=perf: the kernel refused a ring: %e; timers "
		     "sample instead", error);
}

bool perf_attach(struct thread_table *table)
{
	int event = event_open(table->owner);
	long ring = event;

	if (event >= 0) {
		ring = event_map(event);
		kernel(SYS_close, event);
	}
	if (ring < 0 && ring > -4096) {
		say_refused((int)-ring);
		return false;
	}
	table->ticks.ring = (void *)ring;
	return true;
}

/* A record of the ring, whose 8-byte words may wrap round its end. */
static uint64_t word_at(const struct perf_event_mmap_page *page, uint64_t at)
{
	const char *data = (const char *)page + page_size();
	uint64_t word;

	memcpy(&word, data + (at & (ring_size() - 1)), sizeof word);
	return word;
}

/* Between head and tail everything is ours; then the kernel may have it. */
static void ring_drain(struct thread_ticks *ticks)
{
	struct perf_event_mmap_page *page = ticks->ring;
	/* on a page, so aligned even where a uint64_t need not be */
	_Atomic uint64_t *const tail = (void *)&page->data_tail;
	uint64_t head = atomic_load_explicit(
		(_Atomic uint64_t *)(void *)&page->data_head,
		memory_order_acquire);
	uint64_t at = page->data_tail;

	while (at < head) {
		uint64_t first = word_at(page, at);
		struct perf_event_header header;

		memcpy(&header, &first, sizeof header);
		if (header.type == PERF_RECORD_SAMPLE)
			sampler_deliver(ticks, (uintptr_t)word_at(page, at + 8),
					1);
		else if (header.type == PERF_RECORD_LOST)
			ticks->held += word_at(page, at + 16);
		if (!header.size)
			break;
		at += header.size;
	}
	atomic_store_explicit(tail, head, memory_order_release);
}

/*
 * One thread at a time empties a ring; another one that comes leaves it to
 * that.  Signals are blocked.
 */
static void try_drain(struct thread_table *table)
{
	struct thread_ticks *ticks = &table->ticks;

	if (!ticks->ring || atomic_exchange(&ticks->ring_busy, true))
		return;
	if (ticks->ring)
		ring_drain(ticks);
	ticks->ring_busy = false;
}

void perf_drain(void)
{
	struct thread_table *table = state.threads.newest;
	struct kernel_sigset signals;

	kernel_block_signals(&signals);
	for (; table; table = table->next)
		try_drain(table);
	kernel_restore_signals(&signals);
}

void perf_visit(struct thread_table *table)
{
	struct kernel_sigset signals;

	if (!table->ticks.ring)
		return;
	kernel_block_signals(&signals);
	try_drain(table);
	kernel_restore_signals(&signals);
}

void perf_detach(struct thread_table *table)
{
	struct thread_ticks *ticks = &table->ticks;
	struct kernel_sigset signals;

	if (!ticks->ring)
		return;
	kernel_block_signals(&signals);
	while (atomic_exchange(&ticks->ring_busy, true))
		kernel(SYS_sched_yield);
	if (ticks->ring) {
		ring_drain(ticks);
		kernel(SYS_munmap, ticks->ring, page_size() + ring_size());
		ticks->ring = NULL;
	}
	ticks->ring_busy = false;
	kernel_restore_signals(&signals);
}
