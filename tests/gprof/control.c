/* SPDX-License-Identifier: 0BSD */
/* What gmon.h promises of each of its functions. */
#include "tests/suites.h"
#include "tests/truth.h"

#include <string.h>

static const struct {
	const char *scenario;
	int lines;          /* of warning */
	long first, second; /* calls of f in the files that it leaves */
} scenarios[] = {
	{"off_and_on", 0, -1, -1}, {"empty_range", 2, -1, -1},
	{"huge_range", 0, -1, -1}, {"twice", 0, -1, -1},
	{"dump", 1, 10, 20},       {"cleanup", 0, 10, 20},
	{"reset", 0, 7, -1},       {"reset_at_end", 0, -1, -1},
	{"narrow", 0, -1, -1},     {"beside", 0, -1, -1},
	{"far_beside", 0, -1, -1},
};

enum { SCENARIO_COUNT = sizeof scenarios / sizeof *scenarios };

static void calls_of_f(const struct outcome *outcome, const char *program,
		       const char *file, long due)
{
	bool is_there = file_exists(text("%s/%s", outcome->directory, file));
	struct profile profile;

	ck_assert_int_eq(is_there, due >= 0);
	if (!is_there)
		return;
	profile = profile_read(outcome->directory, program, file);
	ck_assert_msg(profile_calls(&profile, "f") == (unsigned long long)due,
		      "%s: %.3000s", file, profile.text);
}

static void scenario_holds(const struct mode *mode, int i)
{
	struct outcome outcome;
	struct profile profile;
	char *program;

	if (!mode_is_there(mode))
		return;
	program = program_build(mode, "control.c",
				text("-O1 -I%s", setting("SOURCE")));
	outcome = program_run_well(program, scenarios[i].scenario);
	ck_assert_msg(text_count(outcome.err, "\n") == scenarios[i].lines &&
			      text_count(outcome.err, "gcrt: ") ==
				      scenarios[i].lines,
		      "%s: %s", scenarios[i].scenario, outcome.err);
	profile = profile_read(outcome.directory, program, "gmon.out");
	truth_check("control.c", outcome.out, &profile,
		    text("%s %s", scenarios[i].scenario, mode->name));
	calls_of_f(&outcome, program, "first", scenarios[i].first);
	calls_of_f(&outcome, program, "second", scenarios[i].second);
}

START_TEST(promises_hold)
{
	scenario_holds(mode_alone, _i);
	scenario_holds(mode_found_static, _i);
}
END_TEST

Suite *control_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("control", &tcase);

	tcase_add_loop_test(tcase, promises_hold, 0, SCENARIO_COUNT);
	return suite;
}
