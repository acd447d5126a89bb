/* SPDX-License-Identifier: 0BSD */
/*
 * Between the sampler and its engines.  sampler.c owns the signal and the
 * takers; timer.c and perf.c each find out where threads spend their time.
 */
#ifndef GCRT_ENGINE_H
#define GCRT_ENGINE_H

#include "mcount/threads.h"
#include "profil/clocks.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

/* What every engine reads; set by sampler_start. */
struct sampler {
	uint32_t rate;	      /* ticks a second */
	int64_t period;	      /* ns from tick to tick */
	int signal;	      /* the signal of the ticks */
	bool wall;	      /* of elapsed, not CPU time */
	bool perf;	      /* threads get rings, if they can */
	_Atomic bool running; /* a taker is on and timers are going */
};
extern struct sampler sampler;

/* Whether any taker wants ticks. */
bool sampler_is_wanted(void);

/* Hand `weight` ticks at pc to the takers.  Called from: signal handler. */
void sampler_deliver(struct thread_ticks *ticks, uintptr_t pc, uint32_t weight);

/* The calling thread's table, also if it is not attached; or null. */
struct thread_table *sampler_my_table(void);

/* Give the table's owner a timer, and a ring if it can have one. */
void sampler_begin(struct thread_table *table);

/*
 * timer.c.  A signal of its timers is timer_tick's: false if it is not one.
 * timer_apply lets all timers go or stand, as is wanted.
 */
void timer_start(void);
void timer_attach(struct thread_table *table);
void timer_detach(struct thread_table *table);
void timer_apply(void);
void timer_apply_blocked(void); /* signals are */
bool timer_tick(const siginfo_t *info, const ucontext_t *context);
void timer_fork(void);
uint32_t timer_rate_max(void); /* ticks a second that the kernel lets through */

/*
 * process.c.  process_set lets it watch, or not, for threads without a timer;
 * process_refused has it stand in for one.  Every tick of a thread has it
 * look at times; a signal of its own timers is process_tick's.
 */
void process_set(bool go);
void process_refused(void);
bool process_was_refused(void);
void process_look(uint32_t weight);
void process_find_threads(void);
bool process_tick(const void *cookie, uint32_t weight, uintptr_t pc);
void process_every(uint32_t seconds, void (*function)(void));
void process_fork(void);

/*
 * perf.c.  False if this thread cannot have a ring: a timer samples it.  With
 * one, its timer only has all rings emptied, each perf_drain_period of its
 * CPU time (ns).
 */
bool perf_attach(struct thread_table *table);
int64_t perf_drain_period(void);
void perf_detach(struct thread_table *table);
void perf_drain(void);
void perf_visit(struct thread_table *table);

/* tasks.c: call `found` with the number of each thread of this process. */
void tasks_each(void (*found)(int tid));

#endif
