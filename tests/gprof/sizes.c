/* SPDX-License-Identifier: 0BSD */
/* Programs of unusual size: 2.5 GiB of text, a million arcs. */
#include "tests/suites.h"
#include "tests/truth.h"

#include <math.h>
#include <string.h>

/*
 * gprof itself looks for functions in .text alone, so it gets their names,
 * and one behind the last, where that ends.
 */
START_TEST(text_of_gigabytes)
{
	const struct mode *mode = _i ? mode_found_static : mode_alone;
	char *program;
	struct outcome outcome;
	struct profile profile;

	if (strcmp(setting("ARCH"), "x86_64") != 0) {
		skip("2.5 GiB of text: not known how to build it for %s",
		     setting("ARCH"));
		return;
	}
	if (program_is_checked("-fsanitize", "2.5 GiB of text: they are where "
					     "it wants its shadow") ||
	    !mode_is_there(mode))
		return;
	program = program_build(mode, "wide.c",
				"-O1 -no-pie -mcmodel=large "
				"-fno-asynchronous-unwind-tables "
				"-Wl,--section-start=.far=0xa0000000");
	outcome = program_run_well(program, "");
	command_output(outcome.directory,
		       "{ %s -n %s; echo 00000000b0000000 T end; } >symbols",
		       setting("NM"), program);
	profile = profile_read(outcome.directory, program,
			       "-S symbols gmon.out");
	truth_check_stated("wide.c", "", &profile, mode->name);
	ck_assert_msg(fabs(profile_seconds(&profile, "far") /
				   profile_total(&profile) -
			   2. / 3) < 0.2,
		      "%.2000s", profile.text);
}
END_TEST

/* gprof needs minutes to print them. */
START_TEST(million_arcs)
{
	const char *tool = text("%s/gmon", setting("BUILD"));
	struct outcome outcome;
	char *program;

	if (!file_exists(tool)) {
		skip("a million arcs: there is no gmon to read them");
		return;
	}
	program = program_build(mode_found, "many_arcs.c", "-O0 -DMILLION");
	outcome = program_run_well(program, "");
	ck_assert_str_eq(command_output(outcome.directory,
					"%s show gmon.out | awk '$1 == \"arc\" "
					"{ n[$4]++ } END { for (c in n) "
					"print n[c], \"of\", c }' | sort",
					tool),
			 "1 of 1\n1001000 of 3\n");
}
END_TEST

Suite *sizes_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("sizes", &tcase);

	tcase_add_loop_test(tcase, text_of_gigabytes, 0, 2);
	tcase_add_test(tcase, million_arcs);
	return suite;
}
