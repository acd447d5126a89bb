/* SPDX-License-Identifier: 0BSD */
/*
 * Signal handlers that count, in the middle of counted calls.  That a call may
 * be interrupted at every single instruction is shown by unit_steps; here real
 * signals come at random, some 20 000 a second, and gprof has the last word.
 */
#include "tests/gprof/repeated.h"
#include "tests/suites.h"

#include <string.h>

static const struct scenario {
	const char *name;
	int quick, thorough; /* how many signals */
} scenarios[] = {
	{"plain", 5000, 20000}, {"nested", 3000, 20000},
	{"alternate", 3000, 20000}, {"setup", 2000, 5000},
	{"jumps", 20000, 50000}, {"forks", 300, 300},
	{"control", 3000, 10000},
};
enum { SCENARIO_COUNT = sizeof scenarios / sizeof *scenarios };

static unsigned long long counted(const char *directory, const char *program,
				  const char *file)
{
	struct profile profile = profile_read(directory, program, file);

	return calls_of_all(&profile, "to_") +
	       calls_of_all(&profile, "from_");
}

/* What happened before the storm was over nobody knows. */
static void check_control(const struct outcome *outcome, const char *program)
{
	unsigned long long before =
		counted(outcome->directory, program, "before.out");

	ck_assert_uint_eq(counted(outcome->directory, program, "gmon.out") -
				  before,
			  (unsigned long long)printed_number(outcome->out,
							     "entered"));
}

static void check(const struct outcome *outcome, const char *program,
		  const char *name)
{
	double attempted = printed_number(outcome->out, "attempted");
	double entered = printed_number(outcome->out, "entered");
	double found =
		(double)counted(outcome->directory, program, "gmon.out");

	ck_assert_msg(entered <= found && found <= attempted,
		      "%s: %.0f attempted, %.0f counted, %.0f entered",
		      outcome->command, attempted, found, entered);
	/* a jump abandons one call of each handler, and the one it came in */
	if (strcmp(name, "jumps") != 0)
		ck_assert(attempted == entered);
}

START_TEST(interrupted)
{
	const struct scenario *s = &scenarios[_i / 2];
	char *program = thread_program(both_modes[_i % 2], "handlers.c");
	int signals = repeats(1) > 1 ? s->thorough : s->quick;

	/* each of its children translates everything anew */
	if (strcmp(s->name, "forks") == 0 && emulated(NULL))
		signals = 30;
	for (int i = program ? repeats(1) : 0; i; i--) {
		struct outcome outcome = thread_run(
			"", program,
			text("%s %d", s->name, signals));

		if (strcmp(s->name, "control") == 0)
			check_control(&outcome, program);
		else
			check(&outcome, program, s->name);
	}
}
END_TEST

/*
 * What handlers that jump leave behind: log places that name nothing make a
 * table grow, by far less than one page for each of 100 000 jumps.
 */
START_TEST(abandoned)
{
	char *program = thread_program(both_modes[_i], "handlers.c");
	struct outcome outcome;

	if (!program)
		return;
	outcome = thread_run("", program, "jumps 100000");
	ck_assert(printed_number(outcome.out, "kilobytes") < 8192);
	ck_assert(printed_number(outcome.out, "mappings") <= 8);
}
END_TEST

Suite *thread_handlers_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("thread_handlers", &tcase);

	tcase_set_timeout(tcase, 3600);
	tcase_add_loop_test(tcase, interrupted, 0, 2 * SCENARIO_COUNT);
	add_for_modes(tcase, abandoned);
	return suite;
}
