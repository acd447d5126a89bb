/* SPDX-License-Identifier: 0BSD */
/*
 * Build systems: projects that know nothing of profiling are profiled as they
 * are, by the lines that gcrt-cc(1) has for them.
 */
#include "tests/harness.h"
#include "tests/profile.h"
#include "tests/suites.h"
#include "tests/ways/prefix.h"

#include <stdlib.h>
#include <string.h>

/* Tools are found, and gcrt-cc among them; make's own words are ours. */
#define USER "env -u MAKEFLAGS -u MAKELEVEL PATH=%s/bin:$PATH "

static char *copy_of(const char *project)
{
	char *directory = directory_make();

	command_output(directory, "cp -r %s/tests/ways/%s .",
		       setting("SOURCE"), project);
	return text("%s/%s", directory, project);
}

static bool is_here(const char *tool)
{
	if (!prefix_has_glibc())
		return false;
	if (command("/", "command -v %s", tool).status == 0)
		return true;
	skip("build systems: there is no %s", tool);
	return false;
}

static struct profile run(const char *directory, const char *program)
{
	struct outcome outcome = command(directory, "GMON_OPTIONS=verbose=1 "
						    "./%s", program);

	ck_assert_msg(outcome.status == 0 &&
			      text_count(outcome.err, "gcrt: gmon.out: ") == 1,
		      "%s: %s", program, outcome.err);
	return profile_read(directory, program, "gmon.out");
}

START_TEST(makefile)
{
	struct profile profile;
	char *directory;

	if (!is_here("make"))
		return;
	directory = copy_of("make");
	command_output(directory, USER "make CC='gcrt-cc -pg'", prefix_path());
	profile = run(directory, "sums");
	ck_assert_int_eq(profile_arc(&profile, "main", "part"), 100);
}
END_TEST

START_TEST(cmake)
{
	struct profile profile;
	char *directory;

	if (!is_here("cmake"))
		return;
	directory = copy_of("cmake");
	command_output(directory,
		       USER "sh -c 'cmake -B build "
			    "-DCMAKE_C_COMPILER=gcrt-cc "
			    "-DCMAKE_CXX_COMPILER=gcrt-c++ "
			    "-DCMAKE_C_FLAGS=-pg -DCMAKE_CXX_FLAGS=-pg && "
			    "cmake --build build'",
		       prefix_path());
	profile = run(text("%s/build", directory), "sums");
	ck_assert_int_eq(profile_arc(&profile, "main", "part"), 100);
	ck_assert_int_eq(profile_calls(&profile, "main"), 1);
}
END_TEST

/* HELLO is a folder with the sources, else the system's archive has them. */
static char *hello_sources(void)
{
	char *directory = directory_make();
	struct outcome outcome;

	if (getenv("HELLO")) {
		command_output(directory, "cp -a '%s' hello", getenv("HELLO"));
		return text("%s/hello", directory);
	}
	outcome = command(directory, "timeout 120 %s/tests/ways/source.sh hello %s",
			  setting("SOURCE"), directory);
	if (outcome.status == 0)
		return text("%s/hello", directory);
	skip("GNU hello: its sources cannot be had (HELLO=folder): %.*s",
	     (int)strcspn(outcome.err, "\n"), outcome.err);
	return NULL;
}

/*
 * A package with configure; its own tests pass, too.  GNU programs close
 * standard error before they end, so no summary can be seen.
 */
START_TEST(autoconf)
{
	struct profile profile;
	char *directory;

	if (!getenv("WAYS")) {
		skip("GNU hello: `make check-ways` builds it");
		return;
	}
	if (!is_here("make") || !(directory = hello_sources()))
		return;
	command_output(directory, USER "./configure CC='gcrt-cc -pg'",
		       prefix_path());
	command_output(directory, USER "make -j2", prefix_path());
	command_output(directory, USER "make check", prefix_path());
	command_output(directory, "rm -f gmon.out && nm hello | grep mondump");
	ck_assert_str_eq(command_output(directory, "./hello"),
			 "Hello, world!\n");
	profile = profile_read(directory, "hello", "gmon.out");
	ck_assert_int_eq(profile_calls(&profile, "main"), 1);
	ck_assert_int_eq(profile_arc(&profile, "main", "set_program_name"), 1);
}
END_TEST

Suite *builds_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("builds", &tcase);

	tcase_add_test(tcase, makefile);
	tcase_add_test(tcase, cmake);
	tcase_add_test(tcase, autoconf);
	return suite;
}
