/* SPDX-License-Identifier: 0BSD */
/*
 * Profiled programs under valgrind's memcheck, and profiled programs that are
 * built with sanitizers: nothing is reported, and the counts are exact.  Four
 * in `make check`.  `make check-sanitized` runs whole suites so, and here, by
 * SANITIZED=all, programs of the suites that cannot be: they judge time, or
 * need more signals than valgrind is quick with.
 */
#include "tests/suites.h"
#include "tests/truth.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *source, *arguments;
} programs[] = {
	{"tiny.c", ""},
	{"callbacks.c", ""},
	{"thread_ends.c", ""},
	{"deep.c", ""},
	/* for SANITIZED=all; they state no counts */
	{"times.c", ""},
	{"mixture.c", "parallel"},
	{"burn.c", "equal 4 0.2"},
	{"burn.c", "sleepers 0 0.2"},
	{"burn.c", "before 0 0.2"},
	{"burn.c", "own_timer 0 0.2"},
	{"windows.c", "random 0.2"},
	{"windows.c", "even 20"},
	{"engines.c", "parallel 4 20"},
	{"engines.c", "blocked 3 20"},
	{"engines.c", "closing 4 20"},
	{"engines.c", "churn 20 3"},
	{"engines.c", "family 2 20"},
	{"handlers.c", "plain 200"},
	{"handlers.c", "alternate 200"},
	{"handlers.c", "setup 200"},
	{"handlers.c", "jumps 200"},
	{"handlers.c", "forks 20"},
	{"handlers.c", "control 200"},
	{"family.c", ""},
};
enum { PROGRAM_COUNT = sizeof programs / sizeof *programs, QUICK = 4 };

static const char *flags(const char *more)
{
	return text("-O1 -g -pthread -I%s %s", setting("SOURCE"), more);
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
	if (i < QUICK)
		truth_check_stated(programs[i].source, outcome.out, &profile,
				   outcome.command);
}

START_TEST(memcheck_is_content)
{
	char *program;

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
	program = program_build(mode_found, programs[_i].source, flags(""));
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

	if (!has_sanitizers()) {
		skip("profiled programs with sanitizers: the compiler has "
		     "none that run here");
		return;
	}
	for (int alone = 0; alone < 2; alone++) {
		const struct mode *mode = alone ? mode_alone : mode_found;

		check_run(_i, "",
			  program_build(mode, source, flags(SANITIZERS)),
			  program_build(mode, source, flags("")));
	}
}
END_TEST

Suite *sanitized_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("sanitized", &tcase);
	int count = getenv("SANITIZED") ? PROGRAM_COUNT : QUICK;

	tcase_add_loop_test(tcase, memcheck_is_content, 0, count);
	tcase_add_loop_test(tcase, sanitizers_are_content, 0, count);
	return suite;
}
