/* SPDX-License-Identifier: 0BSD */
/*
 * Engines and rates: the sums against what the kernel says was used, and what
 * becomes of the perf engine where it is refused, blocked out or left behind.
 *
 * The machine may be busy, and what a hypervisor takes away looks like CPU
 * time: a run of times may be repeated twice.
 */
#include "tests/suites.h"
#include "tests/truth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PERF "verbose=1:engine=perf:rate=1000"

enum { ATTEMPTS = 3 };

/* A run of engines.c, and what it said. */
struct run {
	struct outcome outcome;
	struct summary sums;
	double sampled; /* seconds */
	double user;
};

static double number(const char *out, const char *name)
{
	const char *line = strstr(out, name);

	ck_assert_msg(line != NULL, "no %s in: %s", name, out);
	return strtod(line + strlen(name), NULL);
}

static char *engines(void)
{
	return program_build(mode_found, "engines.c",
			     text("-O1 -pthread -I%s", setting("SOURCE")));
}

static struct run run_with(const char *launcher, const char *options,
			   const char *arguments)
{
	struct run run;

	setenv("GMON_OPTIONS", options, 1);
	run.outcome = command(directory_make(), "%s %s %s %s", launcher,
			      setting("RUN"), engines(), arguments);
	ck_assert_msg(run.outcome.status == 0, "%s: wait status %#x\n%s%s",
		      run.outcome.command, run.outcome.status,
		      run.outcome.out, run.outcome.err);
	run.sums = summary_read(run.outcome.err);
	run.sampled = run.sums.in_file + run.sums.outside + run.sums.runtime;
	run.user = number(run.outcome.out, "user ") / 1000;
	return run;
}

/* What is wrong with what was sampled of so much, or null. */
static char *complaint(const struct run *run, double due, double least,
		       double most)
{
	if (run->sampled >= due * least - 0.01 &&
	    run->sampled <= due * most + 0.01)
		return NULL;
	return text("%.3f s sampled of %.3f s: %s%s", run->sampled, due,
		    run->outcome.out, run->outcome.err);
}

/* One of three runs has between `least` and `most` of the user time. */
static struct run sampled_well(const char *options, const char *arguments,
			       double least, double most)
{
	char *wrong = NULL;
	struct run run;

	for (int i = 0; i < ATTEMPTS; i++) {
		run = run_with("", options, arguments);
		wrong = complaint(&run, run.user, least, most);
		if (!wrong)
			return run;
	}
	ck_abort_msg("%s: %s", arguments, wrong);
	return run;
}

/* False, with a skip, if the kernel has no rings for us. */
static bool has_perf(void)
{
	struct run run = run_with("", PERF, "parallel 1 1");
	char *said = strstr(run.outcome.err, "engine=perf");

	if (said)
		skip("engine=perf: %.*s", (int)strcspn(said, "\n"), said);
	return !said;
}

/* What the summary must say about rates beyond it. */
static long tick_rate(void)
{
	struct timespec resolution;

	clock_getres(CLOCK_MONOTONIC_COARSE, &resolution);
	return 1000000000 / resolution.tv_nsec;
}

static const struct {
	const char *options;
	bool perf;
} rated[] = {
	{"verbose=1:rate=1000", false},
	{PERF, true},
	{"verbose=1:rate=100000", false},
	{"verbose=1:rate=10000:engine=perf", true},
};
static const char *const loads[] = {
	"parallel 1 1000", "parallel 2 500", "parallel 4 250", "parallel 8 125",
};

/*
 * All rates with one thread, 1000 Hz with more.  The end of each thread loses
 * half a tick of the kernel (timer) or a sample (perf).
 */
START_TEST(sums_hold)
{
	int kind = _i < 8 ? _i / 4 : _i - 6, load = _i < 8 ? _i % 4 : 0;
	char *wrong = NULL;

	if (rated[kind].perf && !has_perf())
		return;
	for (int i = 0; i < ATTEMPTS; i++) {
		struct run run = run_with("", rated[kind].options, loads[load]);

		wrong = rated[kind].perf
				? complaint(&run, run.user, 0.96, 1.02)
				: complaint(&run, run.outcome.cpu,
					    0.98 - 0.005 * (1 << load), 1.02);
		ck_assert_int_eq(text_count(run.outcome.err,
					    "the kernel's tick lets "),
				 kind == 2 || (kind == 0 && tick_rate() < 1000));
		if (!wrong)
			return;
	}
	ck_abort_msg("%s %s: %s", rated[kind].options, loads[load], wrong);
}
END_TEST

/* All signals blocked, and no call that is not known. */
START_TEST(blocked_threads)
{
	if (has_perf())
		sampled_well(PERF, "blocked 3 200", 0.95, 1.02);
}
END_TEST

static const char *const both[] = {"verbose=1:rate=1000", PERF};

/* Nobody who waits sees EINTR; the program says 6 otherwise. */
START_TEST(nobody_is_woken)
{
	sampled_well(both[_i], "sleeping 2 250", 0.94, 1.05);
}
END_TEST

START_TEST(descriptors_are_closed)
{
	sampled_well(both[_i], "closing 4 60", 0.93, 1.05);
}
END_TEST

/* Rings go with their threads: no more than lived at once, and some. */
START_TEST(rings_go)
{
	struct run run;

	if (!has_perf())
		return;
	run = sampled_well(PERF, "churn 60 3", 0.93, 1.02);
	ck_assert_msg(number(run.outcome.out, "rings ") <= 16, "%s",
		      run.outcome.out);
}
END_TEST

