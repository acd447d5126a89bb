/* SPDX-License-Identifier: 0BSD */
/*
 * The kernel's clocks and timers, by its own calls: no errno, no lock, and a
 * timer may go to one thread.  Times are in nanoseconds.  Called from: any
 * thread, signal handler.
 */
#ifndef GCRT_CLOCKS_H
#define GCRT_CLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#define NS_PER_S 1000000000

/* A timer_create clock: another thread's CPU clock (linux/posix-timers.h). */
#define CLOCK_OF_THREAD(tid) ((int)(~(unsigned)(tid) << 3 | 6))

/* 0 if there is no such clock, as when its thread has ended. */
int64_t clock_now(int clock);

/* CLOCK_MONOTONIC, for which the C library need not enter the kernel. */
int64_t clock_elapsed(void);

/* How far two of the kernel's ticks are apart, on which CPU timers expire. */
int64_t clock_kernel_tick(void);

/*
 * A timer on this clock that sends `signal` with `cookie` to thread `tid`, or
 * to the process if 0.  False if the kernel refused it.
 */
bool clock_timer_make(int clock, int tid, int signal, void *cookie,
		      int *timer);

/* Let the timer expire at `next` on its clock, and each period after it. */
void clock_timer_arm(int timer, int64_t next, int64_t period);
void clock_timer_stop(int timer);

#endif
