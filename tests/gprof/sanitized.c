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
	const char *source, *arguments, *flags;
	bool is_long;	/* for SANITIZED=all */
	bool is_silent; /* it states no counts */
} programs[] = {
	{"tiny.c", "", "", false, false},
	{"callbacks.c", "", "-pthread", false, false},
	{"thread_ends.c", "", "-pthread", false, false},
	{"exceptions.cc", "", "-pthread", true, false},
	{"early.c", "", "", true, false},
	{"fans.c", "", "", true, false},
	{"chains.c", "", "", true, false},
	{"nested.c", "", "-pthread", true, false},
	{"lifetime.c", "", "-pthread", true, false},
	{"arguments.c", "", "", true, false},
	{"pointers.c", "", "", true, false},
	{"many_arcs.c", "", "", true, false},
	{"overflow.c", "", "", true, false},
	{"pending.c", "", "", true, false},
	{"threads.c", "joined 4 1000", "-pthread", true, false},
	{"thread_destructors.cc", "", "-pthread", true, false},
	{"storm.c", "", "-pthread", true, false},
	{"mixture.c", "parallel", "-pthread", true, true},
	{"handlers.c", "plain 200", "-pthread", true, true},
	{"forks.c", "chain 5", "-pthread", true, true},
	{"times.c", "", "", true, true},
};
enum { PROGRAM_COUNT = sizeof programs / sizeof *programs };

static bool is_wanted(int i)
{
	return !programs[i].is_long || getenv("SANITIZED");
}

static const char *flags_of(int i, const char *more)
{
	return text("-O1 -g %s %s", programs[i].flags, more);
}

/* What the program prints and leaves with is the same without a checker. */
static void check_run(int i, const char *before, const char *program,
		      const char *plain)
{
	const char *arguments = programs[i].arguments;
	struct outcome expected = program_run(directory_make(), plain,
					      arguments);
	struct outcome outcome = command(directory_make(), "exec %s %s %s",
					 before, program, arguments);
	struct profile profile;

	ck_assert_msg(outcome.status == expected.status && !*outcome.err,
		      "%s: wait status %#x\n%.3000s", outcome.command,
		      outcome.status, outcome.err);
	profile = profile_read(outcome.directory, program, "gmon.out");
	if (!programs[i].is_silent)
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
				flags_of(_i, ""));
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
			  program_build(mode, source, flags_of(_i, SANITIZERS)),
			  program_build(mode, source, flags_of(_i, "")));
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
