/* SPDX-License-Identifier: 0BSD */
/*
 * The perf engine: the kernel itself takes the samples, on a high-resolution
 * timer of the thread's CPU time, and puts them into a ring that each thread
 * shares with it.  No signal comes with a sample: when a ring is half full,
 * one wakes its thread, which is running anyway, and all rings are emptied.
 *
 * The descriptor is closed as soon as the ring is mapped.  The mapping keeps
 * the event, and its asynchronous notification, alive; it is not inherited by
 * fork and gone with exec.
 */
#include "gmon/kernel.h"
#include "gmon/state.h"
#include "gmon/warn.h"
#include "profil/engine.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

/* A sample is 16 bytes: 2048 of them, which is 0.2 s at 10 kHz. */
enum { RING_SIZE = 32768 };

/* struct f_owner_ex of fcntl(2) */
struct owner {
	int type;
	int pid;
};
#define OWNER_IS_THREAD 0

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
	event.watermark = 1;
	event.wakeup_watermark = (uint32_t)ring_size() / 2;
	return (int)kernel(SYS_perf_event_open, &event, tid, -1, -1,
			   PERF_FLAG_FD_CLOEXEC);
}

/* Let the wake-up be our signal, for the thread that is sampled. */
static bool event_notify(int event, int tid)
{
	struct owner owner = {OWNER_IS_THREAD, tid};

	return kernel(SYS_fcntl, event, F_SETSIG, sampler.signal) >= 0 &&
	       kernel(SYS_fcntl, event, F_SETOWN_EX, &owner) >= 0 &&
	       kernel(SYS_fcntl, event, F_SETFL, O_ASYNC | O_NONBLOCK) >= 0;
}

static void *event_map(int event)
{
	return kernel_map(page_size() + ring_size(), MAP_SHARED, event);
}

static void say_refused(int error)
{
	if (!atomic_exchange(&is_refused, true))
		warn("engine=perf: perf_event_open: %e; the timer engine "
		     "samples instead", error);
}

bool perf_attach(struct thread_table *table)
{
	void *ring = NULL;
	int event = event_open(table->owner);

	if (event < 0) {
		say_refused(-event);
		return false;
	}
	if (event_notify(event, table->owner))
		ring = event_map(event);
	kernel(SYS_close, event);
	if (!ring) {
		say_refused(ENOMEM);
		return false;
	}
	table->ticks.ring = ring;
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
	uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
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
	__atomic_store_n(&page->data_tail, head, __ATOMIC_RELEASE);
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

/* Asynchronous notification says POLL_IN, and nothing of whose it is. */
bool perf_tick(const siginfo_t *info)
{
	if (!sampler.perf || (info->si_code != POLL_IN &&
			      info->si_code != POLL_HUP))
		return false;
	perf_drain();
	return true;
}
