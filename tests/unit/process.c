/* SPDX-License-Identifier: 0BSD */
/*
 * Timers of the whole process, on a clock that stands still: how patient the
 * watch is, how often threads are looked for, who stands in, who is called.
 */
#include "gmon/kernel.h"
#include "gmon/state.h"
#include "profil/engine.h"
#include "tests/harness.h"
#include "tests/suites.h"
#include "tests/unit/fake_clocks.h"
#include "tests/unit/tools.h"

#include <time.h>

enum { PERIOD = 10 * MS, RATE = 100, PID = 4242, TASKS = 4 };

struct sampler sampler = {.rate = RATE, .period = PERIOD, .signal = SIGUSR1};
static struct identity identity = {.pid = PID};
struct state state = {.identity = &identity};

static struct thread_table tables[TASKS], *mine;
static int new_tasks; /* so many threads are there that have no timer */
static bool is_claiming, cannot_claim;
static int looks, begun, applied, drained, delivered;

struct thread_table *threads_claim_for(struct threads *threads, int pid,
				       int tid)
{
	ck_assert_ptr_eq(threads, &state.threads);
	ck_assert_int_eq(pid, PID);
	ck_assert(is_claiming);
	return tid <= new_tasks ? &tables[tid - 1] : NULL;
}

bool threads_claim_for_others(struct threads *threads)
{
	ck_assert_ptr_eq(threads, &state.threads);
	ck_assert_int_eq(signal_is_blocked(SIGTERM), 1);
	looks++;
	is_claiming = !cannot_claim;
	return is_claiming;
}

void threads_claimed_for_others(struct threads *threads)
{
	ck_assert_ptr_eq(threads, &state.threads);
	ck_assert_int_eq(signal_is_blocked(SIGTERM), 1);
	is_claiming = false;
}

void tasks_each(void (*found)(int tid))
{
	ck_assert(is_claiming);
	for (int tid = 1; tid <= TASKS; tid++)
		found(tid);
}

void sampler_begin(struct thread_table *table)
{
	table->entries_into_c++;
	begun++;
}

struct thread_table *sampler_my_table(void)
{
	return mine;
}

void sampler_deliver(struct thread_ticks *ticks, uintptr_t pc, uint32_t weight)
{
	ck_assert_ptr_eq(ticks, &mine->ticks);
	ck_assert_uint_eq(pc, 0x1234);
	delivered += (int)weight;
}

void timer_apply(void)
{
	ck_assert_int_eq(signal_is_blocked(SIGTERM), 0);
	ck_assert(!is_claiming);
	applied++;
}

void perf_drain(void)
{
	drained++;
}

/* The one process timer, while it goes. */
static const struct fake_timer *watch = &fake_timers[0];

static void go(void)
{
	sampler.running = true;
	process_set(true);
}

static void stand(void)
{
	sampler.running = false;
	process_set(false);
}

static bool tick(uint32_t weight)
{
	return process_tick(watch->cookie, weight, 0x1234);
}

/* How long from now on no tick may come before the watch looks. */
static int64_t patience(void)
{
	ck_assert(watch->armed);
	ck_assert_int_eq(watch->period, 0);
	return watch->next - fake_cpu;
}

START_TEST(finds_threads)
{
	new_tasks = 3;
	process_find_threads();
	ck_assert_int_eq(begun, 3);
	for (int i = 0; i < TASKS; i++)
		ck_assert_int_eq(tables[i].entries_into_c, i < 3);
	ck_assert_int_eq(applied, 1);
	/* somebody is getting a table just now: another time */
	cannot_claim = true;
	process_find_threads();
	ck_assert_int_eq(begun, 3);
	ck_assert_int_eq(applied, 2);
}
END_TEST

