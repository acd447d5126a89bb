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
#include "profil/engine.h"

#include <string.h>
#include <time.h>

/* A timer_create clock: another thread's CPU clock (linux/posix-timers.h). */
#define CLOCK_OF_THREAD(tid) ((int)(~(unsigned)(tid) << 3 | 6))

/* struct itimerspec of the system calls, in which time_t is a long. */
struct kernel_itimerspec {
	struct {
		long tv_sec, tv_nsec;
	} it_interval, it_value;
};

/* struct sigevent of the system calls: 64 bytes. */
struct kernel_sigevent {
	union sigval value;
	int signal;
	int notify;
	int tid;
	int unused[(64 - sizeof(union sigval)) / sizeof(int) - 3];
};

/* What our timers carry, so that nobody else's signal is taken for a tick. */
static char thread_cookie, ring_cookie, process_cookie, every_cookie;

static int64_t kernel_tick;	 /* ns between two ticks of the kernel */
static _Atomic uint32_t phase;	 /* how many timers were made */
static _Atomic bool was_refused; /* a thread got no timer */
static _Atomic bool is_fresh;	 /* a timer waits to be set going */
static _Atomic bool is_applying; /* somebody lets timers go or stand */
static int process_timer;
static bool has_process_timer;

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

static int clock_of(const struct thread_table *table)
{
	return sampler.wall ? CLOCK_MONOTONIC : CLOCK_OF_THREAD(table->owner);
}

static int64_t clock_now(int clock)
{
	struct {
		long tv_sec, tv_nsec;
	} now;

	if (kernel(SYS_clock_gettime, clock, &now) != 0)
		return 0;
	return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

/* Through the C library, which need not enter the kernel for it. */
static int64_t elapsed_now(void)
{
	struct timespec now;

	if (clock_gettime(CLOCK_MONOTONIC, &now) != 0)
		return 0;
	return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

/* A timer on this clock for thread `tid`, or for the process if 0. */
static bool timer_make(int clock, int tid, void *cookie, int *timer)
{
	struct kernel_sigevent event;

	memset(&event, 0, sizeof event);
	event.value.sival_ptr = cookie;
	event.signal = sampler.signal;
	event.notify = tid ? 4 /* SIGEV_THREAD_ID */ : SIGEV_SIGNAL;
	event.tid = tid;
	return kernel(SYS_timer_create, clock, &event, timer) == 0;
}

/* Let the timer expire at `next` on its clock, and each period after it. */
static void timer_arm(int timer, int64_t next, int64_t period)
{
	struct kernel_itimerspec time;

	if (next <= 0)
		next = 1; /* 0 would mean: never */
	time.it_interval.tv_sec = (long)(period / NS_PER_S);
	time.it_interval.tv_nsec = (long)(period % NS_PER_S);
	time.it_value.tv_sec = (long)(next / NS_PER_S);
	time.it_value.tv_nsec = (long)(next % NS_PER_S);
	kernel(SYS_timer_settime, timer, TIMER_ABSTIME, &time, NULL);
}

static void timer_stop(int timer)
{
	struct kernel_itimerspec never;

	memset(&never, 0, sizeof never);
	kernel(SYS_timer_settime, timer, 0, &never, NULL);
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
	timer_arm(ticks->timer_id, ticks->next, period_of(table));
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
	timer_stop(ticks->timer_id);
	ticks->next -= clock_now(clock_of(table));
}

/* After so much CPU time without a tick somebody burns who has no timer. */
static void watch(void)
{
	is_watching = true;
	timer_arm(process_timer, clock_now(CLOCK_PROCESS_CPUTIME_ID) + patience,
		  0);
}

/*
 * The process timer watches; where the kernel refused timers to some threads,
 * it stands in for them.
 */
static void process_timer_set(bool go)
{
	if (!has_process_timer)
		has_process_timer =
			timer_make(CLOCK_PROCESS_CPUTIME_ID, 0, &process_cookie,
				   &process_timer);
	if (!has_process_timer)
		return;
	if (!was_refused && go && !is_watching)
		watch();
	else if (was_refused && go)
		timer_arm(process_timer,
			  clock_now(CLOCK_PROCESS_CPUTIME_ID) + sampler.period,
			  sampler.period);
	else if (was_refused)
		timer_stop(process_timer);
}

static void apply_once(void)
{
	struct thread_table *table = state.threads.newest;
	bool was = sampler.running;

	sampler.running = sampler_is_wanted();
	if (was != sampler.running)
		process_timer_set(sampler.running);
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
	ticks->last = elapsed_now();
	ticks->next = first_tick();
	if (timer_make(clock_of(table), table->owner,
		       ticks->ring ? &ring_cookie : &thread_cookie,
		       &ticks->timer_id)) {
		ticks->timed = true;
	} else if (!was_refused) {
		was_refused = true;
		process_timer_set(sampler.running);
	}
	is_fresh = true;
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

void timer_find_threads(void)
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
	timer_find_threads();
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

static void look_at_times(uint32_t weight)
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
	int64_t now = elapsed_now();
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
	look_at_times(weight);
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
		look_at_times((uint32_t)(passed / sampler.period));
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
static void tick_of_process(uint32_t weight, uintptr_t pc)
{
	struct thread_table *table;

	if (!sampler.running)
		return;
	look_at_times(weight);
	table = sampler_my_table();
	if (table && table->ticks.ring)
		perf_drain();
	else if (table && !table->ticks.timed)
		sampler_deliver(&table->ticks, pc, weight);
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
	else if (cookie == &process_cookie && was_refused)
		tick_of_process(weight, pc_of(context));
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

	if (timer_make(CLOCK_PROCESS_CPUTIME_ID, 0, &every_cookie, &timer))
		timer_arm(timer, clock_now(CLOCK_PROCESS_CPUTIME_ID) + period,
			  period);
}

void timer_every(uint32_t seconds, void (*function)(void))
{
	every_seconds = seconds;
	every_function = function;
	every_begin();
}

/* The kernel's tick is the resolution of its coarse clocks. */
void timer_start(void)
{
	struct timespec resolution;

	kernel_tick = NS_PER_S / 100;
	if (clock_getres(CLOCK_MONOTONIC_COARSE, &resolution) == 0 &&
	    !resolution.tv_sec && resolution.tv_nsec)
		kernel_tick = resolution.tv_nsec;
}

void timer_fork(void)
{
	has_process_timer = false;
	is_watching = false;
	patience = PATIENCE_MIN;
	look_after = 0;
	was_refused = false;
	is_applying = false;
	sampler.running = false;
	if (every_seconds)
		every_begin();
	timer_apply();
}

uint32_t timer_rate_max(void)
{
	return (uint32_t)(NS_PER_S / kernel_tick);
}

bool timer_was_refused(void)
{
	return was_refused;
}
