/* SPDX-License-Identifier: 0BSD */
/* Exact call counts: the core in every link mode, the rest in two. */
#include "tests/suites.h"
#include "tests/truth.h"

#include <string.h>

static const char *const everywhere[] = {
	"chains.c",
	"pointers.c",
	"lifetime.c",
	"callbacks.c",
};

static const char *const sometimes[] = {
	"overflow.c",
	"many_arcs.c",
	"fans.c",
};

enum {
	EVERYWHERE_COUNT = sizeof everywhere / sizeof *everywhere,
	SOMETIMES_COUNT = sizeof sometimes / sizeof *sometimes,
};

START_TEST(everywhere_exact)
{
	for (int i = 0; i < EVERYWHERE_COUNT; i++)
		truth_holds(&modes[_i], everywhere[i], "-O1 -pthread");
}
END_TEST

START_TEST(large_exact)
{
	truth_holds(mode_found, sometimes[_i], "-O0");
	truth_holds(mode_alone_static, sometimes[_i], "-O0");
}
END_TEST

/* A foreign file, read by its own binutils and by this machine's. */
START_TEST(gprofs_agree)
{
	const char *own = setting("GPROF");
	struct outcome ran, theirs;
	char *program;

	if (strcmp(own, "gprof") == 0)
		return;
	program = program_build(mode_found, "chains.c", "-O1 -pthread");
	ran = program_run_well(program, "");
	theirs = command(ran.directory, "gprof -b %s gmon.out", program);
	if (strstr(theirs.err, "not in executable format") != NULL) {
		skip("two gprofs: this machine's knows no programs of %s",
		     setting("ARCH"));
		return;
	}
	ck_assert_str_eq(theirs.out,
			 command_output(ran.directory, "%s -b %s gmon.out",
					own, program));
	ck_assert_int_gt(text_count(theirs.out, "\n"), 20);
}
END_TEST

Suite *counts_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("counts", &tcase);

	tcase_add_loop_test(tcase, everywhere_exact, 0, mode_count);
	tcase_add_loop_test(tcase, large_exact, 0, SOMETIMES_COUNT);
	tcase_add_test(tcase, gprofs_agree);
	return suite;
}
