/* SPDX-License-Identifier: 0BSD */
/*
 * The time of threads: each function's against the CPU clock of its thread,
 * all together against what the kernel says was used.  Nobody who sleeps is
 * woken; signals that the program wants for itself are its own.
 */
#include "tests/gprof/repeated.h"
#include "tests/suites.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLE_MS = 10 };

/* One run of burn. */
struct burn {
	const char *command;
	char *out, *err;
	struct profile profile;
	struct summary summary;
};

static struct burn burn(const char *program, const char *arguments)
{
	struct outcome outcome =
		thread_run("GMON_OPTIONS=verbose=1", program, arguments);

	const char *line = strstr(outcome.err, "gcrt: gmon.out: ");

	ck_assert_msg(line != NULL, "%s: %s", outcome.command, outcome.err);
	/* a child's line, if there is one, has its pid */
	return (struct burn){
		outcome.command, outcome.out, outcome.err,
		profile_read(outcome.directory, program, "gmon.out"),
		summary_read(line),
	};
}

/* How far a run may be from the truth, in shares of it. */
struct limits {
	double time;	  /* of each function, */
	double samples;	  /* or this many samples, whichever is more */
	double unsampled; /* of all that was used */
};

static const struct limits strict = {0.05, 1.5, 0.01};
static const struct limits times_only = {0.05, 1.5, 1};

/* Each "time FUNCTION SECONDS" that it printed; null or what is wrong. */
static const char *check_times(const struct burn *b, const struct limits *most)
{
	const char *line = b->out;
	char name[64];
	double had;

	for (; (line = strstr(line, "time ")); line++) {
		double found, by;

		ck_assert(sscanf(line, "time %63s %lf", name, &had) == 2);
		found = profile_seconds(&b->profile, name);
		by = fmax(most->time * had, most->samples * SAMPLE_MS / 1000);
		if (fabs(found - had) > by + 0.001)
			return text("%s had %.3f s and gets %.2f s", name, had,
				    found);
	}
	return NULL;
}

/* The four sums are all that was used; how much of it is not sampled? */
static const char *check_sums(const struct burn *b, const struct limits *most)
{
	const struct summary *s = &b->summary;
	double used = printed_number(b->out, "used");
	double all = s->in_file + s->outside + s->runtime + s->not_sampled;

	if (fabs(all - used) > 0.02 * used + 0.01)
		return text("%.3f s used, %.3f s in the sums", used, all);
	if (s->not_sampled > most->unsampled * used + 0.01)
		return text("%.3f s used, %.3f s not sampled", used,
			    s->not_sampled);
	return NULL;
}

/*
 * The machine may be busy: a hypervisor that takes the CPU away for a tenth of
 * a second looks like a signal that was held back.  One run of three must be
 * within the limits.
 */
static struct burn burn_well(const char *program, const char *arguments,
			     const struct limits *most)
{
	const char *wrong = NULL;
	struct burn b;

	for (int i = 0; i < 3; i++) {
		b = burn(program, arguments);
		wrong = check_times(&b, most);
		if (!wrong)
			wrong = check_sums(&b, most);
		if (!wrong)
			return b;
	}
	ck_abort_msg("%s: %s\n%s", b.command, wrong, b.err);
}

/* The first four in each check, all of them with REPEAT. */
static const char *const loads[] = {
	"equal 8 4", "skewed 4 4", "equal 1 2", "skewed 2 4",
	"equal 2 4", "equal 4 4",  "equal 1 4", "skewed 8 4",
};

START_TEST(shares)
{
	char *program = thread_program(both_modes[_i % 2], "burn.c");

	if (program)
		burn_well(program, loads[_i], &strict);
}
END_TEST

/*
 * Threads that make no counted call: beside one that does, also one that was
 * there before profiling was on; and alone, where it takes a quarter of a
 * second until the process clock finds it.
 */
START_TEST(uncounted)
{
	char *program = thread_program(both_modes[_i], "burn.c");

	if (!program)
		return;
	burn_well(program, "before 0 2", &times_only);
	burn_well(program, "plain 0 2", &(struct limits){0.15, 1.5, 0.15});
}
END_TEST

/* 0.2 ms of work, 1 ms of sleep: a fifth of it or so is system calls. */
START_TEST(bursts)
{
	char *program = thread_program(both_modes[_i], "burn.c");

	if (program)
		burn_well(program, "bursts 0 2",
			  &(struct limits){0.25, 1.5, 0.05});
}
END_TEST

/* Sleepers of five kinds, beside two that burn. */
START_TEST(sleepers)
{
	char *program = thread_program(both_modes[_i], "burn.c");

	for (int i = program ? repeats(1) : 0; i; i--) {
		struct burn b = burn_well(program, "sleepers 0 2", &times_only);

		ck_assert_double_eq(printed_number(b.out, "interrupted"), 0);
	}
}
END_TEST

