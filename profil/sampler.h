/* SPDX-License-Identifier: 0BSD */
/*
 * The sampler gives each thread its ticks and hands the pc that a tick found,
 * with the number of ticks that it stands for, to the takers: gmon's own
 * histogram and profil().
 *
 * A thread is sampled from its first counted call on; threads that make none
 * are found in /proc/self/task when sampling starts and about once a second of
 * CPU time.  Only time spent while a taker is on is sampled.
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

struct sampler_options {
	uint32_t rate; /* ticks a second */
	int signal;    /* that carries them */
	bool wall;     /* of elapsed, not CPU time */
	bool perf;     /* the kernel's rings instead of timers */
};

/* Take the signal.  Called once, before anything below. */
void sampler_start(const struct sampler_options *options);

/* Call the function after each so many seconds of CPU time, in a handler. */
void sampler_every(uint32_t seconds, void (*function)(void));

/*
 * Turn a taker on or off.  Ticks of time spent while on that are delivered
 * later still count.  Called from: any thread, signal handler.
 */
void sampler_turn(enum sampler_taker taker, sampler_take *function, bool on);

/*
 * Begin to sample the calling thread, which has just got this table.  All its
 * signals are blocked; in `mask`, which is to hold from then on, the signal of
 * the ticks is let through.  Called by: the recorder.
 */
struct kernel_sigset;
void sampler_attach(struct thread_table *table, struct kernel_sigset *mask);

/* Stop: the thread is ending, or dead and its table is given away. */
void sampler_detach(struct thread_table *table);

/*
 * A look in passing: let the calling thread have its ticks, whatever it has
 * blocked since.  Called by: the recorder.
 */
void sampler_visit(struct thread_table *table);

/* Begin to sample the threads that are there and make no counted calls. */
void sampler_find_threads(void);

/* Take what the kernel still holds back.  Called by: the writer. */
void sampler_settle(void);

/* In a forked child, which has no timers: begin anew. */
void sampler_fork(void);

/* Ticks a second, as they are counted; and signals that bring them. */
uint32_t sampler_rate(void);
uint32_t sampler_rate_reached(void);

/* What went wrong, for the summary: the line to say, or null. */
const char *sampler_complaint(void);

/* From here on, ticks come on the stack that a thread is on. */
void sampler_leave_alternate_stacks(void);

#endif
