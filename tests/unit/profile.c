/* SPDX-License-Identifier: 0BSD */
/* What becomes a record of the file, where, and in which order. */
#include "gmon/profile.h"
#include "mcount/mcount.h"
#include "tests/harness.h"
#include "tests/suites.h"
#include "tests/unit/profile_fakes.h"
#include "tests/unit/tools.h"

#include <errno.h>
#include <string.h>

START_TEST(empty)
{
	struct profile profile;

	fake_start(false);
	fake.is_full = _i;
	profile = write_profile();
	ck_assert_str_eq(notes(), BEGIN_MAIN "unmap " NO_ARC "close");
	ck_assert_int_eq(profile.is_written, !fake.is_full);
	ck_assert_uint_eq(profile.ticks, 1000);
	ck_assert_uint_eq(profile.arcs, 0);
	ck_assert_str_eq(said(), "");
}
END_TEST

START_TEST(no_memory_to_merge)
{
	fake_start(false);
	fake.has_no_memory = true;
	ck_assert(write_profile().is_written);
	ck_assert_str_eq(notes(), BEGIN_MAIN NO_ARC "close");
}
END_TEST

/* Said by who opens it; nothing is read that nobody gets. */
START_TEST(not_opened)
{
	fake_start(true);
	fake.cannot_open = true;
	ck_assert(!write_profile().is_written);
	ck_assert_str_eq(notes(), "open(path)");
	ck_assert_str_eq(said(), "");
}
END_TEST

static const struct {
	int result;
	const char *opened, *said;
} usual[] = {
	{0, "open(usual.42.child)", ""},
	{1, "", ""},
	{-ENAMETOOLONG, "", "gcrt: the name of the profile is longer than a "
			    "path may be: no profile was written\n"},
};

START_TEST(usual_name)
{
	struct profile profile = {0};

	fake_start(false);
	state.forked = fake.cannot_open = true;
	fake.name_result = usual[_i].result;
	profile_write(NULL, PROFILE_NORMAL, &profile);
	ck_assert(!profile.is_written);
	ck_assert_str_eq(notes(), usual[_i].opened);
	ck_assert_str_eq(said(), usual[_i].said);
}
END_TEST

/* Arcs of the program alone; frompc is one past the call. */
static const struct {
	uintptr_t frompc, selfpc;
	const char *written; /* null: outside */
} placed[] = {
	{BIAS + 0x1501, BIAS + 0x1600, "arc(1500,1600,7) "},
	{BIAS + HIGH, BIAS + LOW, "arc(2fff,1000,7) "},
	{BIAS + LOW, BIAS + HIGH - 1, "arc(1111,2fff,7) "},
	{NOWHERE, BIAS + 0x1600, "arc(1111,1600,7) "},
	{BIAS + 0x1501, NOWHERE, NULL},
	{BIAS + 0x1501, BIAS + HIGH, NULL},
};

START_TEST(arc_is_placed)
{
	const char *written = placed[_i].written;
	struct profile profile;

	fake_start(false);
	fake_call(placed[_i].frompc, placed[_i].selfpc, 7);
	profile = write_profile();
	ck_assert_str_eq(notes(), text(BEGIN_MAIN "%sunmap %sclose",
				       written ? written : "",
				       written ? "" : NO_ARC));
	ck_assert_uint_eq(profile.arcs, written ? 1 : 0);
	ck_assert_uint_eq(profile.calls, written ? 7 : 0);
	ck_assert_uint_eq(profile.outside, written ? 0 : 7);
}
END_TEST

/* Outside a narrower range nothing is called, but callers may be there. */
START_TEST(arc_beside_the_range)
{
	fake_start(false);
	state.profiled.highpc = 0x2000;
	fake_call(BIAS + 0x2501, BIAS + 0x1600, 3);
	fake_call(BIAS + 0x1601, BIAS + 0x2500, 4);
	ck_assert_uint_eq(write_profile().outside, 4);
	ck_assert_str_eq(notes(), BEGIN_MAIN "arc(2500,1600,3) unmap close");
}
END_TEST

/* Where the runtime is in the program, callers without a name are there. */
START_TEST(external_stands_in)
{
	fake_start(false);
	fake.program.bias = (uintptr_t)mcount_code_end - 0x1800;
	state.profiled = fake.program;
	fake_call(1, fake.program.bias + 0x1600, 3);
	write_profile();
	ck_assert_str_eq(notes(), BEGIN_MAIN "arc(1800,1600,3) unmap close");
}
END_TEST

#define CLAMP UINT64_C(0x10000000000000)

START_TEST(too_many_calls)
{
	fake_start(false);
	fake_call(BIAS + 0x1501, BIAS + 0x1600, CLAMP + _i);
	ck_assert_uint_eq(write_profile().calls, CLAMP);
	ck_assert_ptr_nonnull(strstr(notes(), "(1500,1600,4503599627370496)"));
	ck_assert_str_eq(said(), _i ? "gcrt: an arc with more than 2^52 calls "
				      "is written as 2^52\n"
				    : "");
}
END_TEST

START_TEST(bsd)
{
	struct profile profile;

	fake_start(false);
	state.options.bsd = true;
	fake.saturated = (uint64_t)_i;
	fake_call(BIAS + 0x1501, BIAS + 0x1600, 3);
	profile = write_profile();
	ck_assert_str_eq(notes(), BEGIN "bsd_ticks(100) merge "
			 "bsd_arc(1500,1600,3) unmap close");
	ck_assert_uint_eq(profile.ticks, 900);
	ck_assert_uint_eq(profile.saturated, fake.saturated);
	ck_assert_str_eq(said(), _i ? "gcrt: 1 bins are above 65535 and stay "
				      "there: format=bsd has no more\n"
				    : "");
}
END_TEST

Suite *unit_profile_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_profile", &tcase);

	tcase_add_loop_test(tcase, empty, 0, 2);
	tcase_add_test(tcase, no_memory_to_merge);
	tcase_add_test(tcase, not_opened);
	tcase_add_loop_test(tcase, usual_name, 0, sizeof usual / sizeof *usual);
	tcase_add_loop_test(tcase, arc_is_placed, 0,
			    sizeof placed / sizeof *placed);
	tcase_add_test(tcase, arc_beside_the_range);
	tcase_add_test(tcase, external_stands_in);
	tcase_add_loop_test(tcase, too_many_calls, 0, 2);
	add_tests_of_libraries(tcase);
	tcase_add_loop_test(tcase, bsd, 0, 2);
	return suite;
}
