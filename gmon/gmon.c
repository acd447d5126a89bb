/* SPDX-License-Identifier: 0BSD */
/* The verbs of gmon.h, and a process's life: begin, write, end. */
#include "gmon/gmon.h"
#include "gmon/fatal.h"
#include "gmon/held.h"
#include "gmon/kernel.h"
#include "gmon/life.h"
#include "gmon/name.h"
#include "gmon/output.h"
#include "gmon/profile.h"
#include "gmon/state.h"
#include "gmon/summary.h"
#include "gmon/warn.h"
#include "mcount/mcount.h"
#include "profil/sampler.h"

#include <sys/auxv.h>

static struct image profiled; /* what of the program goes into the file */
static bool is_untrusted;     /* set-user-ID: write only as the caller */

/* gmon's own taker: a tick found the pc. */
static bool take_tick(struct thread_ticks *ticks, uintptr_t pc, uint32_t weight)
{
	if (pc >= (uintptr_t)mcount_code && pc < (uintptr_t)mcount_code_end) {
		ticks->in_runtime += weight;
		return true;
	}
	if (!histogram_add(&state.counts->histogram, pc, weight))
		return false;
	ticks->taken += weight;
	return true;
}

void moncontrol(int mode)
{
	bool on = mode != 0;

	if (!state_started() || atomic_exchange(&state.on, on) == on)
		return;
	state_clock(on);
	mcount_turn(on);
	sampler_turn(TAKER_GMON, take_tick, on);
}

/*
 * One thread at a time writes, with all its signals blocked, so no handler
 * ever interrupts a writer.  False if another thread is at it; that is waited
 * for as long as `patience` lasts.
 */
static bool writer_enter(struct kernel_sigset *signals, uint32_t patience)
{
	int nobody = 0;

	kernel_block_signals(signals);
	while (!atomic_compare_exchange_strong(&state.identity->writer, &nobody,
					       kernel_gettid())) {
		if (!patience--) {
			kernel_restore_signals(signals);
			return false;
		}
		nobody = 0;
		kernel(SYS_sched_yield);
	}
	return true;
}

static void writer_leave(const struct kernel_sigset *signals)
{
	state.identity->writer = 0;
	kernel_restore_signals(signals);
}

/*
 * An end waits for a snapshot that another thread is writing; a signal handler
 * only for so long, since what it interrupted may be what the other one waits
 * for (the loader's lock).
 */
enum { NO_PATIENCE = 0, SIGNAL_PATIENCE = 100000 };
#define ALL_PATIENCE UINT32_MAX

/* May this process write at all? */
static bool may_write(void)
{
	if (!state_started())
		return false;
	if (state_adopt())
		sampler_fork();
	return !state_is_borrowed() &&
	       !(is_untrusted &&
		 (getuid() != geteuid() || getgid() != getegid()));
}

static bool dump(const char *path, enum profile_context context)
{
	struct profile profile = {0};
	struct kernel_sigset signals;
	int saved = errno;

	if (may_write() && writer_enter(&signals, NO_PATIENCE)) {
		profile_write(path, &profiled, context, &profile);
		writer_leave(&signals);
	}
	errno = saved;
	return profile.is_written;
}

static void dump_in_handler(void)
{
	dump(NULL, PROFILE_SIGNAL);
}

int mondump(const char *path)
{
	return dump(path, PROFILE_NORMAL) ? 0 : -1;
}

void _mcleanup(void)
{
	mondump(NULL);
}

int monreset(void)
{
	struct kernel_sigset signals;
	bool is_reset = false;

	if (may_write() && writer_enter(&signals, ALL_PATIENCE)) {
		is_reset = state_reset();
		writer_leave(&signals);
	}
	return is_reset ? 0 : -1;
}

/* A child leaves a file on _exit() only if its name is its own. */
static bool wants_file(enum life_end end)
{
	return end != LIFE_QUICK_EXIT || !state.forked ||
	       name_has_pid(&state.options);
}

void life_end(enum life_end end)
{
	bool is_signal = end == LIFE_SIGNAL;
	struct profile profile = {0};
	struct kernel_sigset signals;
	int saved = errno;

	if (!may_write() || !wants_file(end))
		return;
	if (!writer_enter(&signals,
			  is_signal ? SIGNAL_PATIENCE : ALL_PATIENCE))
		return;
	if (!state.identity->has_ended) {
		state.identity->has_ended = true;
		profile_write(NULL, &profiled,
			      is_signal ? PROFILE_SIGNAL : PROFILE_NORMAL,
			      &profile);
		summary_say(&profile);
	}
	writer_leave(&signals);
	errno = saved;
}

static void end_in_handler(void)
{
	life_end(LIFE_SIGNAL);
}

void life_unload(enum life_unload when)
{
	struct kernel_sigset signals;

	if (!state_started() || !state.options.all_images || !may_write() ||
	    !writer_enter(&signals, ALL_PATIENCE))
		return;
	if (when == LIFE_BEFORE)
		profile_loaded();
	else
		profile_unloaded();
	writer_leave(&signals);
}

/*
 * The part of the text that a range asks for.  Other start objects begin at
 * the ELF header and end at etext, which is all of it.
 */
static void narrow(uintptr_t lowpc, uintptr_t highpc)
{
	lowpc -= profiled.bias;
	highpc -= profiled.bias;
	profiled = state.program;
	if (lowpc > profiled.lowpc)
		profiled.lowpc = lowpc & ~(uintptr_t)(PC_BIN_SIZE - 1);
	if (highpc < profiled.highpc)
		profiled.highpc = highpc;
}

void monstartup(unsigned long lowpc, unsigned long highpc)
{
	if (lowpc >= highpc) {
		warn("monstartup: the range is empty, ignored");
		return;
	}
	life_begin(environ, program_invocation_name);
	narrow(lowpc, highpc);
	moncontrol(1);
}

static void read_environment(struct options *options, char *const *environment)
{
	options_default(options);
	is_untrusted = getauxval(AT_SECURE) != 0;
	if (!is_untrusted)
		options_read(options, environment);
}

static void hold_file(const struct options *options)
{
	static char name[PATH_MAX];
	int error;

	if (name_make(name, options, kernel_getpid(), false) != 0)
		return;
	error = held_open(name);
	if (error)
		warn("cannot open %s at start: %e; trying again at exit", name,
		     -error);
}

static void start_signals(const struct options *options)
{
	const struct sampler_options sampler = {
		.rate = options->rate,
		.signal = options->signal,
		.wall = options->wall,
		.perf = options->perf,
	};

	sampler_start(&sampler);
	if (options->fatal)
		fatal_start(end_in_handler);
	if (options->dump)
		fatal_dump_on(options->dump, dump_in_handler);
	if (options->every)
		sampler_every(options->every, dump_in_handler);
	if (options->open_at_start)
		hold_file(options);
}

void life_begin(char *const *environment, const char *argv0)
{
	struct options options;
	int saved = errno;

	if (state_started())
		return;
	warn_start();
	read_environment(&options, environment);
	name_start(argv0);
	output_start();
	state_start(&options);
	profiled = state.program;
	threads_start();
	start_signals(&options);
	mcount_start();
	ends_start();
	fork_start();
	moncontrol(options.start);
	mcount_attach();
	sampler_find_threads();
	errno = saved;
}
