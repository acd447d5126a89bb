/* SPDX-License-Identifier: 0BSD */
/*
 * The timer engine, on clocks that stand still: when a thread's ticks are due,
 * what they stand for, and when they say nothing.
 */
#include "gmon/kernel.h"
#include "gmon/state.h"
#include "pc.h"
#include "profil/engine.h"
#include "tests/harness.h"
#include "tests/suites.h"
#include "tests/unit/calls.h"
#include "tests/unit/fake_clocks.h"
#include "tests/unit/tools.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DRAIN_PERIOD = 100 * MS };

struct sampler sampler = {.rate = 1000, .period = MS, .signal = SIGUSR1};
struct state state;
static struct thread_table table;
static struct thread_ticks *const ticks = &table.ticks;
static struct thread_table *mine = &table;

static bool wanted;
static void (*in_set)(bool go); /* what happens meanwhile */

bool sampler_is_wanted(void)
{
	return wanted;
}

struct thread_table *sampler_my_table(void)
{
	return mine;
}

void sampler_deliver(struct thread_ticks *to, uintptr_t pc, uint32_t weight)
{
	ck_assert_ptr_eq(to, ticks);
	ck_assert_uint_eq(pc, ticks->pc);
	note("deliver:%u", weight);
}

void process_set(bool go)
{
	note("%s", go ? "go" : "stand");
	if (in_set)
		in_set(go);
}

void process_refused(void)
{
	note("refused");
}

void process_look(uint32_t weight)
{
	note("look:%u", weight);
}

bool process_tick(const void *cookie, uint32_t weight, uintptr_t pc)
{
	(void)pc;
	note("process:%u", weight);
	return cookie == &table;
}

void process_fork(void)
{
	note("process_fork");
}

int64_t perf_drain_period(void)
{
	return DRAIN_PERIOD;
}

void perf_drain(void)
{
	note("drain");
}

static bool answer(long number, const long *arguments, long *result)
{
	if (number != SYS_timer_delete)
		return false;
	note("delete:%d", (int)arguments[0]);
	*result = 0;
	return true;
}

/* A context that is not on its way out of anything. */
static ucontext_t elsewhere;

static bool tick_info(const siginfo_t *info)
{
	return timer_tick(info, &elsewhere);
}

/* A signal of the thread's own timer, for so many periods. */
static siginfo_t info_of(uint32_t weight)
{
	siginfo_t info;

	memset(&info, 0, sizeof info);
	info.si_code = SI_TIMER;
	info.si_overrun = (int)weight - 1;
	info.si_value.sival_ptr = fake_timers[ticks->timer_id].cookie;
	return info;
}

static void tick(uint32_t weight)
{
	siginfo_t info = info_of(weight);

	ck_assert(tick_info(&info));
}

static void turn(bool on)
{
	wanted = on;
	timer_apply();
}

/* This thread, with a timer that goes; its first tick is due at `next`. */
static void begin(int64_t next)
{
	calls_answer = answer;
	timer_start();
	table.owner = kernel_gettid();
	state.threads.newest = &table;
	timer_attach(&table);
	ck_assert(ticks->timed);
	ticks->next = next - fake_cpu;
	turn(true);
	ck_assert_str_eq(notes(), "go");
}

static int compare(const void *a, const void *b)
{
	const int64_t *one = a, *other = b;

	return (*one > *other) - (*one < *other);
}

/*
 * However many threads there have been, their first ticks lie in a period, and
 * between neighbours there is no more than twice what there would be if they
 * had been laid out together.
 */
START_TEST(first_ticks)
{
	int64_t firsts[200];

	for (int count = 1; count <= 200; count++) {
		int64_t sorted[202] = {0, MS};

		timer_attach(&table);
		firsts[count - 1] = ticks->next;
		ck_assert_int_gt(ticks->next, 0);
		ck_assert_int_le(ticks->next, MS);
		memcpy(sorted + 2, firsts, (size_t)count * sizeof *firsts);
		qsort(sorted, (size_t)count + 2, sizeof *sorted, compare);
		for (int i = 0; i <= count; i++)
			ck_assert_int_le(sorted[i + 1] - sorted[i],
					 2 * MS / (count + 1));
	}
	/* "at once" would mean: never */
	sampler.period = 1;
	timer_attach(&table);
	ck_assert_int_eq(ticks->next, 1);
}
END_TEST

