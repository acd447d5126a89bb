/* SPDX-License-Identifier: 0BSD */
/* The verbs: begin, control, write. */
#include "gmon/gmon.h"
#include "gmon/images.h"
#include "gmon/kernel.h"
#include "gmon/life.h"
#include "gmon/merge.h"
#include "gmon/name.h"
#include "gmon/output.h"
#include "gmon/pages.h"
#include "gmon/state.h"
#include "gmon/warn.h"
#include "gmon/write.h"
#include "mcount/mcount.h"
#include "mcount/shared.h"
#include "profil/sampler.h"

#include <sys/auxv.h>

static struct image program;	/* the main program */
static struct image profiled;	/* what of it goes into the file */
static bool is_untrusted;	/* set-user-ID: write only as the caller */
static bool has_ended;		/* the last profile is written */

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

/* What one writing is made of, and what it found out. */
struct writing {
	struct sink *sink;
	uint64_t ticks;	  /* written */
	uint64_t arcs;	  /* written */
	uint64_t calls;	  /* written */
	uint64_t outside; /* calls of functions outside the file */
};

/*
 * Where a caller in no known image is put: on <external>, or where that is not
 * part of the program, on its entry point.
 */
static uintptr_t stand_in(void)
{
	if (image_holds(&program, (uintptr_t)mcount_code_end))
		return (uintptr_t)mcount_code_end;
	return getauxval(AT_ENTRY);
}

/* frompc is a return address; the byte before it is in the caller for sure. */
static void write_merged(void *context, const struct arc *arc, uint64_t count)
{
	struct writing *writing = context;
	uintptr_t frompc = arc->frompc - 1;

	if (!image_holds(&profiled, arc->selfpc)) {
		writing->outside += count;
		return;
	}
	if (!image_holds(&program, frompc))
		frompc = stand_in();
	write_arc(writing->sink, frompc - program.bias,
		  arc->selfpc - program.bias, count);
	writing->arcs++;
	writing->calls += count;
}

static void write_records(struct writing *writing)
{
	void *memory = pages_map(MERGE_MEMORY_MAX, PAGES_KEPT);

	write_header(writing->sink);
	writing->ticks =
		write_histogram(writing->sink, &profiled,
				&state.counts->histogram, sampler_rate());
	merge_arcs(&state.counts->threads, memory, MERGE_MEMORY_MAX,
		   write_merged, writing);
	if (memory)
		pages_unmap(memory, MERGE_MEMORY_MAX);
}

/*
 * Only one thread writes at a time.  False if another one is at it; with
 * `wait`, it is waited for.
 */
static bool writer_enter(bool wait)
{
	int nobody = 0;

	while (!atomic_compare_exchange_strong(&state.identity->writer, &nobody,
					       kernel_gettid())) {
		if (!wait)
			return false;
		nobody = 0;
		kernel(SYS_sched_yield);
	}
	return true;
}

static void writer_leave(void)
{
	state.identity->writer = 0;
}

/* The usual name, or null if there is to be no file (said, if for a reason). */
static const char *usual_name(void)
{
	static char name[PATH_MAX];
	int result = name_make(name, &state.options, state.identity->pid,
			       state.forked);

	if (result < 0)
		warn("the name of the profile is longer than a path may be: "
		     "no profile was written");
	return result == 0 ? name : NULL;
}

/* With the writer's place taken and all signals blocked. */
static bool write_named(const char *path, struct writing *writing)
{
	if (!path)
		path = usual_name();
	writing->sink = path ? output_open(path) : NULL;
	if (!writing->sink)
		return false;
	write_records(writing);
	return output_close();
}

/* May this process write at all? */
static bool may_write(void)
{
	if (!state_started() || !state.identity)
		return false;
	if (state_adopt())
		sampler_fork();
	return !state_is_borrowed() &&
	       !(is_untrusted &&
		 (getuid() != geteuid() || getgid() != getegid()));
}

int monreset(void)
{
	struct kernel_sigset signals;
	bool reset = false;

	if (!may_write())
		return -1;
	kernel_block_signals(&signals);
	if (writer_enter(true)) {
		reset = state_reset();
		writer_leave();
	}
	kernel_restore_signals(&signals);
	return reset ? 0 : -1;
}

