/* SPDX-License-Identifier: 0BSD */
/*
 * Programs that turn into daemons, go elsewhere, change their root, drop their
 * rights or run out of descriptors: where the file is then, and what is said.
 */
#include "tests/gprof/unharmed.h"
#include "tests/harness.h"
#include "tests/profile.h"
#include "tests/suites.h"
#include "tests/ways/sides.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum who { ANYBODY, ROOT };

static const struct stray {
	const char *way, *options;
	enum who who;
	int lines;	   /* said */
	const char *files; /* all that is there, with P for a process number */
	const char *profile; /* the one that holds `calls`, or null */
	long calls;
} strays[] = {
	{"below", "", ANYBODY, 0, "below below/gmon.out ", "below/gmon.out",
	 1010},
	{"below", "open=start", ANYBODY, 0, "below gmon.out ", "gmon.out",
	 1010},
	{"elsewhere", "", ANYBODY, 1, "gmon.out ", "gmon.out", 1010},
	{"elsewhere", "open=start", ANYBODY, 0, "gmon.out ", "gmon.out", 1010},
	{"directory-lost", "", ANYBODY, 1, "gmon.out ", "gmon.out", 1010},
	{"closes-all", "verbose=1:garbage", ANYBODY, 1, "gmon.out mine ",
	 "gmon.out", 1010},
	{"closes-all", "verbose=1:open=start", ANYBODY, 0, "gmon.out mine ",
	 "gmon.out", 1010},
	{"takes-all", "verbose=1:open=start", ANYBODY, 0, "gmon.out mine ",
	 "gmon.out", 1010},
	{"none-free", "", ANYBODY, 1, "", NULL, 0},
	{"none-free", "open=start", ANYBODY, 0, "gmon.out ", "gmon.out", 1010},
	{"size", "", ANYBODY, 1, "", NULL, 0},
	{"drops-rights", "", ROOT, 1, "", NULL, 0},
	{"drops-rights", "open=start", ROOT, 0, "gmon.out ", "gmon.out", 1010},
	{"changes-root", "", ROOT, 0, "below below/gmon.out ",
	 "below/gmon.out", 1010},
	{"changes-root", "open=start", ROOT, 0, "below gmon.out ", "gmon.out",
	 1010},
	{"changes-root-and-drops", "", ROOT, 1, "below ", NULL, 0},
	{"changes-root-and-drops", "open=start", ROOT, 0, "below gmon.out ",
	 "gmon.out", 1020},
	{"umask-077", "", ANYBODY, 0, "gmon.out ", "gmon.out", 1010},
	{"umask-0", "", ANYBODY, 0, "gmon.out ", "gmon.out", 1010},
};
enum { STRAY_COUNT = sizeof strays / sizeof *strays };

/* All names below a folder, each followed by a blank, P for numbers. */
static char *tree(const char *directory)
{
	return command_output(directory,
			      "find . -mindepth 1 | sed 's,^\\./,,; "
			      "s/[.][0-9][0-9]*$/.P/' | LC_ALL=C sort | "
			      "tr '\\n' ' '");
}

static void holds(const char *directory, const char *program,
		  const char *file, long calls)
{
	struct profile profile = profile_read(directory, program, file);

	ck_assert_msg(profile_calls(&profile, "work") ==
			      (unsigned long long)calls,
		      "%s: %llu calls of work() instead of %ld", file,
		      profile_calls(&profile, "work"), calls);
}

static void check_stray(const struct stray *stray, const struct side *side)
{
	char *program = side_build(side, "strays.c", false);
	char *directory = directory_make();
	struct outcome outcome;

	outcome = command(directory, "GMON_OPTIONS=%s exec %s %s %s",
			  stray->options, setting("RUN"), program, stray->way);
	ck_assert_msg(outcome_exit(&outcome) == 3, "%s %s, %s: %#x %s",
		      stray->way, stray->options, side->name, outcome.status,
		      outcome.err);
	ck_assert_msg(text_count(outcome.err, "\n") == stray->lines &&
			      text_count(outcome.err, "gcrt: ") ==
				      stray->lines,
		      "%s %s, %s: %s", stray->way, stray->options, side->name,
		      outcome.err);
	ck_assert_str_eq(tree(directory), stray->files);
	if (stray->profile)
		holds(directory, program, stray->profile, stray->calls);
	if (strstr(stray->files, "mine"))
		ck_assert_str_eq(file_read(text("%s/mine", directory), NULL),
				 "mine\n");
}