START_TEST(whose_timer)
{
	const struct fake_timer *timer;

	sampler.wall = _i & 1;
	ticks->ring = _i & 2 ? &table : NULL;
	ticks->owed = 7;
	ticks->pc = 7;
	fake_elapsed = 5 * MS;
	begin(3 * MS);
	timer = &fake_timers[0];
	ck_assert_int_eq(timer->clock, sampler.wall
					       ? CLOCK_MONOTONIC
					       : CLOCK_OF_THREAD(gettid()));
	ck_assert_int_eq(timer->tid, gettid());
	ck_assert_int_eq(timer->signal, SIGUSR1);
	ck_assert_int_eq(timer->period, _i & 2 ? DRAIN_PERIOD : MS);
	ck_assert_int_eq(ticks->owed, 0);
	ck_assert_uint_eq(ticks->pc, 0);
	ck_assert_int_eq(ticks->last, 5 * MS);
	ck_assert_int_eq(timer_rate_max(), 250);
}
END_TEST

/* Time spent while off moves no tick. */
START_TEST(stop_and_go)
{
	fake_cpu = 100 * MS;
	begin(fake_cpu + 700000);
	ck_assert_int_eq(fake_timers[0].next, 100 * MS + 700000);
	timer_apply();
	ck_assert_int_eq(fake_timers[0].arms, 1);
	fake_cpu += 300000;
	turn(false);
	ck_assert(!fake_timers[0].armed);
	ck_assert(!sampler.running);
	fake_cpu += 12345678;
	turn(false);
	turn(true);
	ck_assert(fake_timers[0].armed);
	ck_assert_int_eq(fake_timers[0].next, fake_cpu + 400000);
	ck_assert_str_eq(notes(), "stand go");
}
END_TEST

static const struct {
	int64_t late; /* when it was turned off, after the first was due */
	uint32_t owed;
	int64_t next; /* from there on */
} stops[] = {
	{-1, 0, 1},
	{0, 1, MS},
	{1, 1, MS - 1},
	{MS - 1, 1, 1},
	{MS, 2, MS},
	{5 * MS / 2, 3, MS / 2},
};

/* Due while on, and no kernel's tick has seen it: it comes with the next. */
START_TEST(due_is_owed)
{
	fake_cpu = 99 * MS;
	begin(fake_cpu + MS);
	fake_cpu += MS + stops[_i].late;
	turn(false);
	fake_cpu += 50 * MS;
	ticks->owed = 2;
	turn(true);
	ck_assert_uint_eq(ticks->owed, 2 + stops[_i].owed);
	ck_assert_int_eq(fake_timers[0].next, fake_cpu + stops[_i].next);
	ck_assert_str_eq(notes(), "stand go");
	tick(1);
	ck_assert_str_eq(notes(),
			 text("look:1 deliver:%u", 3 + stops[_i].owed));
	tick(1);
	ck_assert_str_eq(notes(), "look:1 deliver:1");
	ck_assert_int_eq(ticks->next,
			 fake_timers[0].next + 2 * (int64_t)MS);
}
END_TEST

/* The signal comes when it is off already. */
START_TEST(late_signals_are_owed)
{
	fake_cpu = 99 * MS;
	begin(fake_cpu + MS);
	fake_cpu += MS + 5 * MS / 2;
	turn(false);
	tick(3);
	ck_assert_str_eq(notes(), "stand");
	ck_assert_uint_eq(ticks->owed, 3);
	turn(true);
	ck_assert_uint_eq(ticks->owed, 3);
	ck_assert_int_eq(fake_timers[0].next, fake_cpu + MS / 2);
	tick(1);
	ck_assert_str_eq(notes(), "go look:1 deliver:4");
}
END_TEST

START_TEST(foreign_signals)
{
	siginfo_t info;

	begin(MS);
	info = info_of(4);
	info.si_code = SI_QUEUE;
	ck_assert(!tick_info(&info));
	ck_assert_str_eq(notes(), "");
	info.si_code = SI_TIMER;
	info.si_value.sival_ptr = NULL;
	ck_assert(!tick_info(&info));
	ck_assert_str_eq(notes(), "process:4");
	info.si_value.sival_ptr = &table; /* one of process.c's */
	ck_assert(tick_info(&info));
	ck_assert_str_eq(notes(), "process:4");
	mine = NULL; /* ours, in a thread that has no table any more */
	info = info_of(4);
	ck_assert(tick_info(&info));
	ck_assert_str_eq(notes(), "");
}
END_TEST

/* The timer of a ring has all rings emptied, and no tick of its own. */
START_TEST(rings)
{
	ticks->ring = &table;
	begin(DRAIN_PERIOD);
	tick(2);
	ck_assert_str_eq(notes(), "drain look:200");
	ck_assert_int_eq(ticks->next, 3 * (int64_t)DRAIN_PERIOD);
	turn(false);
	tick(1);
	ck_assert_str_eq(notes(), "stand drain");
	mine = NULL;
	tick(1);
	ck_assert_str_eq(notes(), "drain");
}
END_TEST

static ucontext_t at_unblock;
static sigjmp_buf after_fault;

