/* SPDX-License-Identifier: 0BSD */
/*
 * The one object that every collector reads: who we are, whether we count,
 * and everything that was counted.
 */
#ifndef GCRT_STATE_H
#define GCRT_STATE_H

#include "gmon/aside.h"
#include "gmon/images.h"
#include "gmon/options.h"
#include "mcount/threads.h"
#include "profil/histogram.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Whose memory this is; in forgotten pages always, so 0 in a forked child. */
struct identity {
	_Atomic int pid;
	_Atomic int writer; /* the thread that writes a file, or 0 */
	_Atomic bool at_loader; /* which may want the loader's lock now */
	_Atomic bool is_ending; /* no more snapshots */
	bool has_ended;	    /* the last file is written */
	bool has_given_up;  /* to wait for the one who writes */
};

/* What was counted; in pages that a forked child forgets (fork=reset). */
struct counts {
	struct histogram histogram;
	struct aside aside; /* of libraries that were unloaded */
	_Atomic uint64_t lost_calls; /* no memory, not even a shared place */
	_Atomic uint64_t cpu_on;     /* ns of CPU time while on, so far */
	_Atomic uint64_t cpu_since;  /* process CPU clock when last turned on */
};

struct state {
	struct images images; /* the first is the main program */
	struct image program; /* it, in memory of our own */
	struct image profiled; /* what of its text goes into the file */
	bool is_untrusted;    /* set-user-ID: write only as the caller */
	struct options options;
	struct threads threads; /* their counts lie in forgotten pages */
	struct identity *identity;
	struct counts *counts;
	bool forked;	  /* this process began as a fork of a profiled one */
	_Atomic bool on;  /* as moncontrol was asked last */
	_Atomic bool is_on; /* what is in force, or about to be */
	_Atomic bool turning; /* somebody brings it into force */
};

extern struct state state;

/*
 * Make the state, with profiling off.  Memory refused: the counts are kept in
 * static memory, which a child that came without fork() cannot forget.
 */
void state_start(const struct options *options);

/*
 * Whether state_start has been called.  In libgmon.so it is, by way of
 * state_starter, when it is asked for the first time by state_begin.
 */
bool state_started(void);
bool state_begin(void);
extern void (*state_starter)(void); /* null elsewhere */

/*
 * Called wherever a process may notice that it is a forked child (recorder,
 * sampler, writer): if so, begin with no counts (or, with fork=inherit, the
 * parent's) and true is returned, once.  Signals need not be blocked.
 */
bool state_adopt(void);

/*
 * The same where it is known that this is a forked child, which not every
 * kernel shows.  Called by: the atfork handler of the child.
 */
bool state_adopt_forced(void);

/*
 * True in a child that shares the memory of its parent (vfork, posix_spawn):
 * it must not write files and not touch timers.
 */
bool state_is_borrowed(void);

/* Count a call that could not be counted anywhere, also before start. */
void state_lose_call(void);

/*
 * Let all counts start from zero.  False if there was no memory: nothing has
 * changed then.  Called from: one thread at a time, with signals blocked.
 */
bool state_reset(void);

/* CPU time of this process while profiling was on, in ns. */
uint64_t state_cpu_time(void);

/* Turn the clock of the above on or off.  Called by: moncontrol. */
void state_clock(bool on);

#endif
