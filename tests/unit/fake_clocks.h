/* SPDX-License-Identifier: 0BSD */
/*
 * Clocks that stand until the unit sets them, in place of profil/clocks.c, and
 * timers that never expire: the unit calls what their signal would.
 */
#ifndef GCRT_TESTS_UNIT_FAKE_CLOCKS_H
#define GCRT_TESTS_UNIT_FAKE_CLOCKS_H

#include "profil/clocks.h"

enum { MS = NS_PER_S / 1000, FAKE_KERNEL_TICK = 4 * MS };

extern int64_t fake_cpu;     /* what every CPU clock shows */
extern int64_t fake_elapsed; /* what CLOCK_MONOTONIC shows */

/* As they were made, by their number. */
extern struct fake_timer {
	int clock, tid, signal;
	void *cookie;
	int64_t next, period; /* as armed last */
	int arms;	      /* how often */
	bool armed;
} fake_timers[];
extern int fake_timer_count;
extern bool fake_refuses;	       /* no more of them */
extern void (*fake_on_arm)(int timer); /* called when one is armed */

#endif