static void keep_context(int signal, siginfo_t *info, void *context)
{
	(void)info;
	if (signal == SIGUSR2) {
		at_unblock = *(ucontext_t *)context;
		return;
	}
	elsewhere = *(ucontext_t *)context;
	siglongjmp(after_fault, 1);
}

/* Contexts as the kernel makes them: that of a fault, and the other kind. */
static void make_contexts(void)
{
	struct sigaction action = {.sa_sigaction = keep_context,
				   .sa_flags = SA_SIGINFO};
	char *nothing = mmap(NULL, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
			     -1, 0);
	struct kernel_sigset signals;

	sigaction(SIGUSR2, &action, NULL);
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
	kernel_block_signals(&signals);
	raise(SIGUSR2);
	kernel_restore_signals(&signals);
	ck_assert(pc_is_after_sigprocmask(&at_unblock));
	if (!sigsetjmp(after_fault, 1))
		*(volatile char *)nothing = 1;
	ck_assert(!pc_is_after_sigprocmask(&elsewhere));
	ck_assert_uint_ne(pc_of(&elsewhere), 0);
}

static const struct {
	int64_t period;
	uint32_t weight;
	int64_t used, elapsed; /* since the last tick was due, and seen */
	bool wall, unblocks, held;
} ticked[] = {
	/* two ticks of the kernel explain as much */
	{MS, 1, MS, MS, false, true, false},
	{MS, 9, 9 * MS, 9 * MS, false, true, false},
	{MS, 10, 10 * MS, 10 * MS, false, false, true},
	{100 * MS, 2, 200 * MS, 200 * MS, false, true, false},
	{100 * MS, 3, 300 * MS, 300 * MS, false, false, true},
	/* four fifths of the time, but for a tick of the kernel */
	{MS, 20, 20 * MS, 20 * MS, false, false, true},
	{MS, 20, 20 * MS, 29 * MS, false, false, true},
	{MS, 20, 20 * MS, 29 * MS + 1, false, false, false},
	{MS, 20, 20 * MS, 60 * MS, false, false, false},
	{MS, 200, 200 * MS, 254 * MS, false, false, true},
	{MS, 200, 200 * MS, 255 * MS, false, false, false},
	/* on its way out of the call that unblocks */
	{MS, 20, 20 * MS, 900 * MS, false, true, true},
	/* elapsed time goes on whoever runs */
	{MS, 20, 20 * MS, 20 * MS, true, false, false},
	{MS, 20, 20 * MS, 20 * MS, true, true, false},
};

START_TEST(held_back)
{
	uint32_t weight = ticked[_i].weight;
	siginfo_t info;

	make_contexts();
	sampler.period = ticked[_i].period;
	sampler.wall = ticked[_i].wall;
	fake_cpu = 1000 * MS;
	fake_elapsed = 7000 * (int64_t)MS;
	if (sampler.wall)
		fake_cpu = fake_elapsed;
	begin(fake_cpu + sampler.period);
	fake_cpu += ticked[_i].used;
	fake_elapsed += ticked[_i].elapsed;
	info = info_of(weight);
	ck_assert(timer_tick(&info, ticked[_i].unblocks ? &at_unblock
							: &elsewhere));
	ck_assert_str_eq(notes(),
			 ticked[_i].held
				 ? text("look:%u", weight)
				 : text("look:%u deliver:%u", weight, weight));
	ck_assert_uint_eq(ticks->held, ticked[_i].held ? weight : 0);
	ck_assert_int_eq(ticks->last, fake_elapsed);
}
END_TEST

/* What was owed waits for a tick that says where. */
START_TEST(held_ticks_owe)
{
	make_contexts();
	begin(MS);
	ticks->owed = 5;
	fake_cpu = fake_elapsed = 20 * MS;
	tick(20);
	ck_assert_str_eq(notes(), "look:20");
	ck_assert_uint_eq(ticks->held, 20);
	tick(1);
	ck_assert_str_eq(notes(), "look:1 deliver:6");
	ck_assert_uint_eq(ticks->held, 20);
}
END_TEST

static const struct {
	int64_t late; /* the thread ends so long after its next is due */
	const char *calls;
	uint32_t held;
} ends[] = {
	{-1, "delete:0", 0},
	{0, "delete:0 deliver:1", 0},
	{MS - 1, "delete:0 deliver:1", 0},
	{MS, "delete:0 deliver:2", 0},
	{5 * MS / 2, "delete:0 deliver:3", 0},
	{40 * MS, "delete:0", 41}, /* in the dark, and alone on its CPU */
};

/* Due since the kernel's last tick that saw it: where that one found it. */
START_TEST(last_ticks)
{
	make_contexts();
	begin(MS);
	fake_cpu = fake_elapsed = MS;
	tick(1);
	ck_assert_str_eq(notes(), "look:1 deliver:1");
	fake_cpu = fake_elapsed = 2 * MS + ends[_i].late;
	timer_detach(&table);
	ck_assert_str_eq(notes(), ends[_i].calls);
	ck_assert_uint_eq(ticks->held, ends[_i].held);
	timer_detach(&table);
	ck_assert_str_eq(notes(), "");
}
END_TEST

