/* SPDX-License-Identifier: 0BSD */
/* The lines at the end: which are said, and which numbers are in them. */
#include "gmon/summary.h"
#include "gmon/output.h"
#include "gmon/state.h"
#include "profil/sampler.h"
#include "tests/harness.h"
#include "tests/suites.h"
#include "tests/unit/tools.h"

#include <string.h>

static struct counts counts;
static struct thread_table tables[2];
static uint32_t rate = 100, reached = 100;
static uint64_t cpu_ms;
static const char *complaint;

uint32_t sampler_rate(void)
{
	return rate;
}

uint32_t sampler_rate_reached(void)
{
	return reached;
}

const char *sampler_complaint(void)
{
	return complaint;
}

const char *output_path(void)
{
	return "a/gmon.out";
}

uint64_t state_cpu_time(void)
{
	return cpu_ms * 1000000;
}

#define SHARE "gcrt: shared libraries had more than 5 % of it: " \
	      "GMON_OPTIONS=images=all shows them\n"

/* Ticks of two threads: 500 taken, 30 in the runtime, 7 held back. */
static void start(bool verbose)
{
	saying_begin();
	state.counts = &counts;
	state.options.verbose = verbose;
	tables[0].next = &tables[1];
	tables[0].ticks.taken = 400;
	tables[1].ticks.taken = 100;
	tables[0].ticks.in_runtime = 10;
	tables[1].ticks.in_runtime = 20;
	tables[0].ticks.held = 3;
	tables[1].ticks.held = 4;
	state.threads.newest = &tables[0];
	cpu_ms = 5500;
}

static const char *sums(uint64_t ticks, uint64_t outside)
{
	struct profile profile = {
		.is_written = true,
		.ticks = ticks,
		.arcs = 12,
		.calls = 1000,
		.outside = outside,
	};

	summary_say(&profile);
	return said();
}

START_TEST(silent)
{
	start(false);
	reached = 1;
	ck_assert_str_eq(sums(0, 1000), "");
}
END_TEST

/* What went wrong is said to everybody; a line is no format. */
START_TEST(complains)
{
	start(false);
	complaint = "100 %s of it";
	counts.lost_calls = 3;
	ck_assert_str_eq(sums(500, 0),
			 "gcrt: 100 %s of it\n"
			 "gcrt: 3 calls were lost: the kernel refused memory "
			 "for their counts\n");
}
END_TEST

START_TEST(sums_make_up_the_time)
{
	start(true);
	/* 4.90 + 0.10 + 0.30 + 0.20 = 5.50 */
	ck_assert_str_eq(sums(490, 50),
			 "gcrt: a/gmon.out: 4.90 s in the file, 0.10 s "
			 "outside, 0.30 s in the runtime, 0.20 s not sampled; "
			 "12 arcs, 1000 calls, 50 outside, 0 lost\n");
}
END_TEST

/* A tick more than the clock shows is no time that is missing. */
START_TEST(sampled_more_than_used)
{
	start(true);
	cpu_ms = 5000;
	ck_assert_ptr_nonnull(strstr(sums(500, 0), " 0.00 s not sampled"));
}
END_TEST

/* A tick between its bin and its thread's sum, while the file was written. */
START_TEST(more_in_file_than_taken)
{
	start(true);
	ck_assert_ptr_nonnull(strstr(sums(501, 0), " 0.00 s outside"));
	ck_assert_int_eq(lines_said(), 1);
}
END_TEST

START_TEST(another_rate)
{
	start(true);
	rate = reached = 1000;
	ck_assert_ptr_nonnull(strstr(sums(490, 0),
				     " 0.49 s in the file, 0.01 s outside, "
				     "0.03 s in the runtime, "
				     "4.97 s not sampled"));
}
END_TEST

/* Of elapsed time there is no sum: what was held back is told. */
START_TEST(wall)
{
	start(true);
	state.options.wall = true;
	ck_assert_ptr_nonnull(strstr(sums(500, 0), " 0.07 s not sampled"));
}
END_TEST

START_TEST(no_file)
{
	struct profile none = {.is_written = false};

	start(true);
	counts.lost_calls = 3;
	summary_say(&none);
	ck_assert_ptr_nonnull(strstr(said(),
				     "\ngcrt: no file: 5.00 s sampled, 0.30 s "
				     "in the runtime, 0.20 s not sampled\n"));
	ck_assert_int_eq(lines_said(), 2);
}
END_TEST

static const struct {
	uint64_t ticks, outside;
	bool all_images, is_said;
} shares[] = {
	/* of 530 ticks, 5 % are 26.5 */
	{474, 0, false, false},
	{473, 0, false, true},
	{473, 0, true, false},
	/* of 1000 calls */
	{500, 50, false, false},
	{500, 51, false, true},
	{500, 51, true, false},
};

START_TEST(share_of_libraries)
{
	start(true);
	state.options.all_images = shares[_i].all_images;
	sums(shares[_i].ticks, shares[_i].outside);
	ck_assert_int_eq(lines_said(), 1 + shares[_i].is_said);
	ck_assert_int_eq(strstr(said(), SHARE) != NULL, shares[_i].is_said);
}
END_TEST

START_TEST(rate_is_not_reached)
{
	start(true);
	rate = 1000;
	reached = 250;
	sums(500, 0);
	ck_assert_int_eq(lines_said(), 2);
	ck_assert_ptr_nonnull(strstr(said(),
				     "\ngcrt: rate=1000: the kernel's tick "
				     "lets 250 samples a second through"));
}
END_TEST

Suite *unit_summary_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_summary", &tcase);

	tcase_add_test(tcase, silent);
	tcase_add_test(tcase, complains);
	tcase_add_test(tcase, sums_make_up_the_time);
	tcase_add_test(tcase, sampled_more_than_used);
	tcase_add_test(tcase, more_in_file_than_taken);
	tcase_add_test(tcase, another_rate);
	tcase_add_test(tcase, wall);
	tcase_add_test(tcase, no_file);
	tcase_add_loop_test(tcase, share_of_libraries, 0,
			    sizeof shares / sizeof *shares);
	tcase_add_test(tcase, rate_is_not_reached);
	return suite;
}
