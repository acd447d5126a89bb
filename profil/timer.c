/* SPDX-License-Identifier: 0BSD */
/*
 * The timer engine: a CPU-time timer for each thread, whose signal goes to
 * that thread.
 *
 * CPU timers expire on the kernel's own tick only (250 a second here), however
 * short their period is; the overrun says how many periods a signal stands
 * for, so totals are right at any rate.  They do not survive exec, are not
 * inherited by fork, never wake a thread that sleeps, and leave ITIMER_PROF
 * and SIGPROF to the program.
 */
#include "gmon/kernel.h"
#include "gmon/state.h"
#include "pc.h"
#include "profil/clocks.h"
#include "profil/engine.h"

#include <time.h>

/* What our timers carry, so that nobody else's signal is taken for a tick. */
static char thread_cookie, ring_cookie;

static int64_t kernel_tick;	 /* ns between two ticks of the kernel */
static _Atomic uint32_t phase;	 /* how many timers were made */
static _Atomic bool is_fresh;	 /* a timer waits to be set going */
static _Atomic bool is_applying; /* somebody lets timers go or stand */

static int clock_of(const struct thread_table *table)
{
	return sampler.wall ? CLOCK_MONOTONIC : CLOCK_OF_THREAD(table->owner);
}

static int64_t period_of(const struct thread_table *table)
{
	return table->ticks.ring ? perf_drain_period() : sampler.period;
}

/*
 * Go on from where ticks_stop stopped.  A tick that was due then would come
 * right now, and find us: it is owed, and comes with the next one.
 */
static void ticks_go(struct thread_table *table)
{
	struct thread_ticks *ticks = &table->ticks;
	int64_t period = period_of(table);

	if (atomic_exchange(&ticks->going, true))
		return;
	if (ticks->next <= 0) {
		uint32_t due = (uint32_t)(-ticks->next / period) + 1;

		ticks->owed += due;
		ticks->next += due * period;
	}
	ticks->next += clock_now(clock_of(table));
	clock_timer_arm(ticks->timer_id, ticks->next, period_of(table));
}

/*
 * Stop a thread's timer and keep what is left to its next tick; less than
 * nothing if that was due while on, and no tick of the kernel has seen it yet.
 */
static void ticks_stop(struct thread_table *table)
{
	struct thread_ticks *ticks = &table->ticks;

	if (!atomic_exchange(&ticks->going, false))
		return;
	clock_timer_stop(ticks->timer_id);
	ticks->next -= clock_now(clock_of(table));
}

static void apply_once(void)
{
	struct thread_table *table = state.threads.newest;
	bool was = sampler.running;

	sampler.running = sampler_is_wanted();
	if (was != sampler.running)
		process_set(sampler.running);
	for (; table; table = table->next) {
		if (!table->ticks.timed)
			continue;
		if (sampler.running)
			ticks_go(table);
		else
			ticks_stop(table);
	}
}

/*
 * Whoever comes while another thread is at it leaves the work to that one,
 * which looks again before it is done: nobody waits.
 */
void timer_apply_blocked(void)
{
	while (is_fresh || sampler_is_wanted() != sampler.running) {
		if (atomic_exchange(&is_applying, true))
			break;
		is_fresh = false;
		apply_once();
		is_applying = false;
	}
}

void timer_apply(void)
{
	struct kernel_sigset signals;

	kernel_block_signals(&signals);
	timer_apply_blocked();
	kernel_restore_signals(&signals);
}

/*
 * A thread's first tick comes after a part of a period that differs from
 * thread to thread and covers the period evenly (multiples of the golden
 * ratio), so that the sum over many short threads is right: each of them is
 * rounded up or down in turn.
 */
static int64_t first_tick(void)
{
	uint32_t part = UINT32_C(0x80000000) +
			atomic_fetch_add(&phase, 1) * UINT32_C(0x9e3779b9);

	return (int64_t)(((uint64_t)sampler.period * part) >> 32) + 1;
}

void timer_attach(struct thread_table *table)
{
	struct thread_ticks *ticks = &table->ticks;

	ticks->going = false;
	ticks->owed = 0;
	ticks->pc = 0;
	ticks->last = clock_elapsed();
	ticks->next = first_tick();
	if (clock_timer_make(clock_of(table), table->owner, sampler.signal,
			     ticks->ring ? &ring_cookie : &thread_cookie,
			     &ticks->timer_id))
		ticks->timed = true;
	else if (clock_now(CLOCK_OF_THREAD(table->owner))) /* it is alive */
		process_refused();
	is_fresh = true;
}

