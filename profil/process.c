/* SPDX-License-Identifier: 0BSD */
/*
 * Timers on the clock of the whole process: they find threads that have no
 * timer of their own, stand in for timers that the kernel refused, and call
 * for snapshots (every=).
 */
#include "gmon/kernel.h"
#include "gmon/state.h"
#include "profil/clocks.h"
#include "profil/engine.h"

#include <time.h>

static char process_cookie, every_cookie;

static int process_timer;
static bool has_process_timer;
static _Atomic bool was_refused; /* a thread got no timer */

/*
 * How threads without a timer are found: by the ticks of the others, after
 * each second of them, and sooner as long as somebody is found; and by the
 * process timer when none of those came.  The signal of that one goes to
 * anybody who has not blocked it, and may wake who sleeps: it is only for the
 * case that no tick comes, and each time it finds nobody it waits twice as
 * long (that is so when a thread burns that has blocked all signals).
 */
#define PATIENCE_MIN (NS_PER_S / 4)
#define PATIENCE_MAX ((int64_t)NS_PER_S * 64)
static _Atomic bool is_watching; /* the process timer is armed */
static _Atomic int64_t patience = PATIENCE_MIN;
static _Atomic uint32_t look_after, since_look, since_watch; /* ticks */
static _Atomic bool has_found;

static uint32_t every_seconds;
static void (*every_function)(void);

/* After so much CPU time without a tick somebody burns who has no timer. */
static void watch(void)
{
	is_watching = true;
	clock_timer_arm(process_timer,
			clock_now(CLOCK_PROCESS_CPUTIME_ID) + patience, 0);
}

/*
 * The process timer watches; where the kernel refused timers to some threads,
 * it stands in for them.
 */
void process_set(bool go)
{
	if (!has_process_timer)
		has_process_timer =
			clock_timer_make(CLOCK_PROCESS_CPUTIME_ID, 0,
					 sampler.signal, &process_cookie,
					 &process_timer);
	if (!has_process_timer)
		return;
	if (!was_refused && go && !is_watching)
		watch();
	else if (was_refused && go)
		clock_timer_arm(process_timer,
				clock_now(CLOCK_PROCESS_CPUTIME_ID) +
					sampler.period,
				sampler.period);
	else if (was_refused)
		clock_timer_stop(process_timer);
}

void process_refused(void)
{
	if (atomic_exchange(&was_refused, true))
		return;
	process_set(sampler.running);
}

bool process_was_refused(void)
{
	return was_refused;
}

/* A thread that makes no counted call: sampled all the same. */
static void task_found(int tid)
{
	struct thread_table *table = threads_claim_for(
		&state.threads, state.identity->pid, tid);

	if (!table)
		return;
	has_found = true;
	sampler_begin(table);
}

void process_find_threads(void)
{
	struct kernel_sigset signals;

	kernel_block_signals(&signals);
	if (threads_claim_for_others(&state.threads)) {
		tasks_each(task_found);
		threads_claimed_for_others(&state.threads);
	}
	kernel_restore_signals(&signals);
	timer_apply();
}

/* True if there was somebody new. */
static bool look(void)
{
	uint32_t second = sampler.rate, first = second / 10 + 1;

	has_found = false;
	process_find_threads();
	since_look = 0;
	if (has_found) {
		look_after = first;
		patience = PATIENCE_MIN;
	} else {
		look_after = look_after ? 2 * look_after : first;
		if (look_after > second)
			look_after = second;
	}
	return has_found;
}

void process_look(uint32_t weight)
{
	/* twice in the shortest patience is enough to keep it from firing */
	uint32_t often = sampler.rate / 8 + 1;

	if (!was_refused &&
	    atomic_fetch_add(&since_watch, weight) + weight >= often) {
		since_watch = 0;
		watch();
	}
	if (atomic_fetch_add(&since_look, weight) + weight >= look_after)
		look();
}

static void tick_of_watch(void)
{
	is_watching = false;
	if (!sampler.running)
		return;
	perf_drain();
	if (!look())
		patience = 2 * patience < PATIENCE_MAX ? 2 * patience
						       : PATIENCE_MAX;
	watch();
}

/* In place of the timers that were refused. */
static void stand_in(uint32_t weight, uintptr_t pc)
{
	struct thread_table *table;

	if (!sampler.running)
		return;
	process_look(weight);
	table = sampler_my_table();
	if (table && table->ticks.ring)
		perf_drain();
	else if (table && !table->ticks.timed)
		sampler_deliver(&table->ticks, pc, weight);
}

bool process_tick(const void *cookie, uint32_t weight, uintptr_t pc)
{
	if (cookie == &process_cookie && was_refused)
		stand_in(weight, pc);
	else if (cookie == &process_cookie)
		tick_of_watch();
	else if (cookie == &every_cookie)
		every_function();
	else
		return false;
	return true;
}

static void every_begin(void)
{
	int64_t period = (int64_t)every_seconds * NS_PER_S;
	int timer;

	if (clock_timer_make(CLOCK_PROCESS_CPUTIME_ID, 0, sampler.signal,
			     &every_cookie, &timer))
		clock_timer_arm(timer,
				clock_now(CLOCK_PROCESS_CPUTIME_ID) + period,
				period);
}

void process_every(uint32_t seconds, void (*function)(void))
{
	every_seconds = seconds;
	every_function = function;
	every_begin();
}

void process_fork(void)
{
	has_process_timer = false;
	is_watching = false;
	patience = PATIENCE_MIN;
	look_after = 0;
	was_refused = false;
	if (every_seconds)
		every_begin();
}
