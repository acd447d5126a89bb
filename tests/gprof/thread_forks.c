/* SPDX-License-Identifier: 0BSD */
/*
 * Children: each has its own counts, timers and file; the files add up to the
 * truth; whatever the parent's threads were doing, the child is healthy; who
 * shares its parent's memory writes nothing.
 */
#include "tests/gprof/repeated.h"
#include "tests/suites.h"

#include <stdlib.h>
#include <string.h>

#define BY_PID "GMON_OUT_PREFIX=g"

/* common, in_parent, in_child of one file or of all that match. */
static void check_calls(const char *directory, const char *program,
			const char *file, const unsigned long long calls[3])
{
	static const char *const names[] = {"common", "in_parent", "in_child"};
	struct profile profile = profile_read(directory, program, file);

	for (int i = 0; i < 3; i++)
		ck_assert_msg(profile_calls(&profile, names[i]) == calls[i],
			      "%s/%s: %s: %llu instead of %llu", directory,
			      file, names[i],
			      profile_calls(&profile, names[i]), calls[i]);
}

static bool keeps_wiped(void)
{
	return !program_is_checked("valgrind", NULL) &&
	       emulated("children that no atfork handler knows of: qemu-user "
			"keeps what MADV_WIPEONFORK wipes");
}

#define CALLS(...) ((const unsigned long long[3]){__VA_ARGS__})

static int file_count(const struct outcome *outcome)
{
	return text_count(directory_names(outcome->directory), " ");
}

/* The one name in the folder that begins with this and is not that. */
static char *other_name(const char *directory, const char *prefix,
			const char *known)
{
	char *names = directory_names(directory), *name;

	while ((name = strsep(&names, " ")))
		if (strncmp(name, prefix, strlen(prefix)) == 0 &&
		    strcmp(name, known) != 0)
			return name;
	ck_abort_msg("%s: only %s", directory, known);
	return NULL;
}

/* fork(): its own file, under a name without a pid and with one. */
START_TEST(two_processes)
{
	char *program = thread_program(both_modes[_i], "forks.c");
	struct outcome outcome;
	char *child;

	if (!program)
		return;
	outcome = thread_run("", program, "one 0");
	ck_assert_int_eq(file_count(&outcome), 2);
	child = other_name(outcome.directory, "gmon.out.", "");
	check_calls(outcome.directory, program, child, CALLS(0, 0, 10));
	check_calls(outcome.directory, program, "gmon.out",
		    CALLS(1000, 20, 0));
	outcome = thread_run(BY_PID, program, "one 0");
	ck_assert_int_eq(file_count(&outcome), 2);
	check_calls(outcome.directory, program, "g.*", CALLS(1000, 20, 10));
}
END_TEST

/* A child that leaves by _exit() writes only under a name of its own. */
START_TEST(quick_end)
{
	static const char *const scenarios[] = {"quick 0", "raw_quick 0"};
	char *program = thread_program(both_modes[_i % 2], "forks.c");
	const char *scenario = scenarios[_i / 2];
	struct outcome outcome;

	if (!program || (_i / 2 == 1 && keeps_wiped()))
		return;
	outcome = thread_run("", program, scenario);
	ck_assert_int_eq(file_count(&outcome), 1);
	check_calls(outcome.directory, program, "gmon.out",
		    CALLS(1000, 20, 0));
	outcome = thread_run(BY_PID, program, scenario);
	/* a dynamic program's _exit is ours, too */
	ck_assert_int_eq(file_count(&outcome), 2);
	check_calls(outcome.directory, program, "g.*", CALLS(1000, 20, 10));
}
END_TEST

/* Time in the child, by fork() and by a bare clone without its handlers. */
START_TEST(child_time)
{
	char *program = thread_program(both_modes[_i], "forks.c");
	struct outcome outcome;
	struct profile profile;
	char *child;

	if (!program)
		return;
	outcome = thread_run("", program, "time 0");
	child = other_name(outcome.directory, "gmon.out.", "");
	profile = profile_read(outcome.directory, program, child);
	ck_assert_double_eq_tol(profile_seconds(&profile, "busy"), 0.5, 0.06);
	ck_assert_uint_eq(profile_calls(&profile, "busy"), 1);
	profile = profile_read(outcome.directory, program, "gmon.out");
	ck_assert_double_le(profile_seconds(&profile, "busy"), 0.015);
	if (keeps_wiped())
		return;
	outcome = thread_run("", program, "raw 0");
	child = other_name(outcome.directory, "gmon.out.", "");
	profile = profile_read(outcome.directory, program, child);
	ck_assert_double_eq_tol(profile_seconds(&profile, "busy"), 0.3, 0.05);
	check_calls(outcome.directory, program, child, CALLS(0, 0, 10));
}
END_TEST

/* fork=inherit: what the parent did stands in both files. */
START_TEST(inherit)
{
	static const char *const scenarios[] = {"one 0", "raw 0"};
	char *program = thread_program(both_modes[_i % 2], "forks.c");
	struct outcome outcome;
	struct profile profile;
	char *child;

	if (!program || (_i / 2 == 1 && keeps_wiped()))
		return;
	outcome = thread_run("GMON_OPTIONS=fork=inherit", program,
			     scenarios[_i / 2]);
	child = other_name(outcome.directory, "gmon.out.", "");
	check_calls(outcome.directory, program, "gmon.out",
		    CALLS(1000, 20, 0));
	check_calls(outcome.directory, program, child, CALLS(1000, 0, 10));
	if (_i / 2 == 0)
		return;
	profile = profile_read(outcome.directory, program, child);
	ck_assert_double_eq_tol(profile_seconds(&profile, "busy"), 0.3, 0.05);
}
END_TEST

