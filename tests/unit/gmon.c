/* SPDX-License-Identifier: 0BSD */
/* The verbs: who turns counting on and off, and who may write when. */
#include "gmon/gmon.h"
#include "gmon/life.h"
#include "gmon/state.h"
#include "mcount/mcount.h"
#include "tests/harness.h"
#include "tests/suites.h"
#include "tests/unit/gmon_fakes.h"
#include "tests/unit/tools.h"

#include <errno.h>

enum { OTHER = 12345678 }; /* a writer, and no thread of ours */

static struct identity identity;
static struct counts counts;

static void start(void)
{
	state.identity = &identity;
	state.counts = &counts;
	notes();
	errno = 4711;
}

/* Nothing is left behind, whatever was done. */
static void check_left(int writer)
{
	ck_assert(!signals_are_blocked());
	ck_assert_int_eq(identity.writer, writer);
	ck_assert_int_eq(errno, 4711);
}

#define ON  "clock(1) count(1) sample(1)"
#define OFF "clock(0) count(0) sample(0)"

START_TEST(turns)
{
	start();
	moncontrol(0);
	ck_assert_str_eq(notes(), "");
	moncontrol(-2);
	ck_assert_str_eq(notes(), ON);
	moncontrol(1);
	ck_assert_str_eq(notes(), "");
	moncontrol(0);
	ck_assert_str_eq(notes(), OFF);
	ck_assert(!state.on && !state.is_on && !state.turning);
	check_left(0);
}
END_TEST

static void ask_off(void)
{
	fake.while_turning = NULL;
	moncontrol(0);
	/* this one goes on, and leaves the work to the other */
	ck_assert(state.is_on && !state.on);
}

static void ask_off_and_on(void)
{
	fake.while_turning = NULL;
	moncontrol(0);
	moncontrol(1);
}

/* The last word counts, whoever says it while another thread is turning. */
START_TEST(turns_meanwhile)
{
	start();
	fake.while_turning = _i ? ask_off : ask_off_and_on;
	moncontrol(1);
	ck_assert_str_eq(notes(), _i ? ON " " OFF : ON);
	ck_assert_int_eq(state.is_on, !_i);
	ck_assert_int_eq(state.on, !_i);
	ck_assert(!state.turning);
	check_left(0);
}
END_TEST

START_TEST(ticks_are_taken)
{
	struct thread_ticks ticks = {.taken = 1};

	start();
	moncontrol(1);
	notes();
	ck_assert(fake.take(&ticks, (uintptr_t)mcount_code, 2));
	ck_assert(fake.take(&ticks, (uintptr_t)mcount_code_end - 1, 3));
	ck_assert_str_eq(notes(), "");
	ck_assert(fake.take(&ticks, (uintptr_t)mcount_code_end, 4));
	ck_assert(fake.take(&ticks, (uintptr_t)mcount_code - 1, 5));
	fake.is_full = true; /* the sampler counts these */
	ck_assert(!fake.take(&ticks, (uintptr_t)mcount_code_end, 6));
	ck_assert_str_eq(notes(), "bin(64,4) bin(-1,5) bin(64,6)");
	ck_assert_uint_eq(ticks.in_runtime, 5);
	ck_assert_uint_eq(ticks.taken, 10);
}
END_TEST

static void end_plainly(void)
{
	life_end(LIFE_EXIT);
}

static void end_quickly(void)
{
	life_end(LIFE_QUICK_EXIT);
}

static void end_by_signal(void)
{
	life_end(LIFE_SIGNAL);
}

static void dump_to_path(void)
{
	ck_assert_int_eq(mondump("path"),
			 fake.is_refused || !state_started() ? -1 : 0);
}

static void reset(void)
{
	ck_assert_int_eq(monreset(),
			 fake.is_refused || !state_started() ? -1 : 0);
}

static void unloading(void)
{
	life_unloading(0x7000);
}

static void unloaded(void)
{
	life_unloaded();
}

