/* SPDX-License-Identifier: 0BSD */
/*
 * The kernel refuses memory: at the n-th mapping, from the n-th on, or beyond
 * a limit.  The program must not notice.  Its profile has all calls, or a line
 * says how many are missing; or there is none, and a line says that.
 */
#include "tests/gprof/unharmed.h"
#include "tests/suites.h"

#include <stdlib.h>
#include <string.h>

/* main, 4 walks, 2048 functions 4 times each: overflow.c */
enum { ALL_CALLS = 1 + 4 + 8192 };

static unsigned long long calls_lost(const char *err)
{
	unsigned long long sum = 0;

	for (const char *at = err; (at = strstr(at, "gcrt: ")); at++) {
		char *end;
		unsigned long long lost = strtoull(at + 6, &end, 10);

		if (strncmp(end, " calls were lost", 16) == 0)
			sum += lost;
	}
	return sum;
}

static void best_possible(const struct outcome *outcome, const char *program)
{
	unsigned long long lost = calls_lost(outcome->err), counted = 0;
	struct profile profile;

	unharmed_check(outcome, -1);
	if (!file_exists(text("%s/gmon.out", outcome->directory))) {
		ck_assert_msg(text_count(outcome->err, "\n") == 1,
			      "no file, and not one line: %.1000s: %s",
			      outcome->command, outcome->err);
		return;
	}
	profile = profile_read(outcome->directory, program, "gmon.out");
	for (size_t i = 0; i < profile.function_count; i++)
		counted += profile.functions[i].calls;
	ck_assert_msg(counted + lost == ALL_CALLS,
		      "%llu calls are in the profile and %llu are said to be "
		      "lost, of %d: %.1000s: %s",
		      counted, lost, ALL_CALLS, outcome->command, outcome->err);
}

/* A reason why system calls cannot be made to fail here, or null. */
static const char *complaint(void)
{
	struct outcome outcome;

	if (*setting("RUN"))
		return "the program runs under an emulator";
	outcome = command(directory_make(),
			  "strace -qq -o log -e trace=mmap "
			  "-e inject=mmap:error=ENOMEM:when=1000 true");
	return outcome.status ? "strace cannot do it here" : NULL;
}

/* One run with mappings refused; false if there were not so many. */
static bool refused_at(const char *program, const char *when)
{
	char *directory = directory_make();
	struct outcome outcome;
	char *log;

	outcome = command(directory,
			  "exec strace -qq -o log -e 'trace=mmap,?mmap2' "
			  "-e 'inject=mmap,?mmap2:error=ENOMEM:when=%s' "
			  "%s busy",
			  when, program);
	best_possible(&outcome, program);
	log = file_read(text("%s/log", directory), NULL);
	return strstr(log, "INJECTED") != NULL;
}

START_TEST(refused_mapping)
{
	const char *reason = complaint();
	const char *kind = _i ? "+" : "";
	char *program;
	int n = 1;

	if (reason) {
		skip("mmap refused at the n-th call: %s", reason);
		return;
	}
	if (!mode_is_there(mode_found_static))
		return;
	program = program_build(mode_found_static, "overflow.c", "-O0");
	while (refused_at(program, text("%d%s", n, kind)))
		ck_assert_msg(n++ < 200, "no end of mappings");
	ck_assert_msg(n > 5, "there were only %d mappings", n - 1);
}
END_TEST

/* KiB of address space; the least is enough for the program alone. */
static const int limits[] = {
	1800, 2000, 2300, 2700, 3200, 4000, 5000, 7000, 10000, 20000, 40000,
};

enum { LIMIT_COUNT = sizeof limits / sizeof *limits };

START_TEST(limited_space)
{
	char *program;
	struct outcome outcome;

	if (!mode_is_there(mode_found_static))
		return;
	if (*setting("RUN")) {
		skip("RLIMIT_AS: it would limit the emulator");
		return;
	}
	program = program_build(mode_found_static, "overflow.c", "-O0");
	outcome = command(directory_make(), "ulimit -v %d; exec %s busy",
			  limits[_i], program);
	best_possible(&outcome, program);
}
END_TEST

/* What is asked for again and again must not eat what is left. */
START_TEST(left_alone)
{
	char *program;
	struct outcome outcome;

	if (!mode_is_there(mode_found_static))
		return;
	if (*setting("RUN")) {
		skip("little address space: the emulator has its own");
		return;
	}
	program = program_build(mode_found_static, "tight.c", "-O0");
	outcome = command(directory_make(), "%s", program);
	ck_assert_msg(outcome.status == 0, "%s: %d", outcome.command,
		      outcome.status);
}
END_TEST

Suite *refusal_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("refusal", &tcase);

	tcase_add_loop_test(tcase, refused_mapping, 0, 2);
	tcase_add_loop_test(tcase, limited_space, 0, LIMIT_COUNT);
	tcase_add_test(tcase, left_alone);
	return suite;
}
