/* SPDX-License-Identifier: 0BSD */
/*
 * Threads, fork, PROFDIR and plugins, on glibc and on musl alike: in a program
 * that gcrt-cc links, dynamic and static.
 */
#include "tests/harness.h"
#include "tests/profile.h"
#include "tests/suites.h"
#include "tests/ways/prefix.h"

#include <stdlib.h>
#include <string.h>

static const struct side {
	bool musl, is_static;
	const char *compiler, *flags;
} sides[] = {
	{false, false, "gcc", "-pthread"},
	{false, true, "gcc", "-pthread -static"},
	{true, false, "musl-gcc", "-pthread"},
	{true, true, "musl-gcc", "-pthread -static"},
};
enum { SIDE_COUNT = sizeof sides / sizeof *sides };

static bool is_here(const struct side *side)
{
	return side->musl ? prefix_has_musl() : prefix_has_glibc();
}

static char *build(const struct side *side, const char *name,
		   const char *words)
{
	char *directory = directory_make();

	command_output(directory,
		       "CC=%s %s/bin/gcrt-cc -pg -O1 %s "
		       "%s/tests/programs/%s.c -o %s %s 2>warnings || "
		       "{ cat warnings >&2; exit 1; }",
		       side->compiler, prefix_path(), side->flags,
		       setting("SOURCE"), name, name, words);
	return directory;
}

/* One file for each process, named after it; together they have all. */
START_TEST(family)
{
	const struct side *side = &sides[_i];
	struct profile profile;
	char *directory;

	if (!is_here(side))
		return;
	directory = build(side, "family", "");
	command_output(directory, "mkdir out && PROFDIR=out ./family");
	ck_assert_str_eq(command_output(directory,
					"ls out | sed 's/[0-9]//g'"),
			 ".family\n.family\n");
	profile = profile_read(directory, "family", "out/*");
	ck_assert_int_eq(profile_calls(&profile, "main"), 1);
	ck_assert_int_eq(profile_calls(&profile, "in_child"), 50);
	ck_assert_int_eq(profile_calls(&profile, "in_parent"), 100);
	ck_assert_int_eq(profile_calls(&profile, "in_thread"), 4000);
	ck_assert_int_eq(profile_arc(&profile, "body", "in_thread"), 4000);
}
END_TEST

/* The plugin's calls are outside of the main program, and all counted. */
START_TEST(plugin)
{
	const struct side *side = &sides[_i];
	struct outcome outcome;
	char *directory;

	if (!is_here(side) || side->is_static)
		return;
	directory = build(side, "family", side->musl ? "-rdynamic" : "-ldl");
	command_output(directory,
		       "%s -pg -O1 -shared -fPIC %s/tests/programs/plugin.c "
		       "-o plugin.so", side->compiler, setting("SOURCE"));
	outcome = command(directory, "GMON_OPTIONS=verbose=1:fork=reset "
				     "PROFDIR=. ./family ./plugin.so");
	ck_assert_msg(outcome.status == 0, "%s", outcome.err);
	ck_assert_msg(text_count(outcome.err, ", 52 outside, 0 lost\n") == 1,
		      "%s", outcome.err);
}
END_TEST

/* The clock is read in the vDSO, which musl lists without a name. */
START_TEST(vdso_has_a_name)
{
	const struct side *side = &sides[_i];
	char *directory;

	if (!is_here(side) || side->is_static)
		return;
	if (!file_exists(text("%s/bin/gmon", prefix_path()))) {
		skip("images of a file: without libelf there is no gmon");
		return;
	}
	directory = build(side, "clocks", "");
	command_output(directory, "GMON_OPTIONS=images=all:rate=1000 ./clocks");
	command_output(directory, "%s/bin/gmon show | grep 'linux-vdso'",
		       prefix_path());
}
END_TEST

/* What the manual says of musl: without -rdynamic there is no mcount. */
START_TEST(musl_needs_rdynamic)
{
	const struct side *side = &sides[2];
	struct outcome outcome;
	char *directory;

	if (!is_here(side))
		return;
	directory = build(side, "family", "");
	command_output(directory,
		       "%s -pg -O1 -shared -fPIC %s/tests/programs/plugin.c "
		       "-o plugin.so", side->compiler, setting("SOURCE"));
	outcome = command(directory, "./family ./plugin.so");
	ck_assert_int_ne(outcome.status, 0);
}
END_TEST

Suite *libcs_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("libcs", &tcase);

	tcase_add_loop_test(tcase, family, 0, SIDE_COUNT);
	tcase_add_loop_test(tcase, plugin, 0, SIDE_COUNT);
	tcase_add_loop_test(tcase, vdso_has_a_name, 0, SIDE_COUNT);
	tcase_add_test(tcase, musl_needs_rdynamic);
	return suite;
}