static const struct {
	void (*call)(void);
	const char *does;
	bool waits;
} verbs[] = {
	{dump_to_path, "write(path,0)", false},
	{_mcleanup, "write(,0)", false},
	{life_dump, "write(,1)", false},
	{reset, "reset", true},
	{unloading, "unloading(7000)", true},
	{unloaded, "unloaded", true},
	{end_plainly, "write(,0) summary", true},
	{end_quickly, "write(,1) summary", true},
	{end_by_signal, "write(,1) summary", true},
};

enum { VERB_COUNT = sizeof verbs / sizeof *verbs };

/* Each as the only writer; what it could not do is told. */
START_TEST(verb_writes)
{
	start();
	fake.is_refused = _i >= VERB_COUNT;
	verbs[_i % VERB_COUNT].call();
	ck_assert_str_eq(notes(), verbs[_i % VERB_COUNT].does);
	check_left(0);
}
END_TEST

START_TEST(verb_before_start)
{
	errno = 4711;
	verbs[_i].call();
	moncontrol(1);
	ck_assert_str_eq(notes(), "");
	ck_assert(!state.on);
	check_left(0);
}
END_TEST

/* A snapshot does not wait for another writer; all else does. */
START_TEST(verb_waits)
{
	start();
	identity.writer = OTHER;
	fake.writes_until = 3000;
	fake.is_refused = !verbs[_i].waits; /* for what mondump returns */
	verbs[_i].call();
	ck_assert_str_eq(notes(), verbs[_i].waits ? verbs[_i].does : "");
	ck_assert_int_eq(fake.waits, verbs[_i].waits ? 3000 : 0);
	check_left(verbs[_i].waits ? 0 : OTHER);
}
END_TEST

/* A child that found out by itself has no timers yet. */
START_TEST(verb_in_new_child)
{
	start();
	fake.is_new = true;
	verbs[_i].call();
	ck_assert_str_eq(notes(), text("fork %s", verbs[_i].does));
}
END_TEST

/* What shares its parent's memory neither writes nor waits. */
START_TEST(verb_in_borrowed_memory)
{
	start();
	fake.is_borrowed = fake.is_refused = true;
	identity.writer = OTHER;
	verbs[_i].call();
	ck_assert_str_eq(notes(), "");
	ck_assert(!identity.is_ending);
	check_left(OTHER);
}
END_TEST

/* The other waits for the loader, which may wait for who ends: not for ever. */
START_TEST(end_at_loader)
{
	int patience = _i == LIFE_SIGNAL ? 1000 : 10000;

	start();
	saying_begin();
	identity.writer = OTHER;
	identity.at_loader = true;
	life_end(_i);
	ck_assert_int_eq(fake.waits, patience);
	life_end(LIFE_EXIT); /* nor again */
	ck_assert_int_eq(fake.waits, patience);
	ck_assert_str_eq(notes(), "");
	ck_assert_int_eq(lines_said(), 1);
	check_left(OTHER);
}
END_TEST

/* A child made while another thread was turning off, half through. */
START_TEST(turns_in_new_child)
{
	start();
	state.is_on = true; /* as state_adopt leaves it */
	fake.is_new = true;
	moncontrol(1);
	ck_assert_str_eq(notes(), "fork " OFF " " ON);
}
END_TEST

/* An end in no handler waits on; so does a signal once the loader is done. */
START_TEST(loader_comes_back)
{
	start();
	identity.writer = OTHER;
	identity.at_loader = true;
	fake.loads_until = _i ? 999 : 0;
	fake.writes_until = 3000;
	life_end(_i ? LIFE_SIGNAL : LIFE_QUICK_EXIT);
	ck_assert_str_eq(notes(), "write(,1) summary");
	ck_assert_int_eq(fake.waits, 3000);
}
END_TEST

/* Whatever leads to it, even if nothing could be written the first time. */
START_TEST(ends_once)
{
	start();
	fake.is_refused = _i / 3;
	life_end(_i % 3);
	ck_assert_str_eq(notes(), text("write(,%d) summary", _i % 3 > 0));
	for (int end = LIFE_EXIT; end <= LIFE_SIGNAL; end++)
		life_end(end);
	life_dump();
	ck_assert_str_eq(notes(), "");
	/* which the program asked for, in a handler of its own at exit */
	dump_to_path();
	ck_assert_str_eq(notes(), "write(path,0)");
}
END_TEST

