/* SPDX-License-Identifier: 0BSD */
/* The verbs of gmon.h that control and write, and who may write when. */
#include "gmon/gmon.h"
#include "gmon/kernel.h"
#include "gmon/life.h"
#include "gmon/name.h"
#include "gmon/profile.h"
#include "gmon/state.h"
#include "gmon/summary.h"
#include "gmon/warn.h"
#include "mcount/mcount.h"
#include "profil/sampler.h"

#include <linux/capability.h>
#include <linux/futex.h>

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

/* In a child that no atfork handler has told of. */
static void adopt(void)
{
	if (!state_adopt())
		return;
	sampler_fork();
	moncontrol(state.on); /* another thread may have been half through */
}

/*
 * Whoever comes while another thread is at it leaves the work to that one,
 * which looks again before it is done: nobody waits, and what was asked for
 * last is in force at last.
 */
void moncontrol(int mode)
{
	struct kernel_sigset signals;

	if (!state_begin())
		return;
	adopt();
	state.on = mode != 0;
	if (state.is_on == state.on)
		return;
	kernel_block_signals(&signals);
	while (state.is_on != state.on &&
	       !atomic_exchange(&state.turning, true)) {
		bool on = state.on;

		state.is_on = on;
		state_clock(on);
		mcount_turn(on);
		sampler_turn(TAKER_GMON, take_tick, on);
		state.turning = false;
	}
	kernel_restore_signals(&signals);
}

/*
 * How long to wait for a thread that is writing.  A snapshot does not wait, an
 * end does; but only for so many milliseconds while the other one waits for
 * the loader's lock, since that may be held by who ends, in a function that the
 * loader called, or by what a signal interrupted.
 */
enum patience {
	NO_PATIENCE,
	SIGNAL_PATIENCE = 1000,
	ALL_PATIENCE = 10000,
};

static bool may_wait(enum patience patience, int waited)
{
	return patience != NO_PATIENCE &&
	       (!state.identity->at_loader || waited < (int)patience);
}

/* Up to a millisecond; a yield would keep a writer of lower priority away. */
static void wait_for(int writer)
{
	struct {
		long tv_sec, tv_nsec;
	} millisecond = {0, 1000000};

	kernel(SYS_futex, &state.identity->writer, FUTEX_WAIT, writer,
	       &millisecond);
}

/*
 * One thread at a time writes, with all its signals blocked, so no handler
 * ever interrupts a writer.  False if another thread is at it and patience
 * is at its end.
 */
static bool writer_enter(struct kernel_sigset *signals, enum patience patience)
{
	int writer = 0;

	kernel_block_signals(signals);
	for (int waited = 0;
	     !atomic_compare_exchange_strong(&state.identity->writer, &writer,
					     kernel_gettid());
	     waited++) {
		if (!may_wait(patience, waited)) {
			kernel_restore_signals(signals);
			return false;
		}
		wait_for(writer);
		writer = 0;
	}
	return true;
}

static void writer_leave(const struct kernel_sigset *signals)
{
	state.identity->writer = 0;
	kernel_restore_signals(signals);
}

/* Rights that the file of the program gave it, and that are in force. */
static bool has_capabilities(void)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];

	return kernel(SYS_capget, &header, sets) != 0 || sets[0].effective ||
	       sets[1].effective;
}

/* Whether a file would be made with more rights than the caller has. */
static bool would_lend_rights(void)
{
	return state.is_untrusted &&
	       (getuid() != geteuid() || getgid() != getegid() ||
		(getuid() != 0 && has_capabilities()));
}

/* May this process write at all? */
static bool may_write(void)
{
	if (!state_started())
		return false;
	adopt();
	return !state_is_borrowed() && !would_lend_rights();
}

static bool dump(const char *path, enum profile_context context)
{
	struct profile profile = {0};
	struct kernel_sigset signals;
	int saved = errno;

	if (may_write() && writer_enter(&signals, NO_PATIENCE)) {
		/*
		 * Not while an end waits, which snapshots that follow one
		 * another closely would keep away, nor after it: the process
		 * may vanish under this one.
		 */
		if (context == PROFILE_NORMAL || !state.identity->is_ending)
			profile_write(path, context, &profile);
		writer_leave(&signals);
	}
	errno = saved;
	return profile.is_written;
}

void life_dump(void)
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

	if (!may_write() || !wants_file(end) || state.identity->has_given_up)
		return;
	state.identity->is_ending = true;
	if (!writer_enter(&signals,
			  is_signal ? SIGNAL_PATIENCE : ALL_PATIENCE)) {
		state.identity->has_given_up = true;
		warn("another thread waits for the loader to write: no profile "
		     "was written");
		errno = saved;
		return;
	}
	if (!state.identity->has_ended) {
		state.identity->has_ended = true;
		/* _exit() may be called in a signal handler */
		profile_write(NULL,
			      end == LIFE_EXIT ? PROFILE_NORMAL
					       : PROFILE_SIGNAL,
			      &profile);
		summary_say(&profile);
	}
	writer_leave(&signals);
	errno = saved;
}

void life_unloading(uintptr_t bias)
{
	struct kernel_sigset signals;

	if (!may_write() || !writer_enter(&signals, ALL_PATIENCE))
		return;
	profile_unloading(bias);
	writer_leave(&signals);
}

void life_unloaded(void)
{
	struct kernel_sigset signals;

	if (!may_write() || !writer_enter(&signals, ALL_PATIENCE))
		return;
	profile_unloaded();
	writer_leave(&signals);
}
