/* SPDX-License-Identifier: 0BSD */
/*
 * Profiling that is on in windows shorter than a tick gets the time that was
 * spent while it was on.  A part of that is in the C library and the kernel
 * (moncontrol is system calls), so the sums count, not gprof's total.
 */
#include "tests/gprof/repeated.h"
#include "tests/suites.h"

#include <math.h>

static double sampled(const struct outcome *outcome)
{
	struct summary summary = summary_read(outcome->err);

	return summary.in_file + summary.outside + summary.runtime;
}

/*
 * Ticks of 10 ms over windows of random length: a window's share of ticks is
 * off by at most half a tick either way, so the sum over n windows by
 * sqrt(n / 4) ticks, and at most by that of independent ticks.
 */
START_TEST(random_windows)
{
	char *program = thread_program(both_modes[_i], "windows.c");
	struct outcome outcome;
	double on, deviation;

	if (!program)
		return;
	outcome = thread_run("GMON_OPTIONS=verbose=1", program,
			     repeats(1) > 1 ? "random 10" : "random 4");
	on = printed_number(outcome.out, "on");
	deviation = sqrt(on / 0.01) * 0.01;
	ck_assert_double_eq_tol(sampled(&outcome), on, 4 * deviation);
}
END_TEST

START_TEST(even_windows)
{
	char *program = thread_program(both_modes[_i], "windows.c");

	for (int i = program ? repeats(1) : 0; i; i--) {
		struct outcome outcome = thread_run("GMON_OPTIONS=verbose=1",
						    program, "even 200");
		double on = printed_number(outcome.out, "on");
		struct profile profile =
			profile_read(outcome.directory, program, "gmon.out");

		ck_assert_double_ge(on, 0.8);
		ck_assert_double_eq_tol(sampled(&outcome), on, 0.15 * on);
		/* what was off is not in the profile */
		ck_assert_double_le(profile_seconds(&profile, "outside"),
				    0.05);
	}
}
END_TEST

Suite *thread_windows_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("thread_windows", &tcase);

	tcase_set_timeout(tcase, 3600);
	add_for_modes(tcase, random_windows);
	add_for_modes(tcase, even_windows);
	return suite;
}
