/* SPDX-License-Identifier: 0BSD */
/* Exact call counts in every link mode. */
#include "tests/suites.h"
#include "tests/truth.h"

START_TEST(chains)
{
	truth_holds(&modes[_i], "chains.c", "-O1");
}
END_TEST

Suite *counts_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("counts", &tcase);

	tcase_add_loop_test(tcase, chains, 0, mode_count);
	return suite;
}
