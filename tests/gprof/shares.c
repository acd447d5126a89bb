/* SPDX-License-Identifier: 0BSD */
/*
 * The shares of a known mixture, within what chance does to samples: the
 * chi-squared sum over ten runs, and that of all of them together.
 */
#include "tests/suites.h"
#include "tests/truth.h"

#include <math.h>
#include <stdlib.h>

/* times.c: of 16 units. */
static const struct {
	const char *function;
	int share;
} parts[] = {
	{"one", 1}, {"two", 2}, {"five", 5}, {"eight", 4}, {"half_of_eight", 4},
};
enum { PART_COUNT = sizeof parts / sizeof *parts, RUNS = 10 };

/* Chance alone is above these once in 100 000 times: 40 and 4 degrees. */
#define EACH_MAX 91.5
#define ALL_MAX  28.5

/* At 100 Hz each tick is one unit of gprof's last digit. */
static void add_ticks(double *ticks, const char *program)
{
	struct outcome outcome = program_run_well(program, "200");
	struct profile profile =
		profile_read(outcome.directory, program, "gmon.out");

	for (int i = 0; i < PART_COUNT; i++)
		ticks[i] += round(100 * profile_seconds(&profile,
							parts[i].function));
}

static double chi_squared(const double *ticks)
{
	double sum = 0, all = 0;

	for (int i = 0; i < PART_COUNT; i++)
		all += ticks[i];
	for (int i = 0; i < PART_COUNT; i++) {
		double due = all * parts[i].share / 16;

		sum += (ticks[i] - due) * (ticks[i] - due) / due;
	}
	return sum;
}

static const char *const engines[] = {"engine=timer", "engine=perf"};

START_TEST(shares_are_chance)
{
	char *program = program_build(mode_found, "times.c", "-O1");
	double all[PART_COUNT] = {0}, each = 0;

	setenv("GMON_OPTIONS", engines[_i], 1);
	for (int run = 0; run < RUNS; run++) {
		double ticks[PART_COUNT] = {0};

		add_ticks(ticks, program);
		each += chi_squared(ticks);
		for (int i = 0; i < PART_COUNT; i++)
			all[i] += ticks[i];
	}
	ck_assert_msg(all[0] + all[1] + all[2] + all[3] + all[4] > 140,
		      "%s: there were hardly any ticks", engines[_i]);
	ck_assert_msg(each < EACH_MAX && chi_squared(all) < ALL_MAX,
		      "%s: %.1f in each run, %.1f in all: %.0f %.0f %.0f %.0f "
		      "%.0f",
		      engines[_i], each, chi_squared(all), all[0], all[1],
		      all[2], all[3], all[4]);
}
END_TEST

Suite *shares_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("shares", &tcase);

	tcase_add_loop_test(tcase, shares_are_chance, 0, 2);
	return suite;
}