/* Snapshots, however close to one another, do not keep an end away. */
START_TEST(end_goes_first)
{
	start();
	identity.writer = OTHER;
	fake.writes_until = 1;
	fake.while_waiting = life_dump;
	life_end(LIFE_EXIT);
	ck_assert_str_eq(notes(), "write(,0) summary");
}
END_TEST

static const struct {
	bool forked, has_pid;
	enum life_end end;
	bool writes;
} children[] = {
	{true, false, LIFE_QUICK_EXIT, false},
	{true, true, LIFE_QUICK_EXIT, true},
	{true, false, LIFE_EXIT, true},
	{true, false, LIFE_SIGNAL, true},
	{false, false, LIFE_QUICK_EXIT, true},
};

/* A child that goes by _exit() leaves no file beside its parent's. */
START_TEST(child_leaves)
{
	start();
	state.forked = children[_i].forked;
	fake.has_pid = children[_i].has_pid;
	life_end(children[_i].end);
	ck_assert_int_eq(*notes() != 0, children[_i].writes);
	ck_assert_int_eq(identity.is_ending, children[_i].writes);
	check_left(0);
}
END_TEST

static const struct {
	bool is_untrusted;
	int user, effective_user, group, effective_group;
	unsigned low, high; /* capabilities in force */
	int capget_result;
	bool writes;
} rights[] = {
	{true, 7, 7, 8, 8, 0, 0, 0, true},
	{true, 0, 0, 0, 0, 1, 1, 0, true}, /* root has them anyway */
	{true, 7, 0, 8, 8, 0, 0, 0, false},
	{true, 0, 7, 8, 8, 0, 0, 0, false},
	{true, 7, 7, 8, 0, 0, 0, 0, false},
	{true, 7, 7, 8, 8, 2, 0, 0, false},
	{true, 7, 7, 8, 8, 0, 2, 0, false},
	{true, 7, 7, 8, 8, 0, 0, -1, false}, /* nobody knows */
	/* started by its caller alone: what it became is its own affair */
	{false, 7, 0, 8, 0, 1, 1, 0, true},
};

START_TEST(no_rights_are_lent)
{
	start();
	state.is_untrusted = rights[_i].is_untrusted;
	fake.user = rights[_i].user;
	fake.effective_user = rights[_i].effective_user;
	fake.group = rights[_i].group;
	fake.effective_group = rights[_i].effective_group;
	fake.capabilities[0] = rights[_i].low;
	fake.capabilities[1] = rights[_i].high;
	fake.capget_result = rights[_i].capget_result;
	ck_assert_int_eq(mondump("path"), rights[_i].writes ? 0 : -1);
	life_end(LIFE_EXIT);
	ck_assert_str_eq(notes(), rights[_i].writes
					  ? "write(path,0) write(,0) summary"
					  : "");
	check_left(0);
}
END_TEST

Suite *unit_gmon_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_gmon", &tcase);

	tcase_add_test(tcase, turns);
	tcase_add_loop_test(tcase, turns_meanwhile, 0, 2);
	tcase_add_test(tcase, ticks_are_taken);
	tcase_add_loop_test(tcase, verb_writes, 0, 2 * VERB_COUNT);
	tcase_add_loop_test(tcase, verb_before_start, 0, VERB_COUNT);
	tcase_add_loop_test(tcase, verb_waits, 0, VERB_COUNT);
	tcase_add_loop_test(tcase, verb_in_new_child, 0, VERB_COUNT);
	tcase_add_loop_test(tcase, verb_in_borrowed_memory, 0, VERB_COUNT);
	tcase_add_loop_test(tcase, end_at_loader, LIFE_EXIT, LIFE_SIGNAL + 1);
	tcase_add_test(tcase, turns_in_new_child);
	tcase_add_loop_test(tcase, loader_comes_back, 0, 2);
	tcase_add_loop_test(tcase, ends_once, 0, 6);
	tcase_add_test(tcase, end_goes_first);
	tcase_add_loop_test(tcase, child_leaves, 0,
			    sizeof children / sizeof *children);
	tcase_add_loop_test(tcase, no_rights_are_lent, 0,
			    sizeof rights / sizeof *rights);
	return suite;
}
