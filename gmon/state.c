/* SPDX-License-Identifier: 0BSD */
/* Who we are and what was counted; what a forked child makes of it. */
#include "gmon/state.h"
#include "gmon/held.h"
#include "gmon/kernel.h"
#include "gmon/pages.h"
#include "gmon/warn.h"
#include "mcount/shared.h"

#include <string.h>
#include <sys/resource.h>
#include <time.h>

struct state state;

static struct identity identity_without_pages;
static struct counts counts_without_pages;

bool state_started(void)
{
	return state.identity != NULL;
}

void (*state_starter)(void);

bool state_begin(void)
{
	if (!state_started() && state_starter)
		state_starter();
	return state_started();
}

void state_start(const struct options *options)
{
	struct identity *identity;
	struct counts *counts;

	if (options->inherit)
		pages_inherit_counts();
	identity = pages_map(sizeof *identity, PAGES_FORGOTTEN);
	counts = pages_map(sizeof *counts, PAGES_COUNTS);
	if (!identity)
		identity = &identity_without_pages;
	state.options = *options;
	if (!images_main(&state.program))
		warn("the program has no executable segment: its profile will "
		     "be empty");
	state.profiled = state.program;
	state.images.first = &state.program;
	if (options->all_images)
		images_name_main(&state.program);
	if (counts)
		counts->lost_calls = counts_without_pages.lost_calls;
	state.counts = counts ? counts : &counts_without_pages;
	identity->pid = kernel_getpid();
	state.identity = identity;
}

bool state_is_borrowed(void)
{
	return state.identity->pid != kernel_getpid();
}

static void adopt(void)
{
	state.forked = true;
	threads_fork(&state.threads, state.options.inherit);
	if (!state.options.inherit) {
		shared_clear();
		/* wiped already where the kernel did it */
		memset(state.counts, 0, sizeof *state.counts);
	}
	state.counts->cpu_on = 0;
	state.counts->cpu_since = 0;
	if (atomic_exchange(&state.turning, false))
		state.is_on = !state.on; /* another thread was half through */
	state.identity->writer = 0;
	state.identity->at_loader = false;
	state.identity->is_ending = false;
	state.identity->has_ended = false;
	state.identity->has_given_up = false;
	held_close();
	state.identity->pid = kernel_getpid();
}

/* A handler may adopt the child while its thread is about to. */
static bool adopt_if(bool is_child)
{
	struct kernel_sigset signals;
	bool is_due;

	kernel_block_signals(&signals);
	is_due = state.identity->pid == 0 ||
		 (is_child && state_is_borrowed());
	if (is_due)
		adopt();
	kernel_restore_signals(&signals);
	return is_due;
}

bool state_adopt_forced(void)
{
	return adopt_if(true);
}

bool state_adopt(void)
{
	return state.identity->pid == 0 && adopt_if(false);
}

void state_lose_call(void)
{
	struct counts *counts =
		state.counts ? state.counts : &counts_without_pages;

	atomic_fetch_add_explicit(&counts->lost_calls, 1,
				  memory_order_relaxed);
}

/* The kernel's rings sample no time in the kernel. */
static uint64_t user_now(void)
{
	struct rusage used;

	if (getrusage(RUSAGE_SELF, &used) != 0)
		return 0;
	return (uint64_t)used.ru_utime.tv_sec * 1000000000U +
	       (uint64_t)used.ru_utime.tv_usec * 1000;
}

static uint64_t cpu_now(void)
{
	struct timespec now;

	if (state.options.perf)
		return user_now();

	if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) != 0)
		return 0;
	return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

/*
 * Memory for the reset of every arc table that had none yet.  What a thread
 * grows in between has counts of after the reset only.
 */
static bool reset_prepare(struct thread_table *table)
{
	for (; table; table = table->next)
		for (struct arc_table *arcs = table->arcs; arcs;
		     arcs = arcs->older) {
			if (!arcs->before)
				arcs->before = pages_map(arcs_reset_size(arcs),
							 PAGES_COUNTS);
			if (!arcs->before)
				return false;
		}
	return true;
}

static void reset_table(struct thread_table *table)
{
	for (struct arc_table *arcs = table->arcs; arcs; arcs = arcs->older)
		if (arcs->before)
			arcs_reset(arcs);
	table->ticks.taken = 0;
	table->ticks.in_runtime = 0;
	table->ticks.held = 0;
}

bool state_reset(void)
{
	struct thread_table *table = state.threads.newest;

	if (!reset_prepare(table))
		return false;
	for (; table; table = table->next)
		reset_table(table);
	shared_reset();
	histogram_reset(&state.counts->histogram);
	aside_reset(&state.counts->aside);
	state.counts->lost_calls = 0;
	state.counts->cpu_on = 0;
	state.counts->cpu_since = cpu_now();
	return true;
}

void state_clock(bool on)
{
	uint64_t now = cpu_now();

	if (!on)
		state.counts->cpu_on += now - state.counts->cpu_since;
	state.counts->cpu_since = now;
}

uint64_t state_cpu_time(void)
{
	uint64_t time = state.counts->cpu_on;

	if (state.is_on)
		time += cpu_now() - state.counts->cpu_since;
	return time;
}