START_TEST(watches)
{
	fake_cpu = 1000 * MS;
	go();
	ck_assert_int_eq(fake_timer_count, 1);
	ck_assert_int_eq(watch->clock, CLOCK_PROCESS_CPUTIME_ID);
	ck_assert_int_eq(watch->tid, 0);
	ck_assert_int_eq(watch->signal, SIGUSR1);
	ck_assert_int_eq(patience(), 250 * MS);
	/* once it is armed it stays so, off and on */
	fake_cpu += MS;
	stand();
	go();
	ck_assert_int_eq(watch->arms, 1);
	ck_assert(watch->armed);
	/* fired while off, it finds nothing to do, until there is */
	stand();
	ck_assert(tick(1));
	ck_assert_int_eq(looks, 0);
	ck_assert_int_eq(watch->arms, 1);
	go();
	ck_assert_int_eq(watch->arms, 2);
	ck_assert_int_eq(patience(), 250 * MS);
}
END_TEST

/* It may wake who sleeps: each time for nothing, half as often. */
START_TEST(patience_doubles)
{
	int64_t expected = 250 * MS;

	go();
	for (int i = 1; i < 14; i++) {
		ck_assert_int_eq(patience(), expected);
		fake_cpu = watch->next;
		ck_assert(tick(1));
		ck_assert_int_eq(looks, i);
		ck_assert_int_eq(drained, i);
		expected = 2 * expected < 64 * (int64_t)NS_PER_S
				   ? 2 * expected
				   : 64 * (int64_t)NS_PER_S;
	}
	ck_assert_int_eq(patience(), 64 * (int64_t)NS_PER_S);
	new_tasks = 1;
	ck_assert(tick(1));
	ck_assert_int_eq(begun, 1);
	ck_assert_int_eq(patience(), 250 * MS);
}
END_TEST

/* Ticks put it off, though not each of them asks the kernel. */
START_TEST(ticks_put_it_off)
{
	go();
	for (int i = 1; i <= 250; i++) {
		fake_cpu += PERIOD;
		process_look(1);
		ck_assert_int_le(watch->arms, 1 + i / 13);
		ck_assert_int_ge(watch->next, fake_cpu + 120 * MS);
	}
	/* one tick that stands for many */
	fake_cpu += 13 * PERIOD;
	process_look(13);
	ck_assert_int_eq(patience(), 250 * MS);
}
END_TEST

static void expect_look_after(int ticks)
{
	int before = looks;

	for (int i = 1; i < ticks; i++)
		process_look(1);
	ck_assert_int_eq(looks, before);
	process_look(1);
	ck_assert_int_eq(looks, before + 1);
}

/* Each second of ticks, and sooner as long as somebody is found. */
START_TEST(looks_more_seldom)
{
	static const int after[] = {1, 11, 22, 44, 88, 100, 100};

	go();
	for (int i = 0; i < 7; i++)
		expect_look_after(after[i]);
	new_tasks = 2;
	expect_look_after(100);
	expect_look_after(11);
	ck_assert_int_eq(begun, 4);
	new_tasks = 0;
	expect_look_after(11);
	expect_look_after(22);
	process_look(44); /* as one */
	ck_assert_int_eq(looks, 12);
	/* the watch has looked: then ticks need not for a while */
	process_look(87);
	ck_assert(tick(1));
	expect_look_after(100);
}
END_TEST

/* Where timers were refused, the process clock ticks. */
START_TEST(stands_in)
{
	go();
	ck_assert(!process_was_refused());
	process_refused();
	ck_assert(process_was_refused());
	fake_cpu += 3 * MS;
	ck_assert_int_eq(watch->arms, 2);
	ck_assert_int_eq(watch->next, PERIOD);
	ck_assert_int_eq(watch->period, PERIOD);
	process_refused();
	ck_assert_int_eq(watch->arms, 2);
	stand();
	ck_assert(!watch->armed);
	go();
	ck_assert_int_eq(watch->next, fake_cpu + PERIOD);
	process_look(500); /* nobody watches */
	ck_assert_int_eq(watch->period, PERIOD);
	/* one without a timer, one with, one with a ring, one without table */
	mine = &tables[0];
	ck_assert(tick(3));
	ck_assert_int_eq(delivered, 3);
	mine->ticks.timed = true;
	ck_assert(tick(1));
	ck_assert_int_eq(delivered, 3);
	ck_assert_int_eq(drained, 0);
	mine->ticks.ring = mine;
	ck_assert(tick(1));
	ck_assert_int_eq(drained, 1);
	mine = NULL;
	ck_assert(tick(1));
	ck_assert_int_eq(delivered, 3);
}
END_TEST

