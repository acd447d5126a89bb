/* SPDX-License-Identifier: 0BSD */
/*
 * Profiled programs under valgrind's memcheck, and profiled programs that are
 * built with sanitizers: nothing is reported, and the counts are exact.  Some
 * of them in `make check`, all of them with SANITIZED=all.
 */
#include "tests/suites.h"
#include "tests/truth.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *source, *flags;
	bool is_long; /* for SANITIZED=all */
} programs[] = {
	{"tiny.c", "-O1 -g", false},
	{"callbacks.c", "-O1 -g -pthread", false},
	{"thread_ends.c", "-O1 -g -pthread", false},
	{"exceptions.cc", "-O1 -g -pthread", true},
	{"early.c", "-O1 -g", true},
	{"fans.c", "-O1 -g", true},
	{"chains.c", "-O1 -g", true},
	{"nested.c", "-O1 -g -pthread", true},
	{"lifetime.c", "-O1 -g -pthread", true},
	{"arguments.c", "-O1 -g", true},
	{"pointers.c", "-O1 -g", true},
};
enum { PROGRAM_COUNT = sizeof programs / sizeof *programs };

static bool is_wanted(int i)
{
	return !programs[i].is_long || getenv("SANITIZED");
}

/* What the program prints and leaves with is the same without a checker. */
static void check_run(int i, const char *before, const char *program,
		      const char *plain)
{
	struct outcome expected = program_run(directory_make(), plain, "");
	struct outcome outcome = command(directory_make(), "exec %s %s",
					 before, program);
	struct profile profile;

	ck_assert_msg(outcome.status == expected.status && !*outcome.err,
		      "%s: wait status %#x\n%.3000s", outcome.command,
		      outcome.status, outcome.err);
	profile = profile_read(outcome.directory, program, "gmon.out");
	truth_check_stated(programs[i].source, outcome.out, &profile,
			   outcome.command);
}

START_TEST(memcheck_is_content)
{
	char *program;

	if (!is_wanted(_i))
		return;
	if (*setting("RUN") || command("/", "valgrind -q true").status) {
		skip("profiled programs under valgrind: it cannot run here");
		return;
	}
	if (program_is_for_musl() && strcmp(programs[_i].source, "tiny.c")) {
		skip("%s under valgrind: with musl it cannot make room for "
		     "handlers with SA_ONSTACK, nor cancel threads",
		     programs[_i].source);
		return;
	}
	program = program_build(mode_found, programs[_i].source,
				programs[_i].flags);
	check_run(_i, "valgrind -q --error-exitcode=77", program, program);
}
END_TEST

#define SANITIZERS "-fsanitize=address,undefined -fno-sanitize-recover=all"

static bool has_sanitizers(void)
{
	return !*setting("RUN") &&
	       command(directory_make(),
		       "echo 'int main(void) { return 0; }' | "
		       "%s " SANITIZERS " -x c - -o p && ./p", setting("CC"))
			       .status == 0;
}

START_TEST(sanitizers_are_content)
{
	const char *source = programs[_i].source;

	if (!is_wanted(_i))
		return;
	if (!has_sanitizers()) {
		skip("profiled programs with sanitizers: the compiler has "
		     "none that run here");
		return;
	}
	for (int alone = 0; alone < 2; alone++) {
		const struct mode *mode = alone ? mode_alone : mode_found;

		check_run(_i, "",
			  program_build(mode, source,
					text("%s " SANITIZERS,
					     programs[_i].flags)),
			  program_build(mode, source, programs[_i].flags));
	}
}
END_TEST

Suite *sanitized_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("sanitized", &tcase);

	tcase_add_loop_test(tcase, memcheck_is_content, 0, PROGRAM_COUNT);
	tcase_add_loop_test(tcase, sanitizers_are_content, 0, PROGRAM_COUNT);
	return suite;
}
