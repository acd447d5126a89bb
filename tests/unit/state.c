/* SPDX-License-Identifier: 0BSD */
/* Who we are, what was counted, and what a forked child makes of it. */
#include "gmon/state.h"
#include "gmon/kernel.h"
#include "mcount/shared.h"
#include "tests/harness.h"
#include "tests/suites.h"

#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

static void begin(bool inherit)
{
	struct options options;

	options_default(&options);
	options.inherit = inherit;
	state_start(&options);
}

static struct thread_table *claim(void)
{
	return threads_claim(&state.threads, state.identity->pid,
			     kernel_gettid());
}

static void take(int calls)
{
	*arcs_enter(claim()->arcs, 0x1000, 0x9000) += (uint64_t)calls;
}

static uint64_t taken(void)
{
	const struct thread_table *table = state.threads.newest;
	uint64_t sum = 0;

	for (; table; table = table->next)
		for (struct arc_table *a = table->arcs; a; a = a->older)
			sum += arcs_read(a, 0x1000, 0x9000);
	return sum;
}

START_TEST(starts)
{
	ck_assert(!state_started());
	ck_assert(!state_begin());
	state_lose_call();
	begin(false);
	ck_assert(state_started());
	ck_assert_int_eq(state.identity->pid, getpid());
	ck_assert(!state_adopt());
	ck_assert(!state_is_borrowed());
	ck_assert(!state.forked);
	state_lose_call();
	state_lose_call();
	ck_assert_uint_eq(state.counts->lost_calls, 3);
}
END_TEST

/* In the child: 0, or the number of what is wrong. */
static int child_of_reset(void)
{
	if (!state_adopt())
		return 1;
	if (state_adopt())
		return 2;
	if (state.identity->pid != getpid() || !state.forked)
		return 3;
	if (threads_mine.table->owner != getpid() || taken() || state.counts->lost_calls)
		return 4;
	if (histogram_sum(&state.counts->histogram, 0, 0))
		return 5;
	if (shared_is_used())
		return 6;
	take(3);
	return taken() == 3 ? 0 : 7;
}

static int child_of_inherit(void)
{
	if (!state_adopt() || !state.forked)
		return 1;
	if (state.identity->pid != getpid())
		return 2;
	if (taken() != 5 || state.counts->lost_calls != 1)
		return 3;
	if (histogram_sum(&state.counts->histogram, 0, 0) != 4)
		return 4;
	if (threads_mine.table->owner != getpid())
		return 5;
	take(3);
	if (taken() != 8)
		return 6;
	return 0;
}

/* Without any atfork handler: the child finds out by its wiped page. */
static void fork_and_check(bool inherit, int check(void))
{
	int status;
	pid_t child;

	begin(inherit);
	take(5);
	state_lose_call();
	ck_assert(shared_add(0x1000, 0x9000));
	histogram_add(&state.counts->histogram, 0x1000, 4);
	child = fork();
	if (child == 0)
		_exit(check());
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	ck_assert(!state_adopt());
	ck_assert_uint_eq(taken(), 5);
	ck_assert_uint_eq(histogram_sum(&state.counts->histogram, 0, 0), 4);
}

START_TEST(child_begins_at_zero)
{
	fork_and_check(false, child_of_reset);
}
END_TEST

START_TEST(child_inherits)
{
	fork_and_check(true, child_of_inherit);
}
END_TEST

/* A child that shares our memory is told from one that has a copy. */
START_TEST(borrowed)
{
	int status;
	pid_t child;

	begin(false);
	take(1);
	child = vfork();
	if (child == 0)
		_exit(state_is_borrowed() && !state_adopt() ? 0 : 1);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	ck_assert(!state_is_borrowed());
	ck_assert_uint_eq(taken(), 1);
}
END_TEST