/* Ticks of it have threads looked for, as those of threads have. */
START_TEST(stand_in_looks)
{
	process_refused(); /* before anything goes */
	ck_assert_int_eq(watch->arms, 0);
	go();
	ck_assert_int_eq(watch->period, PERIOD);
	ck_assert(tick(1));
	ck_assert_int_eq(looks, 1);
	ck_assert(tick(10));
	ck_assert_int_eq(looks, 1);
	ck_assert(tick(1));
	ck_assert_int_eq(looks, 2);
	/* a signal that was on its way when all was turned off */
	stand();
	mine = &tables[0];
	ck_assert(tick(500));
	ck_assert_int_eq(looks, 2);
	ck_assert_int_eq(delivered, 0);
}
END_TEST

START_TEST(not_even_that_one)
{
	fake_refuses = true;
	go();
	process_refused();
	ck_assert(process_was_refused());
	ck_assert_int_eq(watch->arms, 0);
	fake_refuses = false; /* asked again */
	stand();
	go();
	ck_assert_int_eq(fake_timer_count, 1);
	ck_assert_int_eq(watch->period, PERIOD);
}
END_TEST

static int called;

static void function(void)
{
	called++;
}

START_TEST(every)
{
	fake_cpu = 100 * MS;
	process_every(3, function);
	ck_assert_int_eq(watch->clock, CLOCK_PROCESS_CPUTIME_ID);
	ck_assert_int_eq(watch->tid, 0);
	ck_assert_int_eq(watch->next, fake_cpu + 3 * (int64_t)NS_PER_S);
	ck_assert_int_eq(watch->period, 3 * (int64_t)NS_PER_S);
	ck_assert_int_eq(called, 0);
	ck_assert(tick(2));
	ck_assert_int_eq(called, 1);
	ck_assert(!process_tick(&called, 1, 0x1234));
	ck_assert_int_eq(called, 1);
	ck_assert_int_eq(looks + delivered, 0);
}
END_TEST

/* It has no timers, nothing was refused yet, and nobody waited in vain. */
START_TEST(forked)
{
	process_every(3, function);
	go();
	watch = &fake_timers[1];
	for (int i = 0; i < 5; i++)
		tick(1);
	process_refused();
	fake_cpu = 0;
	process_fork();
	ck_assert(!process_was_refused());
	ck_assert_int_eq(fake_timer_count, 3);
	ck_assert_int_eq(fake_timers[2].period, 3 * (int64_t)NS_PER_S);
	ck_assert_ptr_eq(fake_timers[2].cookie, fake_timers[0].cookie);
	go();
	watch = &fake_timers[3];
	ck_assert_int_eq(patience(), 250 * MS);
	looks = 0;
	expect_look_after(1);
	expect_look_after(11);
}
END_TEST

START_TEST(forked_without_every)
{
	process_fork();
	ck_assert_int_eq(fake_timer_count, 0);
	fake_refuses = true;
	process_every(3, function);
	ck_assert_int_eq(fake_timers[0].arms, 0);
}
END_TEST

Suite *unit_process_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_process", &tcase);

	tcase_add_test(tcase, finds_threads);
	tcase_add_test(tcase, watches);
	tcase_add_test(tcase, patience_doubles);
	tcase_add_test(tcase, ticks_put_it_off);
	tcase_add_test(tcase, looks_more_seldom);
	tcase_add_test(tcase, stands_in);
	tcase_add_test(tcase, stand_in_looks);
	tcase_add_test(tcase, not_even_that_one);
	tcase_add_test(tcase, every);
	tcase_add_test(tcase, forked);
	tcase_add_test(tcase, forked_without_every);
	return suite;
}