/* One of glibc and one of musl, dynamic and static in turn. */
START_TEST(strays_are_right)
{
	const struct stray *stray = &strays[_i];

	if (stray->who == ROOT && geteuid() != 0) {
		skip("%s %s: only root can do that", stray->way,
		     stray->options);
		return;
	}
	if (strcmp(stray->way, "none-free") == 0 &&
	    program_is_checked("valgrind", "no descriptor: the limit is its"))
		return;
	for (int i = _i % 2; i < SIDE_COUNT; i += 2)
		if (side_is_here(&sides[i]))
			check_stray(stray, &sides[i]);
}
END_TEST

START_TEST(umask_is_respected)
{
	static const char *const ways[][2] = {{"umask-077", "600"},
					      {"umask-0", "666"}};
	char *directory = directory_make();

	if (!side_is_here(&sides[0]))
		return;
	command(directory, "exec %s %s", side_build(&sides[0], "strays.c",
						    false), ways[_i][0]);
	ck_assert_str_eq(command_output(directory, "stat -c %%a gmon.out"),
			 text("%s\n", ways[_i][1]));
}
END_TEST

/* Waits for the daemon itself: it holds the pipe until it is gone. */
static struct outcome run_daemon(const char *directory, const char *program,
				 const char *way, const char *options,
				 const char *before)
{
	return command(directory,
		       "{ GMON_OPTIONS=%s %s %s %s %s 9>&1 >/dev/null; "
		       "echo $? >../status.$$; } | cat; cat ../status.*; "
		       "rm ../status.*",
		       options, before, setting("RUN"), program, way);
}

static const struct {
	const char *way, *options, *status, *files, *profile;
	long calls;
} daemons[] = {
	{"daemon", "file=x.%p", "0\n", "x.P ", "x.*", 10},
	{"daemon", "fork=inherit", "0\n", "gmon.out.P ", "gmon.out.*", 1010},
	{"daemon-by-hand", "", "3\n", "gmon.out gmon.out.P ", "gmon.out.*",
	 10},
	{"daemon-by-hand", "", "3\n", "gmon.out gmon.out.P ", "gmon.out",
	 1000},
	{"daemon-by-hand", "fork=inherit", "3\n", "gmon.out gmon.out.P ",
	 "gmon.out.*", 1010},
	{"daemon-by-hand", "verbose=1:open=start", "3\n",
	 "gmon.out gmon.out.P ", "gmon.out.*", 10},
};
enum { DAEMON_COUNT = sizeof daemons / sizeof *daemons };

START_TEST(daemons_write)
{
	const struct side *side = &sides[2 * (_i % 2)];
	char *directory = text("%s/here", directory_make()), *program;
	struct outcome outcome;

	if (!side_is_here(side))
		return;
	command_output("/", "mkdir %s", directory);
	program = side_build(side, "strays.c", false);
	outcome = run_daemon(directory, program, daemons[_i].way,
			     daemons[_i].options, "");
	ck_assert_str_eq(outcome.out, daemons[_i].status);
	ck_assert_str_eq(tree(directory), daemons[_i].files);
	holds(directory, program, daemons[_i].profile, daemons[_i].calls);
}
END_TEST

/* daemon() goes to /, where a user cannot write: the start's folder serves. */
START_TEST(daemon_at_root)
{
	char *directory = text("%s/here", directory_make()), *program;

	if (!side_is_here(&sides[0]))
		return;
	command_output("/", "mkdir -m 777 %s", directory);
	if (command("/", "%s test -w %s", unprivileged(), directory).status) {
		skip("strays: other users cannot reach the build's folder");
		return;
	}
	program = side_build(&sides[0], "strays.c", false);
	run_daemon(directory, program, "daemon-at-root", "", unprivileged());
	ck_assert_str_eq(tree(directory), "gmon.out.P ");
	holds(directory, program, "gmon.out.*", 10);
}
END_TEST

/* Of many processes that end at once under one name, one's file is there. */
START_TEST(one_name_for_all)
{
	char *directory = directory_make(), *program;
	struct outcome outcome;

	if (!side_is_here(&sides[0]))
		return;
	program = side_build(&sides[0], "strays.c", false);
	outcome = command(directory,
			  "for i in 1 2 3 4 5 6 7 8 9 10; do "
			  "for j in 1 2 3 4 5 6; do %s umask-0 & done; wait; "
			  "test $(ls -A | wc -l) = 1 || exit 9; done",
			  program);
	ck_assert_msg(outcome.status == 0 && !*outcome.err, "%s: %s",
		      directory_names(directory), outcome.err);
	holds(directory, program, "gmon.out", 1010);
}
END_TEST

Suite *strays_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("strays", &tcase);

	tcase_add_loop_test(tcase, strays_are_right, 0, STRAY_COUNT);
	tcase_add_loop_test(tcase, umask_is_respected, 0, 2);
	tcase_add_loop_test(tcase, daemons_write, 0, DAEMON_COUNT);
	tcase_add_test(tcase, daemon_at_root);
	tcase_add_test(tcase, one_name_for_all);
	return suite;
}
