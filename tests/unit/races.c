/* SPDX-License-Identifier: 0BSD */
/*
 * race.c under the thread sanitizer, built here, since a sanitizer wants the
 * whole program; and again without, where it runs at full speed.
 */
#include "tests/harness.h"
#include "tests/suites.h"

static const char sources[] =
	"tests/unit/race.c mcount/arcs.c mcount/shared.c "
	"mcount/threads.c profil/histogram.c gmon/merge.c gmon/pages.c";

static bool has_sanitizer(const char *directory)
{
	struct outcome built;

	built = command(directory, "echo 'int main(void) { return 0; }' >t.c "
				   "&& cc -fsanitize=thread t.c -o t && ./t");
	if (outcome_exit(&built) == 0)
		return true;
	skip("unit_races: cc has no working -fsanitize=thread here");
	return false;
}

static void build_and_run(const char *flags)
{
	char *directory = directory_make();
	struct outcome run;

	command_output(setting("SOURCE"),
		       "cc %s -I. -Iprofil/$(uname -m) -D_GNU_SOURCE -std=gnu11 "
		       "-g %s -o %s/race -pthread",
		       flags, sources, directory);
	run = command(directory, "./race");
	ck_assert_msg(outcome_exit(&run) == 0, "%s: %s%s", flags, run.out,
		      run.err);
}

START_TEST(thread_sanitizer)
{
	if (has_sanitizer(directory_make()))
		build_and_run("-O1 -fsanitize=thread");
}
END_TEST

START_TEST(full_speed)
{
	build_and_run("-O2");
}
END_TEST

Suite *unit_races_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_races", &tcase);

	tcase_add_test(tcase, thread_sanitizer);
	tcase_add_loop_test(tcase, full_speed, 0, 3);
	return suite;
}