/* Where nobody knows of what, or whether, or whose: no last ticks. */
START_TEST(no_last_ticks)
{
	make_contexts();
	begin(MS);
	fake_cpu = 4 * MS;
	if (_i != 0)
		ticks->pc = 0x1234;
	if (_i == 1)
		ticks->going = false;
	if (_i == 2)
		sampler.running = false;
	if (_i == 3)
		table.owner++;
	timer_detach(&table);
	ck_assert_str_eq(notes(),
			 _i == 4 ? "delete:0 deliver:4" : "delete:0");
}
END_TEST

/* Not to a thread that has ended since it was found: it has no clock left. */
START_TEST(refused)
{
	fake_refuses = true;
	state.threads.newest = &table;
	timer_attach(&table);
	ck_assert_str_eq(notes(), "");
	fake_cpu = 1;
	timer_attach(&table);
	ck_assert_str_eq(notes(), "refused");
	ck_assert(!ticks->timed);
	turn(true);
	turn(false);
	ck_assert_str_eq(notes(), "go stand");
	ck_assert_int_eq(fake_timers[0].arms, 0);
	timer_detach(&table);
	ck_assert_str_eq(notes(), "");
}
END_TEST

static struct thread_table second;

static void another_turns_off(bool go)
{
	ck_assert_int_eq(signal_is_blocked(SIGTERM), 1);
	if (!go)
		return;
	wanted = false;
	timer_apply_blocked(); /* does not wait, and does nothing */
	ck_assert_str_eq(notes(), "go");
	ck_assert_int_eq(fake_timers[0].arms, 0);
}

static void another_attaches(int timer)
{
	if (timer != 0 || second.ticks.timed)
		return;
	second.next = state.threads.newest;
	state.threads.newest = &second;
	timer_attach(&second);
	timer_apply_blocked();
	ck_assert_int_eq(fake_timers[1].arms, 0);
}

/* While somebody is at it: that one looks again before it is done. */
START_TEST(two_at_once)
{
	state.threads.newest = &table;
	timer_attach(&table);
	in_set = another_turns_off;
	turn(true);
	ck_assert_str_eq(notes(), "stand");
	ck_assert(!sampler.running);
	ck_assert(!fake_timers[0].armed);
	ck_assert_int_eq(signal_is_blocked(SIGTERM), 0);
	in_set = NULL;
	fake_on_arm = another_attaches;
	turn(true);
	ck_assert_str_eq(notes(), "go");
	ck_assert(fake_timers[0].armed);
	ck_assert(fake_timers[1].armed);
	ck_assert_int_eq(fake_timers[0].arms, 2);
}
END_TEST

static jmp_buf in_child;

static void fork_there(bool go)
{
	(void)go;
	in_set = NULL;
	longjmp(in_child, 1);
}

/* Who was at it when the process forked is not in the child. */
START_TEST(forked_meanwhile)
{
	state.threads.newest = &table;
	timer_attach(&table);
	in_set = fork_there;
	if (!setjmp(in_child))
		turn(true);
	timer_apply();
	ck_assert_str_eq(notes(), "go");
	ck_assert(!fake_timers[0].armed);
	ticks->going = true; /* as in the parent */
	ticks->timed = false;
	timer_fork();
	ck_assert_str_eq(notes(), "process_fork go");
	ck_assert(sampler.running);
	timer_attach(&table);
	timer_apply();
	ck_assert_int_eq(fake_timers[1].arms, 1);
}
END_TEST

Suite *unit_timer_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_timer", &tcase);

	tcase_add_test(tcase, first_ticks);
	tcase_add_loop_test(tcase, whose_timer, 0, 4);
	tcase_add_test(tcase, stop_and_go);
	tcase_add_loop_test(tcase, due_is_owed, 0,
			    sizeof stops / sizeof *stops);
	tcase_add_test(tcase, late_signals_are_owed);
	tcase_add_test(tcase, foreign_signals);
	tcase_add_test(tcase, rings);
	tcase_add_loop_test(tcase, held_back, 0,
			    sizeof ticked / sizeof *ticked);
	tcase_add_test(tcase, held_ticks_owe);
	tcase_add_loop_test(tcase, last_ticks, 0, sizeof ends / sizeof *ends);
	tcase_add_loop_test(tcase, no_last_ticks, 0, 5);
	tcase_add_test(tcase, refused);
	tcase_add_test(tcase, two_at_once);
	tcase_add_test(tcase, forked_meanwhile);
	return suite;
}
