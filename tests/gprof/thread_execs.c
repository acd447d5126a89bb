/* SPDX-License-Identifier: 0BSD */
/*
 * exec: the new program finds what it would have found without us.  What that
 * is, is asked of the same program built without -pg.
 */
#include "tests/gprof/repeated.h"
#include "tests/suites.h"

#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {"plain", "threads", "blocked"};

/* Timers, pending, blocked and handled signals, and descriptors. */
static const char *const questions[] = {
	"cat /proc/self/timers /proc/self/status",
	"ls /proc/self/fd",
};

static char *program_without(void)
{
	char *program = text("%s/execs-plain", getenv("RUN_DIRECTORY"));

	command_output("/", "%s -O1 -pthread -o %s %s/tests/programs/execs.c",
		       setting("CC"), program, setting("SOURCE"));
	return program;
}

/* An emulator's exec knows the host's programs only. */
static struct outcome execs_run(const char *how, const char *program,
				const char *arguments)
{
	if (emulated(NULL))
		how = text("%s AGAIN='%s %s'", how, setting("RUN"), program);
	return thread_run(how, program, arguments);
}

/* What matters of an answer; the blocked signals apart. */
static char *answer(const char *how, const char *program, const char *kind,
		    int count, const char *question,
		    unsigned long long *blocked)
{
	struct outcome outcome = execs_run(
		how, program, text("%s %d %s", kind, count, question));
	char *lines = outcome.out, *line, *kept = text("%s", "");

	ck_assert_str_eq(outcome.err, "");
	while ((line = strsep(&lines, "\n"))) {
		if (strncmp(line, "SigBlk:", 7) == 0)
			*blocked = strtoull(line + 7, NULL, 16);
		else if (strncmp(line, "ID:", 3) == 0 ||
			 strncmp(line, "Sig", 3) == 0 ||
			 strncmp(line, "ShdPnd", 6) == 0 ||
			 (*line >= '0' && *line <= '9'))
			if (strncmp(line, "SigQ", 4) != 0) /* of the user */
				kept = text("%s%s\n", kept, line);
	}
	return kept;
}

#define SIGURG_BIT (1ULL << 22)

START_TEST(nothing_left)
{
	const char *kind = kinds[_i / 4], *question = questions[_i / 2 % 2];
	char *program = thread_program(both_modes[_i % 2], "execs.c");
	unsigned long long with = 0, without = 0;
	char *expected, *found;

	if (!program)
		return;
	expected = answer("", program_without(), kind, 3, question, &without);
	for (int i = repeats(1); i; i--) {
		found = answer("GMON_OPTIONS=rate=10000", program, kind, 3,
			       question, &with);
		ck_assert_str_eq(found, expected);
		ck_assert_uint_eq(with | SIGURG_BIT, without | SIGURG_BIT);
	}
}
END_TEST

/* Ticks in flight never kill who has just been exec'ed. */
START_TEST(loop)
{
	char *program = thread_program(both_modes[_i % 2], "execs.c");
	const char *how = _i / 2 ? "GMON_OPTIONS=rate=10000:engine=perf"
				 : "GMON_OPTIONS=rate=10000";
	int few = emulated(NULL) ? 20 : 50, many = 6 * few;
	struct outcome outcome;

	if (!program)
		return;
	if (repeats(1) > 1)
		few = many = 1000;
	outcome = execs_run(how, program, text("plain %d echo alive", many));
	ck_assert_str_eq(outcome.out, "alive\n");
	outcome = execs_run(how, program, text("threads %d echo alive", few));
	ck_assert_str_eq(outcome.out, "alive\n");
}
END_TEST

Suite *thread_execs_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("thread_execs", &tcase);

	tcase_set_timeout(tcase, 3600);
	tcase_add_loop_test(tcase, nothing_left, 0, 12);
	tcase_add_loop_test(tcase, loop, 0, 4);
	return suite;
}
