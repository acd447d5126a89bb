/* SPDX-License-Identifier: 0BSD */
/*
 * A storm of signals over the slow path: every call is one of a new arc, the
 * handler makes calls of the same and of other new arcs, and every so often
 * jumps out of the middle.  What single steps (steps.c) cannot reach, handlers
 * within handlers, happens here.
 */
#include "gmon/merge.h"
#include "gmon/state.h"
#include "mcount/mcount.h"
#include "tests/harness.h"
#include "tests/suites.h"
#include "tests/unit/tools.h"

#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

enum { CALLS = 300000, ARCS = 40000 };

static volatile sig_atomic_t handled, jumped;
static volatile sig_atomic_t may_jump;
static sigjmp_buf before_call;
/* Calls of handlers, which another handler may jump out of, too. */
static _Atomic uint64_t handler_attempted, handler_done;

static void record(uint64_t number)
{
	mcount_record(0x401000 + number * 3, 0x900000);
}

static void on_signal(int signal)
{
	uint64_t seed = (uint64_t)handled++;

	(void)signal;
	for (int i = 0; i < 3; i++) {
		handler_attempted++;
		record(random_below(&seed, ARCS));
		handler_done++;
	}
	if (may_jump && random_next(&seed) % 4 == 0) {
		may_jump = 0;
		jumped++;
		siglongjmp(before_call, 1);
	}
}

/* Real time that is no multiple of anything, from three timers. */
static void storm_begin(void)
{
	static const int signals[] = {SIGUSR1, SIGUSR2, SIGALRM};
	struct sigaction action = {.sa_handler = on_signal,
				   .sa_flags = SA_NODEFER};

	for (int i = 0; i < 3; i++) {
		struct sigevent event = {.sigev_notify = SIGEV_SIGNAL,
					 .sigev_signo = signals[i]};
		struct itimerspec often = {{0, 73000 + 11000 * i}, {0, 1000}};
		timer_t timer;

		sigaction(signals[i], &action, NULL);
		ck_assert_int_eq(timer_create(CLOCK_MONOTONIC, &event, &timer),
				 0);
		timer_settime(timer, 0, &often, NULL);
	}
}

static void storm_end(void)
{
	signal(SIGUSR1, SIG_IGN);
	signal(SIGUSR2, SIG_IGN);
	signal(SIGALRM, SIG_IGN);
}

static void add(void *context, const struct arc *arc, uint64_t count)
{
	(void)arc;
	*(uint64_t *)context += count;
}

static uint64_t counted(void)
{
	enum { SIZE = 1 << 22 };
	uint64_t sum = 0;

	merge_arcs(&state.threads, calloc(1, SIZE), SIZE, add, &sum);
	return sum;
}

static void make_calls(volatile uint64_t *attempted, volatile uint64_t *done,
		       bool jumping)
{
	static uint64_t seed = 1;

	while (*attempted < CALLS) {
		if (sigsetjmp(before_call, 1) == 0) {
			++*attempted;
			may_jump = jumping;
			record(random_below(&seed, ARCS));
			may_jump = 0;
			++*done;
		}
		may_jump = 0;
	}
}

static void begin(void)
{
	struct options options;

	options_default(&options);
	state_start(&options);
	mcount_start();
	mcount_turn(1);
}

/* Bodies entered <= counted <= calls attempted; equal where nobody jumps. */
START_TEST(nothing_is_lost)
{
	volatile uint64_t attempted = 0, done = 0;
	uint64_t all;

	begin();
	storm_begin();
	make_calls(&attempted, &done, _i % 2);
	storm_end();
	all = counted();
	ck_assert_int_gt(handled, 100);
	ck_assert_uint_eq(state.counts->lost_calls, 0);
	ck_assert_uint_ge(all, done + handler_done);
	ck_assert_uint_le(all, attempted + handler_attempted);
	if (_i % 2)
		ck_assert_int_gt(jumped, 10);
	else
		ck_assert_uint_eq(done, CALLS);
}
END_TEST

Suite *unit_storm_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_storm", &tcase);

	tcase_add_loop_test(tcase, nothing_is_lost, 0, 4);
	return suite;
}
