/* SPDX-License-Identifier: 0BSD */
/*
 * From before the first constructor to the end: calls of resolvers, stacks
 * that are unwound, and profiling that begins late.
 */
#include "tests/suites.h"
#include "tests/truth.h"

#include <stdlib.h>

START_TEST(exceptions_unwind)
{
	truth_holds(&modes[_i], "exceptions.cc", "-O1 -pthread");
}
END_TEST

START_TEST(threads_unwind)
{
	truth_holds(&modes[_i], "thread_ends.c", "-O1 -pthread");
}
END_TEST

/* The linker may drop what nothing refers to: not the unwind data. */
START_TEST(collected_unwind)
{
	static const struct mode *const *const both[] = {&mode_alone_static,
							 &mode_alone};

	truth_holds(*both[_i], "exceptions.cc",
		    "-O1 -pthread -ffunction-sections -Wl,--gc-sections");
}
END_TEST

START_TEST(early_calls_count)
{
	truth_holds(&modes[_i], "early.c", "-O1");
}
END_TEST

/* Nothing is counted that came before profiling was switched on. */
static void late_in(const struct mode *mode, const char *arguments,
		    unsigned long long after)
{
	char *program = program_build(mode, "early.c", "-O1");
	struct outcome outcome;
	struct profile profile;

	setenv("GMON_OPTIONS", "start=off", 1);
	outcome = program_run_well(program, arguments);
	ck_assert_msg(!*outcome.err, "%s", outcome.err);
	profile = profile_read(outcome.directory, program, "gmon.out");
	ck_assert_msg(profile_calls(&profile, "after") == after, "%s: %.3000s",
		      mode->name, profile.text);
	for (size_t i = 0; i < profile.function_count; i++)
		if (profile.functions[i].calls)
			ck_assert_str_eq(profile.functions[i].name, "after");
}

START_TEST(late_start_drops)
{
	if (!mode_is_there(&modes[_i]) || !program_is_there("early.c"))
		return;
	late_in(&modes[_i], "", 0);
	late_in(&modes[_i], "on", 5);
}
END_TEST

/* In a dynamic program the C library is outside: it has one name. */
START_TEST(callers_are_external)
{
	char *program =
		program_build(mode_alone, "callbacks.c", "-O1 -pthread");
	struct outcome outcome = program_run_well(program, "");
	struct profile profile =
		profile_read(outcome.directory, program, "gmon.out");

	ck_assert_int_eq(profile_arc(&profile, "<external>", "main"), 1);
	ck_assert_int_eq(profile_arc(&profile, "<external>", "body"), 3);
	ck_assert_int_eq(profile_arc(&profile, "<external>", "bye"), 1);
}
END_TEST

START_TEST(pending_tick_is_harmless)
{
	const struct mode *mode = _i ? mode_found_static : mode_alone;

	if (!mode_is_there(mode))
		return;
	truth_holds(mode, "pending.c", "-O1");
	ck_assert_str_eq(
		program_run_well(program_build(mode, "pending.c", "-O1"), "")
			.out,
		"alive\n");
}
END_TEST

/* Too small for any handler, for ours, and big enough. */
START_TEST(alternate_stacks)
{
	static const int sizes[] = {2048, 4096, 16384};
	const struct mode *mode = _i ? mode_found_static : mode_found;
	char *program;

	if (!mode_is_there(mode) ||
	    program_is_checked("valgrind", "what lies below an alternate "
					   "stack: to it, nobody's"))
		return;
	program = program_build(mode, "small_alternate.c", "-O1");
	for (int i = 0; i < 3; i++) {
		struct outcome outcome =
			program_run_well(program, text("%d", sizes[i]));
		struct profile profile =
			profile_read(outcome.directory, program, "gmon.out");

		truth_check_stated("small_alternate.c", "", &profile,
				   mode->name);
		ck_assert(profile_seconds(&profile, "work") > 0);
	}
}
END_TEST

Suite *lifetime_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("lifetime", &tcase);

	tcase_add_loop_test(tcase, exceptions_unwind, 0, mode_count);
	tcase_add_loop_test(tcase, threads_unwind, 0, mode_count);
	tcase_add_loop_test(tcase, collected_unwind, 0, 2);
	tcase_add_loop_test(tcase, early_calls_count, 0, mode_count);
	tcase_add_loop_test(tcase, late_start_drops, 0, mode_count);
	tcase_add_test(tcase, callers_are_external);
	tcase_add_loop_test(tcase, pending_tick_is_harmless, 0, 2);
	tcase_add_loop_test(tcase, alternate_stacks, 0, 2);
	return suite;
}