START_TEST(no_pages)
{
	struct rlimit limit = {0, RLIM_INFINITY};

	setrlimit(RLIMIT_AS, &limit);
	begin(false);
	limit.rlim_cur = RLIM_INFINITY;
	setrlimit(RLIMIT_AS, &limit);
	ck_assert(state_started());
	ck_assert_int_eq(state.identity->pid, getpid());
	take(2);
	ck_assert_uint_eq(taken(), 2);
}
END_TEST

START_TEST(resets)
{
	begin(false);
	take(5);
	claim()->ticks.taken = 1;
	claim()->ticks.held = 1;
	claim()->ticks.in_runtime = 1;
	state_lose_call();
	shared_add(0x1000, 0x9000);
	histogram_add(&state.counts->histogram, 0x1000, 4);
	for (int round = 1; round <= 3; round++) {
		ck_assert(state_reset());
		ck_assert_uint_eq(taken(), 0);
		ck_assert_uint_eq(claim()->ticks.taken, 0);
		ck_assert_uint_eq(claim()->ticks.held, 0);
		ck_assert_uint_eq(claim()->ticks.in_runtime, 0);
		ck_assert_uint_eq(state.counts->lost_calls, 0);
		ck_assert(!shared_is_used());
		ck_assert_uint_eq(
			histogram_sum(&state.counts->histogram, 0, 0), 0);
		take(round);
		ck_assert_uint_eq(taken(), (uint64_t)round);
		threads_grow(claim());
		take(round);
		ck_assert_uint_eq(taken(), 2 * (uint64_t)round);
	}
}
END_TEST

/* What was kept of unloaded libraries is forgotten, too. */
START_TEST(resets_what_is_aside)
{
	begin(false);
	histogram_add(&state.counts->aside.histogram, 0x1000, 4);
	ck_assert(state_reset());
	ck_assert_uint_eq(
		histogram_sum(&state.counts->aside.histogram, 0, 0), 0);
}
END_TEST

START_TEST(refused_reset_changes_nothing)
{
	struct rlimit limit = {0, RLIM_INFINITY};

	begin(false);
	take(5);
	histogram_add(&state.counts->histogram, 0x1000, 4);
	setrlimit(RLIMIT_AS, &limit);
	ck_assert(!state_reset());
	ck_assert_uint_eq(taken(), 5);
	ck_assert_uint_eq(histogram_sum(&state.counts->histogram, 0, 0), 4);
}
END_TEST

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void burn(uint64_t ns)
{
	uint64_t end = now() + ns;

	while (now() < end)
		;
}

/* The clock goes while on, stands while off, and a reset sets it to 0. */
START_TEST(clock_of_profiling)
{
	enum { BURN = 20000000 };
	uint64_t begun, time;

	begin(false);
	burn(BURN);
	begun = now();
	state_clock(true);
	state.is_on = true;
	burn(BURN);
	time = state_cpu_time();
	ck_assert_uint_ge(time, BURN);
	ck_assert_uint_le(time, now() - begun);
	state_clock(false);
	state.is_on = false;
	time = state_cpu_time();
	burn(BURN);
	ck_assert_uint_eq(state_cpu_time(), time);
	state_clock(true);
	state.is_on = true;
	burn(BURN);
	ck_assert_uint_ge(state_cpu_time(), time + BURN);
	ck_assert_uint_le(state_cpu_time(), now() - begun - BURN);
	begun = now();
	ck_assert(state_reset());
	ck_assert_uint_le(state_cpu_time(), now() - begun);
}
END_TEST

Suite *unit_state_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_state", &tcase);

	tcase_add_test(tcase, starts);
	tcase_add_test(tcase, child_begins_at_zero);
	tcase_add_test(tcase, child_inherits);
	tcase_add_test(tcase, borrowed);
	tcase_add_test(tcase, no_pages);
	tcase_add_test(tcase, resets);
	tcase_add_test(tcase, resets_what_is_aside);
	tcase_add_test(tcase, refused_reset_changes_nothing);
	tcase_add_test(tcase, clock_of_profiling);
	return suite;
}
