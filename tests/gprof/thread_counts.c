/* SPDX-License-Identifier: 0BSD */
/*
 * Not one call of a thread is lost, however many there are and however they
 * end, and what they leave behind does not grow with their number.  The lists
 * and tables themselves run under the thread sanitizer in unit_races; whole
 * programs cannot: it does not know the stub, which is assembly.
 */
#include "tests/gprof/repeated.h"
#include "tests/suites.h"

#include <string.h>

static const char *const kinds[] = {
	"joined 1 1000000", "joined 4 1000000", "joined 64 20000",
	"exiting 16 5000",  "waiting 64 5000",  "cancelled 16 5000",
	"posting 64 5000",  "body 16 5000",
};
enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

static void check_counts(const char *source, const char *program,
			 const char *arguments)
{
	struct outcome outcome = thread_run("", program, arguments);
	struct profile profile =
		profile_read(outcome.directory, program, "gmon.out");

	/* a qemu has 32 timers for all threads */
	if (!emulated(NULL) || !strstr(outcome.err, "refused timers"))
		ck_assert_msg(!*outcome.err, "%s: %s", outcome.command,
			      outcome.err);
	truth_check(source, outcome.out, &profile, outcome.command);
}

START_TEST(ends)
{
	char *program = thread_program(both_modes[_i % 2], "threads.c");

	for (int i = program ? repeats(2) : 0; i; i--)
		check_counts("threads.c", program, kinds[_i / 2]);
}
END_TEST

static const char *const sources[] = {
	"storm.c", "small_stacks.c", "contexts.c", "thread_destructors.cc",
	"namesakes.c",
};
enum { SOURCE_COUNT = sizeof sources / sizeof *sources };

START_TEST(shapes)
{
	const char *source = sources[_i / 2];
	char *program = thread_program(both_modes[_i % 2], source);

	if (strcmp(source, "thread_destructors.cc") == 0 &&
	    strcmp(setting("ARCH"), "ppc64le") == 0 &&
	    emulated("thread_destructors.cc: qemu-ppc64le loses cleanups of "
		     "cancelled threads, without us as well"))
		return;
	if (strcmp(source, "contexts.c") == 0 &&
	    program_is_checked("-fsanitize", "swapcontext(): it warns of it"))
		return;
	for (int i = program ? repeats(2) : 0; i; i--)
		check_counts(source, program, "");
}
END_TEST

/* 10 000 one after another: the counts, and what is left behind. */
START_TEST(short_lives)
{
	char *program = thread_program(both_modes[_i], "short_threads.c");
	struct outcome outcome;
	struct profile profile;

	if (!program || emulated("what 10 000 threads leave behind: its own is "
				 "in the way, gigabytes") ||
	    program_is_checked("-fsanitize", "what 10 000 threads leave "
					     "behind: its own is in the way"))
		return;
	outcome = thread_run("", program, "");
	profile = profile_read(outcome.directory, program, "gmon.out");
	truth_check("short_threads.c", outcome.out, &profile,
		    outcome.command);
	/* up to 16 tables of a page each, more than after the first threads */
	ck_assert(printed_number(outcome.out, "mappings") <= 16);
	ck_assert(printed_number(outcome.out, "kilobytes") <= 512);
	/* the main thread's and the process's; a found thread's, just dead */
	ck_assert(printed_number(outcome.out, "timers") <= 4);
	ck_assert(printed_number(outcome.out, "descriptors") == 0);
}
END_TEST

/* The unwinder passes through the stub; one call a thread is uncertain. */
START_TEST(cancelled_anywhere)
{
	char *program = thread_program(both_modes[_i], "cancels.c");

	for (int i = program ? repeats(1) : 0; i; i--) {
		struct outcome outcome = thread_run("", program, "");
		struct profile profile =
			profile_read(outcome.directory, program, "gmon.out");
		double counted = (double)calls_of_all(&profile, "to_");

		ck_assert(counted >= printed_number(outcome.out, "entered"));
		ck_assert(counted <= printed_number(outcome.out, "attempted"));
		ck_assert_uint_eq(profile_calls(&profile, "cleaned"), 100);
		ck_assert_uint_eq(profile_calls(&profile, "spin"), 100);
	}
}
END_TEST

/* What memory was refused for is said to be lost, to the last call. */
START_TEST(refusals)
{
	static const char *const when[] = {"before", "while", "after"};
	char *program = thread_program(both_modes[_i % 2], "refusals.c");

	if (emulated("memory that is refused: it keeps no RLIMIT_AS") ||
	    program_is_checked("-fsanitize", "memory that is refused: it "
					     "needs terabytes"))
		return;
	for (int i = program ? repeats(2) : 0; i; i--) {
		struct outcome outcome = thread_run("GMON_OPTIONS=verbose=1",
						    program, when[_i / 2]);
		struct summary summary = summary_read(outcome.err);
		struct profile profile =
			profile_read(outcome.directory, program, "gmon.out");
		unsigned long long counted = calls_of_all(&profile, "to_") +
					     calls_of_all(&profile, "from_");

		ck_assert_uint_eq(counted, summary.calls);
		ck_assert_uint_eq(counted + summary.calls_lost,
				  (unsigned long long)printed_number(
					  outcome.out, "calls"));
		ck_assert_int_eq(summary.calls_lost > 0, _i / 2 < 2);
	}
}
END_TEST

Suite *thread_counts_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("thread_counts", &tcase);

	tcase_set_timeout(tcase, 3600);
	tcase_add_loop_test(tcase, ends, 0, 2 * KIND_COUNT);
	tcase_add_loop_test(tcase, shapes, 0, 2 * SOURCE_COUNT);
	tcase_add_loop_test(tcase, short_lives, 0, 2);
	add_for_modes(tcase, cancelled_anywhere);
	tcase_add_loop_test(tcase, refusals, 0, 6);
	return suite;
}