/* A child has rings of its own, and its time in its own file. */
START_TEST(child_has_rings)
{
	struct profile parent, child;
	struct run run;
	char *program = engines();

	run = run_with("", both[_i], "family 2 150");
	child = profile_read(run.outcome.directory, program, "gmon.out.*");
	parent = profile_read(run.outcome.directory, program, "gmon.out");
	ck_assert_msg(fabs(profile_seconds(&parent, "spin") - 0.3) < 0.05,
		      "%.2000s", parent.text);
	ck_assert_msg(fabs(profile_seconds(&child, "spin") - 0.6) < 0.08,
		      "%.2000s", child.text);
}
END_TEST

/* Windows of a millisecond, on and off in turn. */
START_TEST(windows_are_fair)
{
	char *wrong = NULL;

	if (!has_perf())
		return;
	for (int i = 0; i < ATTEMPTS; i++) {
		struct run run = run_with("", PERF, "windows 400 0");
		double on = number(run.outcome.out, "on ") / 1000;
		struct profile profile = profile_read(run.outcome.directory,
						      engines(), "gmon.out");

		wrong = complaint(&run, on, 0.9, 1.1);
		if (!wrong && profile_seconds(&profile, "unseen") > 0.02 * on)
			wrong = profile.text;
		if (!wrong)
			return;
	}
	ck_abort_msg("%.2000s", wrong);
}
END_TEST

/* Ten runs of 8 ms; gprof rounds each function's time. */
START_TEST(short_runs)
{
	char *program = program_build(mode_found, "times.c", "-O1");
	char *directory = directory_make();
	struct profile profile;

	if (!has_perf())
		return;
	command_output(directory,
		       "for i in 0 1 2 3 4 5 6 7 8 9; do "
		       "GMON_OPTIONS=engine=perf:rate=1000:file=g.$i %s 8 || "
		       "exit; done",
		       program);
	profile = profile_read(directory, program, "g.*");
	ck_assert_msg(profile_total(&profile) > 0.045 &&
			      profile_total(&profile) < 0.12,
		      "%.3000s", profile.text);
	ck_assert_msg(profile_seconds(&profile, "five") > 0.005 &&
			      profile_seconds(&profile, "eight") > 0.005 &&
			      profile_seconds(&profile, "half_of_eight") >
				      0.005,
		      "%.3000s", profile.text);
}
END_TEST

/*
 * The kernel refuses all rings, or, to a user who may lock no memory, those of
 * most threads: one line, and timers sample who has no ring.
 */
static const struct {
	const char *launcher;
	const char *load;
	bool needs_root;
} refusals[] = {
	{"strace -f --seccomp-bpf -qq -o log -e trace=perf_event_open "
	 "-e inject=perf_event_open:error=EACCES",
	 "parallel 4 150", false},
	{"strace -f --seccomp-bpf -qq -o log -e trace=perf_event_open "
	 "-e inject=perf_event_open:error=EMFILE",
	 "parallel 4 150", false},
	{"chmod 777 . && ulimit -l 0 && exec setpriv --reuid=65534 "
	 "--regid=65534 --clear-groups --inh-caps=-all",
	 "parallel 48 20", true},
};
enum { REFUSAL_COUNT = sizeof refusals / sizeof *refusals };

START_TEST(refused_rings)
{
	char *wrong = NULL;

	if (refusals[_i].needs_root && geteuid() != 0) {
		skip("RLIMIT_MEMLOCK: only root can become another user");
		return;
	}
	if (*setting("RUN") || !has_perf())
		return;
	for (int i = 0; i < ATTEMPTS; i++) {
		struct run run = run_with(refusals[_i].launcher, PERF,
					  refusals[_i].load);

		ck_assert_msg(text_count(run.outcome.err, "engine=perf: ") ==
				      1,
			      "%s: %s", run.outcome.command, run.outcome.err);
		wrong = complaint(&run, run.user, 0.75, 1.3);
		if (!wrong)
			return;
	}
	ck_abort_msg("%s: %s", refusals[_i].launcher, wrong);
}
END_TEST

/* Elapsed time: who waits has as much of it as who works. */
START_TEST(wall_clock)
{
	char *wrong = NULL;

	for (int i = 0; i < ATTEMPTS; i++) {
		struct run run = run_with("", "verbose=1:clock=wall",
					  "waiting 2 400");
		double due = number(run.outcome.out, "elapsed ") / 1000;
		struct profile profile = profile_read(run.outcome.directory,
						      engines(), "gmon.out");

		wrong = complaint(&run, due, 0.9, 1.05);
		if (!wrong && fabs(profile_seconds(&profile, "spin") - 0.4) >
				      0.08)
			wrong = profile.text;
		if (!wrong)
			return;
	}
	ck_abort_msg("%.2000s", wrong);
}
END_TEST

Suite *engines_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("engines", &tcase);

	tcase_add_loop_test(tcase, sums_hold, 0, 10);
	tcase_add_test(tcase, blocked_threads);
	tcase_add_loop_test(tcase, nobody_is_woken, 0, 2);
	tcase_add_loop_test(tcase, descriptors_are_closed, 0, 2);
	tcase_add_test(tcase, rings_go);
	tcase_add_loop_test(tcase, child_has_rings, 0, 2);
	tcase_add_test(tcase, windows_are_fair);
	tcase_add_test(tcase, short_runs);
	tcase_add_loop_test(tcase, refused_rings, 0, REFUSAL_COUNT);
	tcase_add_test(tcase, wall_clock);
	return suite;
}