/* The part of the text that a range asks for, at link-time addresses. */
static void narrow(uintptr_t lowpc, uintptr_t highpc)
{
	lowpc -= program.bias;
	highpc -= program.bias;
	profiled = program;
	if (lowpc > profiled.lowpc)
		profiled.lowpc = lowpc & ~(uintptr_t)(PC_BIN_SIZE - 1);
	/* etext may be short of the segment's end by its last section */
	if (highpc < profiled.highpc && lowpc > program.lowpc)
		profiled.highpc = highpc;
}

void monstartup(unsigned long lowpc, unsigned long highpc)
{
	if (lowpc >= highpc) {
		warn("monstartup: the range is empty, ignored");
		return;
	}
	life_begin(environ, program_invocation_name);
	if (lowpc <= program.lowpc + program.bias)
		lowpc = program.lowpc + program.bias;
	narrow(lowpc, highpc);
	moncontrol(1);
}

int mondump(const char *path)
{
	struct writing writing = {0};
	struct kernel_sigset signals;
	bool written = false;
	int saved = errno;

	if (!may_write())
		return -1;
	kernel_block_signals(&signals);
	if (writer_enter(false)) {
		written = write_named(path, &writing);
		writer_leave();
	}
	kernel_restore_signals(&signals);
	errno = saved;
	return written ? 0 : -1;
}

void _mcleanup(void)
{
	mondump(NULL);
}

/* All ticks of all threads, by where they fell. */
struct tick_sums {
	uint64_t taken, in_runtime, held;
};

static struct tick_sums sum_ticks(void)
{
	const struct thread_table *table = state.counts->threads.newest;
	struct tick_sums sums = {0};

	for (; table; table = table->next) {
		sums.taken += table->ticks.taken;
		sums.in_runtime += table->ticks.in_runtime;
		sums.held += table->ticks.held;
	}
	return sums;
}

static uint64_t ticks_to_ms(uint64_t ticks)
{
	return ticks * 1000 / sampler_rate();
}

/*
 * Four sums that make up all CPU time.  What no tick accounts for was not
 * sampled, whatever the reason.
 */
static void summarise(const struct writing *writing, bool written)
{
	struct tick_sums sums = sum_ticks();
	uint64_t cpu = state_cpu_time() / 1000000;
	uint64_t in_file = ticks_to_ms(writing->ticks);
	uint64_t outside = ticks_to_ms(sums.taken) - in_file;
	uint64_t runtime = ticks_to_ms(sums.in_runtime);
	uint64_t sampled = in_file + outside + runtime;

	warn("%s: %t s in the file, %t s outside, %t s in the runtime, %t s "
	     "not sampled; %u arcs, %u calls, %u outside, %u lost",
	     written ? output_path() : "no file", in_file, outside, runtime,
	     cpu > sampled ? cpu - sampled : 0, writing->arcs, writing->calls,
	     writing->outside, (uint64_t)state.counts->lost_calls);
}

static void say_the_end(const struct writing *writing, bool written)
{
	const char *complaint = sampler_complaint();

	if (complaint)
		warn("%s", complaint);
	if (state.options.verbose)
		summarise(writing, written);
	else if (state.counts->lost_calls)
		warn("%u calls were lost: the kernel refused memory for their "
		     "counts",
		     (uint64_t)state.counts->lost_calls);
}

/* A child leaves a file on _exit() only if its name is its own. */
static bool wants_file(enum life_end end)
{
	return end == LIFE_EXIT || !state.forked ||
	       name_has_pid(&state.options);
}

void life_end(enum life_end end)
{
	struct writing writing = {0};
	struct kernel_sigset signals;
	int saved = errno;
	bool written;

	if (!may_write() || !wants_file(end))
		return;
	kernel_block_signals(&signals);
	writer_enter(true);
	if (!has_ended) {
		has_ended = true;
		written = write_named(NULL, &writing);
		say_the_end(&writing, written);
	}
	writer_leave();
	kernel_restore_signals(&signals);
	errno = saved;
}

static void read_environment(struct options *options, char *const *environment)
{
	options_default(options);
	is_untrusted = getauxval(AT_SECURE) != 0;
	if (!is_untrusted)
		options_read(options, environment);
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
	if (!images_main(&program))
		warn("the program has no executable segment: nothing will be "
		     "in its profile");
	profiled = program;
	state_start(&options);
	threads_start();
	sampler_start(options.rate, options.signal);
	mcount_start();
	ends_start();
	fork_start();
	moncontrol(options.start);
	errno = saved;
}