/*
 * A thread that has blocked all signals and makes no counted call cannot be
 * sampled; looking for it may wake a sleeper, ever more seldom.
 */
START_TEST(deaf)
{
	char *program = thread_program(both_modes[_i], "burn.c");
	struct burn b;

	if (!program)
		return;
	b = burn(program, "sleepers 1 3");
	ck_assert_double_le(printed_number(b.out, "interrupted"), 5);
	ck_assert_double_ge(b.summary.not_sampled, 2.9);
}
END_TEST

START_TEST(blocked)
{
	char *program = thread_program(both_modes[_i], "burn.c");
	struct burn b;

	if (!program)
		return;
	b = burn_well(program, "blocked_first 0 0.6", &times_only);
	ck_assert_double_eq(printed_number(b.out, "interrupted"), 0);
	b = burn_well(program, "blocked_later 0 0.5", &times_only);
	ck_assert_double_eq_tol(b.summary.not_sampled, 0.5, 0.03);
	ck_assert_double_le(profile_seconds(&b.profile, "unblock"), 0.02);
}
END_TEST

/* Every signal reset: no harm, and a line that says what it cost. */
START_TEST(resets)
{
	char *program = thread_program(both_modes[_i], "burn.c");
	struct burn b;

	if (!program)
		return;
	b = burn_well(program, "resets 0 0.3", &times_only);
	ck_assert_double_le(profile_seconds(&b.profile, "burn_1"), 0.015);
	ck_assert(strstr(b.err, "took over the signal of the ticks") != NULL);
	ck_assert_uint_eq(profile_calls(&b.profile, "burn_1"), 1);
}
END_TEST

/* SIGURG of the program's own, its handler before ours: it gets just those. */
START_TEST(own_signal_before)
{
	char *program = text("%s/urgent", getenv("RUN_DIRECTORY"));
	struct outcome outcome;

	if (program_is_for_musl()) {
		skip("urgent.c: musl loads no library with initial-exec TLS "
		     "into a program that runs");
		return;
	}
	command_output("/", "%s -o %s %s/tests/programs/urgent.c -ldl",
		       setting("CC"), program, setting("SOURCE"));
	outcome = thread_run("", program,
			     text("%s/libgmon.so", setting("BUILD")));
	ck_assert_double_eq(printed_number(outcome.out, "urgent"), 11);
}
END_TEST

/* And over ours: it works on, and a line says that sampling stopped. */
START_TEST(own_signal)
{
	char *program = thread_program(both_modes[_i], "burn.c");
	struct burn b;

	if (!program)
		return;
	b = burn_well(program, "takes_over 0 0.3", &times_only);
	ck_assert_double_ge(printed_number(b.out, "urgent"), 10);
	ck_assert(strstr(b.err, "sampling stopped") != NULL);
}
END_TEST

/* No timer to be had: the process clock stands in, and a line says so. */
START_TEST(refused)
{
	char *program = thread_program(both_modes[_i], "burn.c");
	struct burn b;

	if (!program)
		return;
	b = burn_well(program, "refused 0 3", &(struct limits){0.35, 1.5, 0.05});
	ck_assert(strstr(b.err, "refused timers") != NULL);
}
END_TEST

/*
 * ITIMER_PROF and SIGPROF are the program's: ten ticks, never one of ours.  On
 * a busy machine the kernel itself drops some of them, so the best run counts.
 */
START_TEST(own_timer)
{
	char *program = thread_program(both_modes[_i], "burn.c");
	double most = 0;

	for (int i = program ? 8 : 0; i && most < 8; i--) {
		struct burn b = burn_well(program, "own_timer 0 1",
					  &times_only);
		double own = printed_number(b.out, "own");

		ck_assert_double_le(own, 13);
		most = fmax(most, own);
	}
	ck_assert(!program || most >= 8);
}
END_TEST

Suite *thread_times_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("thread_times", &tcase);

	tcase_set_timeout(tcase, 3600);
	tcase_add_loop_test(tcase, shares, 0, repeats(0) ? 8 : 4);
	add_for_modes(tcase, uncounted);
	add_for_modes(tcase, bursts);
	add_for_modes(tcase, sleepers);
	add_for_modes(tcase, deaf);
	add_for_modes(tcase, blocked);
	add_for_modes(tcase, resets);
	tcase_add_test(tcase, own_signal_before);
	add_for_modes(tcase, own_signal);
	add_for_modes(tcase, refused);
	add_for_modes(tcase, own_timer);
	return suite;
}
