/* SPDX-License-Identifier: 0BSD */
/* Exact call counts: the core in every link mode, the rest in two. */
#include "tests/suites.h"
#include "tests/truth.h"

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

Suite *counts_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("counts", &tcase);

	tcase_add_loop_test(tcase, everywhere_exact, 0, mode_count);
	tcase_add_loop_test(tcase, large_exact, 0, SOMETIMES_COUNT);
	return suite;
}