/* 50 processes: their files, one by one and added up. */
START_TEST(tree)
{
	char *program = thread_program(both_modes[_i], "forks.c");
	struct outcome outcome;

	if (!program)
		return;
	outcome = thread_run(BY_PID, program, "tree 0");
	ck_assert_int_eq(file_count(&outcome), 50);
	command_output(outcome.directory, "%s -s %s g.*", setting("GPROF"),
		       program);
	/* 49 children; levels 7 x 1 and 42 x 2 */
	check_calls(outcome.directory, program, "gmon.sum",
		    CALLS(5, 91, 147));
}
END_TEST

/* Each the child of the one before: nothing piles up. */
START_TEST(chain)
{
	char *program = thread_program(both_modes[_i], "forks.c");
	struct outcome outcome;
	struct profile profile;
	unsigned depth = emulated(NULL) ? 20 : 200;

	if (!program)
		return;
	outcome = thread_run(BY_PID, program, text("chain %u", depth));
	ck_assert_int_eq(file_count(&outcome), (int)depth + 1);
	profile = profile_read(outcome.directory, program, "g.*");
	ck_assert_uint_eq(calls_of_all(&profile, "fan_"), depth * 64);
	ck_assert_uint_eq(profile_calls(&profile, "in_child"), depth);
}
END_TEST

/* Forks while other threads count, come, go, and let tables grow. */
START_TEST(under_load)
{
	char *program = thread_program(both_modes[_i], "forks.c");
	int forks = repeats(1) > 1 ? 1000 : 200;

	/* valgrind takes a tenth of a second for each */
	if (program_is_checked("valgrind", NULL))
		forks = 48;
	else if (emulated("forks while threads begin: qemu-user itself fails"))
		return;
	if (program_is_checked("-fsanitize", "forks while threads begin: a "
					     "child keeps locks of its malloc"))
		return;
	for (int i = program ? repeats(1) : 0; i; i--) {
		struct outcome outcome =
			thread_run(BY_PID, program, text("load %d", forks));
		struct profile profile =
			profile_read(outcome.directory, program, "g.*");
		/* an eighth of the children starts a thread, like the load */
		int threads = forks / 8;

		/* two children of one number leave one file: once more */
		if (printed_number(outcome.out, "reused") > 0) {
			i++;
			continue;
		}
		ck_assert_int_eq(file_count(&outcome), forks + 1);
		ck_assert_uint_eq(profile_calls(&profile, "in_child"),
				  (unsigned)forks * 10);
		ck_assert_uint_eq(profile_calls(&profile, "in_parent"),
				  (unsigned)forks);
		ck_assert(profile_calls(&profile, "common") ==
			  printed_number(outcome.out, "common") +
				  threads * 100);
		ck_assert(calls_of_all(&profile, "fan_") ==
			  printed_number(outcome.out, "fan_") + threads * 64);
	}
}
END_TEST

/* vfork, posix_spawn, system: no file, no harm, calls count in the parent. */
START_TEST(borrowed_memory)
{
	char *program = thread_program(both_modes[_i], "forks.c");
	struct outcome outcome;

	if (!program ||
	    emulated("vfork and posix_spawn: to qemu-user they are fork"))
		return;
	outcome = thread_run(BY_PID, program, "vfork 100");
	ck_assert_int_eq(file_count(&outcome), 1);
	check_calls(outcome.directory, program, "g.*", CALLS(0, 100, 100));
	outcome = thread_run(BY_PID, program, "spawn 100");
	ck_assert_int_eq(file_count(&outcome), 1);
	check_calls(outcome.directory, program, "g.*", CALLS(0, 100, 0));
}
END_TEST

/*
 * The process that goes on is a child: its file has its pid.  The one that was
 * started leaves by the C library's own _exit: in a static program that is
 * ours, and it writes.
 */
START_TEST(daemons)
{
	char *program = thread_program(both_modes[_i], "forks.c");
	struct outcome outcome;
	char *child;

	if (!program)
		return;
	/* the pipe ends with the last process that writes into it */
	outcome = command(directory_make(), "%s %s daemon 0 | cat",
			  setting("RUN"), program);
	ck_assert_int_eq(outcome.status, 0);
	child = text("gmon.out.%.0f", printed_number(outcome.out, "child"));
	check_calls(outcome.directory, program, child, CALLS(0, 0, 10));
	ck_assert_int_eq(file_count(&outcome), 1 + _i);
	if (_i)
		check_calls(outcome.directory, program, "gmon.out",
			    CALLS(1000, 0, 0));
}
END_TEST

/* Much memory does not keep fork from ending, nor take it longer. */
START_TEST(big_fork)
{
	char *program = thread_program(both_modes[0], "big_fork.c");
	struct outcome outcome;

	if (!program)
		return;
	outcome = thread_run("GMON_OPTIONS=rate=10000", program, "500");
	ck_assert_double_le(printed_number(outcome.out, "profiled"),
			    5 * printed_number(outcome.out, "unprofiled") +
				    0.05);
}
END_TEST

Suite *thread_forks_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("thread_forks", &tcase);

	tcase_set_timeout(tcase, 3600);
	tcase_add_loop_test(tcase, two_processes, 0, 2);
	tcase_add_loop_test(tcase, quick_end, 0, 4);
	tcase_add_loop_test(tcase, child_time, 0, 2);
	tcase_add_loop_test(tcase, inherit, 0, 4);
	tcase_add_loop_test(tcase, tree, 0, 2);
	tcase_add_loop_test(tcase, chain, 0, 2);
	tcase_add_loop_test(tcase, under_load, 0, 2);
	tcase_add_loop_test(tcase, borrowed_memory, 0, 2);
	tcase_add_loop_test(tcase, daemons, 0, 2);
	tcase_add_test(tcase, big_fork);
	return suite;
}
