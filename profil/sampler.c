/* SPDX-License-Identifier: 0BSD */
/*
 * The sampler: the signal of the ticks, and who gets them.
 *
 * The signal is SIGURG by default: its default action is to ignore it, so
 * neither a program that resets all handlers nor a child about to exec can be
 * killed by a tick, and a debugger does not stop at each.
 */
#include "profil/sampler.h"
#include "gmon/kernel.h"
#include "gmon/state.h"
#include "gmon/warn.h"
#include "profil/engine.h"

#include <string.h>

struct sampler sampler;

static struct sigaction before; /* who had the signal */
static _Atomic bool on_own_stacks;
static _Atomic bool want[TAKER_COUNT];
static _Atomic(sampler_take *) takers[TAKER_COUNT];

bool sampler_is_wanted(void)
{
	return want[TAKER_GMON] || want[TAKER_PROFIL];
}

void sampler_deliver(struct thread_ticks *ticks, uintptr_t pc, uint32_t weight)
{
	for (int i = 0; i < TAKER_COUNT; i++)
		if (want[i] && !takers[i](ticks, pc, weight))
			ticks->held += weight;
}

struct thread_table *sampler_my_table(void)
{
	if (threads_mine.table)
		return threads_mine.table;
	return threads_find(&state.threads, kernel_gettid());
}

/* A signal that is not ours goes where it would have gone without us. */
static void pass_on(int signal, siginfo_t *info, void *context)
{
	if (before.sa_flags & SA_SIGINFO)
		before.sa_sigaction(signal, info, context);
	else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
		before.sa_handler(signal);
}

static void tick(int signal, siginfo_t *info, void *context)
{
	if (!timer_tick(info, context))
		pass_on(signal, info, context);
}

/*
 * All signals wait while a tick is handled, so no handler of the program can
 * leave ours in the middle.
 */
static void take_signal(struct sigaction *old)
{
	struct sigaction ours;

	memset(&ours, 0, sizeof ours);
	ours.sa_sigaction = tick;
	ours.sa_flags = SA_SIGINFO | SA_RESTART |
			(on_own_stacks ? 0 : SA_ONSTACK);
	sigfillset(&ours.sa_mask);
	kernel_sigaction(sampler.signal, &ours, old);
}

/* False if the program has put a handler of its own over it. */
static bool is_ours(void)
{
	struct sigaction now;

	return kernel_sigaction(sampler.signal, NULL, &now) == 0 &&
	       now.sa_flags & SA_SIGINFO && now.sa_sigaction == tick;
}

void sampler_leave_alternate_stacks(void)
{
	if (!atomic_exchange(&on_own_stacks, true) && sampler.signal &&
	    is_ours())
		take_signal(NULL);
}

/*
 * An interrupt costs up to 20 us (in a virtual machine): at a period of 25 the
 * program takes twice as long, at 10 it hardly moves.
 */
enum { PERF_RATE_MAX = 20000 };

static void limit_rate(void)
{
	if (!sampler.perf || sampler.rate <= PERF_RATE_MAX)
		return;
	sampler.rate = PERF_RATE_MAX;
	warn("engine=perf: rate=%u is the highest",
	     (uint64_t)PERF_RATE_MAX);
}

void sampler_start(const struct sampler_options *options)
{
	int saved = errno;

	sampler.rate = options->rate;
	sampler.signal = options->signal;
	sampler.wall = options->wall;
	sampler.perf = options->perf && !options->wall;
	limit_rate();
	sampler.period = NS_PER_S / sampler.rate;
	timer_start();
	take_signal(&before);
	errno = saved;
}

void sampler_every(uint32_t seconds, void (*function)(void))
{
	process_every(seconds, function);
}

/* What lies in the rings was sampled in the state of before. */
void sampler_turn(enum sampler_taker taker, sampler_take *function, bool on)
{
	sampler_settle();
	if (on)
		takers[taker] = function;
	want[taker] = on;
	timer_apply();
}

void sampler_begin(struct thread_table *table)
{
	sampler_detach(table); /* what a dead owner left */
	if (sampler.perf)
		perf_attach(table);
	timer_attach(table);
}

void sampler_attach(struct thread_table *table, struct kernel_sigset *mask)
{
	sampler_begin(table);
	timer_apply_blocked();
	kernel_sigset_remove(mask, sampler.signal);
}

void sampler_detach(struct thread_table *table)
{
	timer_detach(table);
	perf_detach(table);
}

void sampler_visit(struct thread_table *table)
{
	kernel_unblock_signal(sampler.signal);
	perf_visit(table);
}

void sampler_find_threads(void)
{
	process_find_threads();
}

void sampler_settle(void)
{
	if (sampler.perf)
		perf_drain();
}

void sampler_fork(void)
{
	timer_fork();
}

uint32_t sampler_rate(void)
{
	return sampler.rate;
}

uint32_t sampler_rate_reached(void)
{
	uint32_t most = timer_rate_max();

	return sampler.perf || sampler.wall || sampler.rate < most
		       ? sampler.rate
		       : most;
}

const char *sampler_complaint(void)
{
	if (!is_ours())
		return "the program took over the signal of the ticks: "
		       "sampling stopped there";
	if (process_was_refused())
		return "the kernel refused timers to some threads: the process "
		       "clock sampled them";
	return NULL;
}
