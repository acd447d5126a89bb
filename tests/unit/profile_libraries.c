/* SPDX-License-Identifier: 0BSD */
/* images=all: libraries that are there, that go, and that went. */
#include "gmon/profile.h"
#include "tests/harness.h"
#include "tests/unit/profile_fakes.h"
#include "tests/unit/tools.h"

#include <stdlib.h>
#include <string.h>

static struct thread_table mine;

/* The table has the program, and of libraries those that are in the file. */
START_TEST(libraries)
{
	struct profile profile;

	fake_start(true);
	fake.library_ticks = 20;
	profile = write_profile();
	ck_assert_str_eq(notes(), BEGIN_ALL LIBRARIES
			 "merge unmap " NO_ARC "image(prog) image(lib) close");
	ck_assert_uint_eq(profile.ticks, 1020);
}
END_TEST

/* As a caller or as a callee. */
START_TEST(library_has_arcs)
{
	fake_start(true);
	fake_call(BIAS + 0x1501, BIAS + 0x1600, 1);
	if (_i)
		fake_call(LIB_BIAS + 0x1501, BIAS + LOW, 2);
	else
		fake_call(BIAS + 0x1501, LIB_BIAS + LOW, 2);
	ck_assert_uint_eq(write_profile().calls, 3);
	ck_assert_str_eq(notes(),
			 text(BEGIN_ALL LIBRARIES "merge arc(1500,1600,1) %s "
			      "unmap image(prog) image(lib) close",
			      _i ? "arc(10001500,1000,2)"
				 : "arc(1500,10001000,2)"));
}
END_TEST

/* What was counted where another one may be now is aside. */
START_TEST(library_is_gone)
{
	fake_start(true);
	fake.library.is_gone = true;
	fake.second.bias = LIB_BIAS;
	fake.aside_ticks = 6;
	fake_call(LIB_BIAS + 0x1501, LIB_BIAS + 0x1600, 1);
	ck_assert_uint_eq(write_profile().ticks, 1012);
	ck_assert_str_eq(notes(), BEGIN_ALL "aside(lib,10000000) "
			 "chunks(second,700000) aside(second,20000000) merge "
			 "arc(20001500,20001600,1) unmap image(prog) "
			 "image(lib) image(second) close");
}
END_TEST

START_TEST(library_is_left_out)
{
	fake_start(true);
	fake.library.is_left_out = fake.library.is_used = true;
	fake.library_ticks = 20;
	fake_call(LIB_BIAS + 0x1501, BIAS + 0x1600, 1);
	fake_call(BIAS + 0x1501, LIB_BIAS + 0x1600, 2);
	ck_assert_uint_eq(write_profile().outside, 2);
	ck_assert_str_eq(notes(), BEGIN_ALL "chunks(second,900000) "
			 "aside(second,20000000) merge arc(1111,1600,1) "
			 "unmap image(prog) close");
	ck_assert_str_eq(said(), "gcrt: lib is left out: another library has "
				 "its place in the file\n");
}
END_TEST

static void put_aside(uintptr_t frompc, uintptr_t selfpc, uint64_t count)
{
	fake.counts.aside.arcs =
		arcs_make(calloc(1, arcs_size(64)), 64, fake.counts.aside.arcs);
	*arcs_enter(fake.counts.aside.arcs, frompc, selfpc) += count;
}

/* In all tables, at their addresses in the file; those without a count not. */
START_TEST(arcs_aside)
{
	fake_start(true);
	put_aside(LIB_BIAS, LIB_BASE + 1, 5);
	put_aside(1, 2, 0);
	put_aside(3, LIB_BASE + 4, 6);
	ck_assert_uint_eq(write_profile().calls, 11);
	ck_assert_str_eq(notes(), BEGIN_ALL LIBRARIES "merge unmap "
			 "arc(3,10000004,6) arc(700000,10000001,5) "
			 "image(prog) close");
}
END_TEST

/* The loader's lock may be ours already. */
START_TEST(in_a_handler)
{
	struct profile profile = {0};

	fake_start(true);
	state.images.unloads = 1;
	profile_write("path", PROFILE_SIGNAL, &profile);
	ck_assert_ptr_nonnull(
		strstr(notes(), "settle refresh_unlocked header"));
	ck_assert_str_eq(said(), "");
}
END_TEST

/* Nobody called our dlclose(): said once for each time. */
START_TEST(unloaded_past_us)
{
	fake_start(true);
	state.images.unloads = 3;
	state.images.unloads_seen = 2;
	write_profile();
	write_profile();
	ck_assert_int_eq(lines_said(), 1);
	ck_assert_ptr_nonnull(strstr(said(), "libraries were unloaded past"));
	ck_assert_uint_eq(state.images.unloads_seen, 3);
	ck_assert(!fake.identity.at_loader);
}
END_TEST

/* In front of dlclose(): everything so far is the library's. */
START_TEST(unloading)
{
	fake_start(true);
	threads_mine.table = _i ? &mine : NULL;
	profile_unloading(LIB_BIAS);
	ck_assert_str_eq(notes(), "settle refresh(1) set_aside(lib,10001234)");
	profile_unloading(0); /* nobody knows which */
	ck_assert_str_eq(notes(), "settle refresh(1)");
	ck_assert_uint_eq(mine.unloads, _i ? 2 : 0);
	ck_assert_str_eq(said(), "");
	fake.cannot_keep = true;
	profile_unloading(LIB_BIAS);
	ck_assert_str_eq(said(), "gcrt: no memory to keep the counts of an "
				 "unloaded library\n");
}
END_TEST

/* Behind it: what its destructors added, and what was unloaded with it. */
START_TEST(unloaded)
{
	fake_start(true);
	threads_mine.table = &mine;
	mine.unloads = 1;
	state.images.unloads = 3;
	fake.unloads = true;
	profile_unloaded();
	ck_assert_str_eq(notes(), "settle refresh(1) set_aside(lib,10001234)");
	ck_assert_uint_eq(mine.unloads, 0);
	ck_assert_uint_eq(state.images.unloads_seen, 3);
	ck_assert_str_eq(said(), "");
	/* profiling began within dlclose() */
	fake.cannot_keep = true;
	profile_unloaded();
	ck_assert_uint_eq(mine.unloads, 0);
	ck_assert_int_eq(lines_said(), 1);
	threads_mine.table = NULL;
	profile_unloaded();
}
END_TEST

void add_tests_of_libraries(TCase *tcase)
{
	tcase_add_test(tcase, libraries);
	tcase_add_loop_test(tcase, library_has_arcs, 0, 2);
	tcase_add_test(tcase, library_is_gone);
	tcase_add_test(tcase, library_is_left_out);
	tcase_add_test(tcase, arcs_aside);
	tcase_add_test(tcase, in_a_handler);
	tcase_add_test(tcase, unloaded_past_us);
	tcase_add_loop_test(tcase, unloading, 0, 2);
	tcase_add_test(tcase, unloaded);
}
