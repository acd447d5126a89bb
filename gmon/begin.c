/* SPDX-License-Identifier: 0BSD */
/* A profile begins: by the start object's first hook, or by monstartup. */
#include "gmon/fatal.h"
#include "gmon/gmon.h"
#include "gmon/held.h"
#include "gmon/kernel.h"
#include "gmon/life.h"
#include "gmon/name.h"
#include "gmon/output.h"
#include "gmon/state.h"
#include "gmon/warn.h"
#include "mcount/mcount.h"
#include "profil/sampler.h"

#include <string.h>
#include <sys/auxv.h>

/*
 * The part of the text that a range asks for.  Other start objects begin at
 * the ELF header and end at etext, which is all of it.
 */
static void narrow(uintptr_t lowpc, uintptr_t highpc)
{
	struct image text = state.program;
	/* compared at run-time addresses: a bias may be above either end */
	uintptr_t begin = text.lowpc + text.bias;
	uintptr_t end = text.highpc + text.bias;

	if (lowpc >= end || highpc <= begin) /* nothing of it */
		lowpc = highpc = begin;
	if (lowpc > begin)
		text.lowpc = (lowpc - text.bias) & ~(uintptr_t)(PC_BIN_SIZE - 1);
	if (highpc < end)
		text.highpc = highpc - text.bias;
	state.profiled = text;
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
	state.is_untrusted = getauxval(AT_SECURE) != 0;
	if (!state.is_untrusted)
		options_read(options, environment);
	if (options->bsd && options->all_images) {
		warn("format=bsd holds the program alone: images=all is "
		     "written in the GNU format");
		options->bsd = false;
	}
}

static void hold_file(const struct options *options)
{
	static char name[PATH_MAX];
	int error;

	if (name_make(name, options, kernel_getpid(), state.forked) != 0)
		return;
	error = held_open(name);
	if (error)
		warn("cannot open %s at start: %e; trying again at exit", name,
		     -error);
}

static void end_by_signal(void)
{
	life_end(LIFE_SIGNAL);
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
		fatal_start(end_by_signal);
	if (options->dump)
		fatal_dump_on(options->dump, life_dump);
	if (options->every)
		sampler_every(options->every, life_dump);
	if (options->open_at_start)
		hold_file(options);
}

/*
 * Signals must be blocked.  The first thread to ask: in libgmon.so many can at
 * once, and their handlers.  The others' calls wait in the shared table.  A
 * child forked meanwhile has none that goes on, and begins anew.
 */
static bool is_ours_to_begin(void)
{
	static _Atomic int beginner;
	int pid = kernel_getpid(), before = beginner;

	return !state_started() && before != pid &&
	       atomic_compare_exchange_strong(&beginner, &before, pid);
}

/*
 * Valgrind makes no room on the main stack for a handler that asks for an
 * alternate one (3.19), and ends the program.
 */
static bool is_under_valgrind(char *const *environment)
{
	static const char part[] = "/vgpreload_";

	for (; environment && *environment; environment++)
		if (strncmp(*environment, "LD_PRELOAD=", 11) == 0)
			for (const char *at = *environment; *at; at++)
				if (strncmp(at, part, sizeof part - 1) == 0)
					return true;
	return false;
}

static void begin(char *const *environment, const char *argv0)
{
	struct options options;

	warn_start();
	read_environment(&options, environment);
	name_start(argv0);
	state.images.directory = output_start();
	state_start(&options);
	threads_start(sampler_detach);
	if (is_under_valgrind(environment))
		sampler_leave_alternate_stacks();
	start_signals(&options);
	ends_start();
	fork_start();
	moncontrol(options.start);
	mcount_start();
}

void life_begin(char *const *environment, const char *argv0)
{
	struct kernel_sigset signals;
	int saved = errno;
	bool ours;

	kernel_block_signals(&signals);
	ours = is_ours_to_begin();
	if (ours)
		begin(environment, argv0);
	kernel_restore_signals(&signals);
	if (ours) {
		mcount_attach();
		sampler_find_threads();
	}
	errno = saved;
}