/*
 * Was the signal held back, so that it says nothing about where the time of
 * `weight` periods went?  A thread that runs is seen by the next tick of the
 * kernel, so what two of those explain is in order.  More can come together
 * where threads share a CPU: they change places between the kernel's ticks (of
 * 4 ms), and can do so in step with them (each 1.4 ms), so that one of them is
 * off the CPU at fifty in a row.  But not one that has four fifths of the
 * time, since what is left between two ticks is too short for others; and not
 * one that is seen on its way out of the call that unblocks signals.
 */
static bool was_held(struct thread_table *table, uint32_t weight,
		     const ucontext_t *context)
{
	struct thread_ticks *ticks = &table->ticks;
	int64_t had = (int64_t)(weight - 1) * sampler.period;
	int64_t now = clock_elapsed();
	int64_t elapsed = now - ticks->last;
	int64_t used;

	ticks->last = now;
	if (had <= 2 * kernel_tick || weight == 2 || sampler.wall)
		return false;
	if (context && pc_is_after_sigprocmask(context))
		return true;
	/* the last tick was seen up to a tick of the kernel after it was due */
	used = clock_now(clock_of(table)) - (ticks->next - sampler.period);
	return elapsed - kernel_tick <= used / 4 * 5;
}

/*
 * Ticks of a thread that ends, due since the kernel's last tick that saw it,
 * are where it was last: without them, short threads would have little time.
 */
static void last_ticks(struct thread_table *table)
{
	struct thread_ticks *ticks = &table->ticks;
	int64_t late = clock_now(clock_of(table)) - ticks->next;
	uint32_t weight = 1 + (uint32_t)(late / sampler.period);

	if (late < 0 || !ticks->pc || !ticks->going || !sampler.running ||
	    table->owner != kernel_gettid())
		return;
	if (was_held(table, weight, NULL))
		ticks->held += weight;
	else
		sampler_deliver(ticks, ticks->pc, weight);
}

void timer_detach(struct thread_table *table)
{
	if (!atomic_exchange(&table->ticks.timed, false))
		return;
	kernel(SYS_timer_delete, table->ticks.timer_id);
	last_ticks(table);
}

/* Ticks of time that was spent while on, delivered while off, are owed. */
static void tick_of_thread(uint32_t weight, const ucontext_t *context)
{
	struct thread_table *table = sampler_my_table();
	struct thread_ticks *ticks = &table->ticks;
	bool held;

	if (!table)
		return;
	held = sampler.running && was_held(table, weight, context);
	ticks->next += (int64_t)weight * sampler.period;
	ticks->pc = pc_of(context);
	if (!sampler.running) {
		ticks->owed += weight;
		return;
	}
	process_look(weight);
	if (held) {
		ticks->held += weight;
	} else {
		sampler_deliver(ticks, ticks->pc, weight + ticks->owed);
		ticks->owed = 0;
	}
}

/* Samples fill half a ring by now, at most. */
static void tick_of_ring(uint32_t weight)
{
	struct thread_table *table = sampler_my_table();
	int64_t passed = (int64_t)weight * perf_drain_period();

	if (table)
		table->ticks.next += passed;
	perf_drain();
	if (sampler.running)
		process_look((uint32_t)(passed / sampler.period));
}

bool timer_tick(const siginfo_t *info, const ucontext_t *context)
{
	const void *cookie = info->si_value.sival_ptr;
	uint32_t weight = 1 + (uint32_t)info->si_overrun;

	if (info->si_code != SI_TIMER)
		return false;
	if (cookie == &thread_cookie)
		tick_of_thread(weight, context);
	else if (cookie == &ring_cookie)
		tick_of_ring(weight);
	else
		return process_tick(cookie, weight, pc_of(context));
	return true;
}

void timer_start(void)
{
	kernel_tick = clock_kernel_tick();
}

void timer_fork(void)
{
	is_applying = false;
	sampler.running = false;
	process_fork();
	timer_apply();
}

uint32_t timer_rate_max(void)
{
	return (uint32_t)(NS_PER_S / kernel_tick);
}
