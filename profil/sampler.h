/* SPDX-License-Identifier: 0BSD */
/*
 * The sampler gives each thread its ticks and hands the pc that a tick found,
 * with the number of ticks that it stands for, to the takers: gmon's own
 * histogram and profil().
 *
 * The engine (timer.c) gives each thread a POSIX timer on its own CPU clock.
 * A thread gets it when it makes its first counted call; threads that make
 * none are found in /proc/self/task when sampling starts and once a second of
 * CPU time.  While no taker is on, all timers stand still; what was left of a
 * thread's period then is kept, so only CPU time spent while on is sampled.
 */
#ifndef GCRT_SAMPLER_H
#define GCRT_SAMPLER_H

#include "mcount/threads.h"

#include <stdbool.h>
#include <stdint.h>

enum sampler_taker { TAKER_GMON, TAKER_PROFIL, TAKER_COUNT };

/* False: there was no memory for the sample.  Called from: signal handler. */
typedef bool sampler_take(struct thread_ticks *ticks, uintptr_t pc,
			  uint32_t weight);

/*
 * Take the signal; sample so many times a second of CPU time or, if `wall`, of
 * elapsed time.  Called once, before anything below.
 */
void sampler_start(uint32_t rate, int signal, bool wall);

/* Call the function after each so many seconds of CPU time, in a handler. */
void sampler_every(uint32_t seconds, void (*function)(void));

/*
 * Turn a taker on or off.  Ticks of time spent while on that are delivered
 * later still count.  Called from: any thread, signal handler.
 */
void sampler_turn(enum sampler_taker taker, sampler_take *function, bool on);

/*
 * Give the calling thread, which has just got this table, its timer.
 * Called by: the recorder, with signals blocked.
 */
void sampler_attach(struct thread_table *table);

/* The thread is ending: its timer goes. */
void sampler_detach(struct thread_table *table);

/* In a forked child, which has no timers: begin anew. */
void sampler_fork(void);

/* Let the calling thread have its ticks, whatever it has blocked since. */
void sampler_unblock(void);

/* Ticks a second, as they really are. */
uint32_t sampler_rate(void);

/* What went wrong, for the summary: the line to say, or null. */
const char *sampler_complaint(void);

#endif
