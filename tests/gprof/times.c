/* SPDX-License-Identifier: 0BSD */
/*
 * Time: known shares by ratio, and the four sums of the verbose=1 line against
 * what the kernel says that the process used.
 */
#include "tests/suites.h"
#include "tests/truth.h"

#include <math.h>
#include <stdlib.h>

enum { SHARES = 16 };

static void share_is(const struct profile *profile, const char *function,
		     int share)
{
	double seconds = profile_seconds(profile, function);
	double due = profile_total(profile) * share / SHARES;

	/*
	 * Ticks are sampled: of about 200 there are 12 in the smallest share,
	 * which vary by 3.5; four times that is tolerated.
	 */
	ck_assert_msg(fabs(seconds - due) <
			      4 * sqrt(due * profile_total(profile) / 200),
		      "%s has %.2f s instead of %.2f s\n%.3000s", function,
		      seconds, due, profile->text);
}

START_TEST(shares_hold)
{
	const struct mode *mode = _i ? mode_found_static : mode_alone;
	struct outcome outcome;
	struct profile profile;
	char *program;

	if (!mode_is_there(mode))
		return;
	program = program_build(mode, "times.c", "-O1");
	outcome = program_run_well(program, "");
	profile = profile_read(outcome.directory, program, "gmon.out");
	ck_assert_msg(fabs(profile_total(&profile) / outcome.cpu - 1) < 0.05,
		      "%.2f s in the profile of %.2f s\n%.3000s",
		      profile_total(&profile), outcome.cpu, profile.text);
	share_is(&profile, "one", 1);
	share_is(&profile, "two", 2);
	share_is(&profile, "five", 5);
	share_is(&profile, "eight", 4);
	share_is(&profile, "half_of_eight", 4);
}
END_TEST

static const struct {
	const char *options;
	const char *arguments;
	double not_sampled; /* seconds that are kept from being sampled */
} mixtures[] = {
	{"verbose=1", "", 0},
	{"verbose=1:rate=1000", "", 0},
	{"verbose=1", "blocked", 0.6},
	{"verbose=1", "parallel", 0},
};

enum { MIXTURE_COUNT = sizeof mixtures / sizeof *mixtures };

static void sums_are_all(const struct summary *sums, double cpu,
			 double not_sampled, const char *where)
{
	double sum = sums->in_file + sums->outside + sums->runtime +
		     sums->not_sampled;

	ck_assert_msg(fabs(sum / cpu - 1) < 0.03,
		      "%s: %.2f + %.2f + %.2f + %.2f s are not %.2f s", where,
		      sums->in_file, sums->outside, sums->runtime,
		      sums->not_sampled, cpu);
	/* what is blocked for a while loses or wins a tick at either end */
	ck_assert_msg(fabs(sums->not_sampled - not_sampled) <
			      0.03 * cpu + 0.1 * not_sampled,
		      "%s: %.2f s were not sampled instead of %.2f s", where,
		      sums->not_sampled, not_sampled);
}

START_TEST(sums_hold)
{
	const struct mode *mode = _i % 2 ? mode_found_static : mode_alone;
	struct outcome outcome;
	struct summary sums;
	char *program;

	if (!mode_is_there(mode))
		return;
	program = program_build(mode, "mixture.c", "-O1 -pthread");
	setenv("GMON_OPTIONS", mixtures[_i].options, 1);
	outcome = program_run_well(program, mixtures[_i].arguments);
	sums = summary_read(outcome.err);
	sums_are_all(&sums, outcome.cpu, mixtures[_i].not_sampled,
		     text("%s %s: %s", mode->name, mixtures[_i].options,
			  outcome.err));
	/* an emulator stops between blocks only, which moves time a little */
	ck_assert_msg(sums.in_file > 0.2 &&
			      sums.runtime > (*setting("RUN") ? 0 : 0.05),
		      "%s: time is missing where there was some: %s",
		      mode->name, outcome.err);
	/* the C library is in the file of a static program */
	if (mode == mode_alone)
		ck_assert_msg(sums.outside > (*setting("RUN") ? 0.2 : 0.4),
			      "%s", outcome.err);
	ck_assert_int_eq(sums.calls_lost, 0);
}
END_TEST

/* The parts as gprof adds them up, in a program that is all its own text. */
START_TEST(file_agrees_with_summary)
{
	char *program = program_build(mode_alone, "times.c", "-O1");
	struct outcome outcome;
	struct summary sums;
	struct profile profile;

	setenv("GMON_OPTIONS", "verbose=1", 1);
	outcome = program_run_well(program, "");
	sums = summary_read(outcome.err);
	profile = profile_read(outcome.directory, program, "gmon.out");
	ck_assert_msg(fabs(profile_total(&profile) - sums.in_file) < 0.015,
		      "gprof says %.2f s: %s", profile_total(&profile),
		      outcome.err);
	ck_assert_str_eq(sums.name, "gmon.out");
}
END_TEST

/* How the sampler knows a tick that was held back. */
START_TEST(unblocking)
{
	char *flags = text("-O1 -D_GNU_SOURCE -I%s -I%s/profil/%s",
			   setting("SOURCE"), setting("SOURCE"),
			   setting("ARCH"));

	program_run_well(program_build(mode_alone, "unblocked.c", flags), "");
}
END_TEST

Suite *times_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("times", &tcase);

	tcase_add_loop_test(tcase, shares_hold, 0, 2);
	tcase_add_loop_test(tcase, sums_hold, 0, MIXTURE_COUNT);
	tcase_add_test(tcase, file_agrees_with_summary);
	tcase_add_test(tcase, unblocking);
	return suite;
}
