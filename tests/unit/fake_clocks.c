/* SPDX-License-Identifier: 0BSD */
/* Clocks that stand, and timers that never expire. */
#include "tests/unit/fake_clocks.h"

#include <check.h>
#include <stddef.h>
#include <time.h>

enum { TIMERS = 2048 };

int64_t fake_cpu, fake_elapsed;
struct fake_timer fake_timers[TIMERS];
int fake_timer_count;
bool fake_refuses;
void (*fake_on_arm)(int timer);

int64_t clock_now(int clock)
{
	return clock == CLOCK_MONOTONIC ? fake_elapsed : fake_cpu;
}

int64_t clock_elapsed(void)
{
	return fake_elapsed;
}

int64_t clock_kernel_tick(void)
{
	return FAKE_KERNEL_TICK;
}

bool clock_timer_make(int clock, int tid, int signal, void *cookie,
		      int *timer)
{
	if (fake_refuses)
		return false;
	ck_assert_int_lt(fake_timer_count, TIMERS);
	*timer = fake_timer_count++;
	fake_timers[*timer] = (struct fake_timer){
		.clock = clock, .tid = tid, .signal = signal, .cookie = cookie};
	return true;
}

void clock_timer_arm(int timer, int64_t next, int64_t period)
{
	struct fake_timer *fake = &fake_timers[timer];

	fake->next = next;
	fake->period = period;
	fake->arms++;
	fake->armed = true;
	if (fake_on_arm)
		fake_on_arm(timer);
}

void clock_timer_stop(int timer)
{
	fake_timers[timer].armed = false;
}
