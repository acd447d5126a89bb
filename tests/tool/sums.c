/* SPDX-License-Identifier: 0BSD */
/* Profiles in memory: exact sums, written and read back; and refusals. */
#include "gmon/tool/gather.h"
#include "gmon/tool/profile.h"
#include "tests/harness.h"
#include "tests/suites.h"
#include "tests/tool/maker.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct target unknown;

static bool add(struct profile *profile, const struct maker *maker,
		const char *name, struct problem *problem)
{
	struct source source;

	source_memory(&source, name, maker->bytes, maker->size);
	return profile_add(profile, &source, &unknown, problem);
}

static void add_well(struct profile *profile, const struct maker *maker)
{
	struct problem problem;

	ck_assert_msg(add(profile, maker, "FILE", &problem), "%s",
		      problem.text);
}

static struct maker written(struct profile *profile)
{
	struct maker maker = {.width = 8};
	struct problem problem;
	char *bytes;
	FILE *file = open_memstream(&bytes, &maker.size);

	ck_assert_msg(profile_finish(profile, &problem), "%s", problem.text);
	ck_assert_msg(profile_write(profile, file, &problem), "%s",
		      problem.text);
	ck_assert_int_eq(fclose(file), 0);
	maker.bytes = (unsigned char *)bytes;
	return maker;
}

/* All bins, then all arcs, as text. */
static char *contents(struct profile *profile)
{
	struct problem problem;
	char *words = text("%s", "");

	ck_assert(profile_finish(profile, &problem));
	for (size_t i = 0; i < profile->ranges.count; i++) {
		const struct range *range = &profile->ranges.range[i];
		uint32_t bin = range_next(range, 0);

		words = text("%s%" PRIx64 "-%" PRIx64 ":", words, range->lowpc,
			     range->highpc);
		for (; bin < range->bin_count; bin = range_next(range, bin + 1))
			words = text("%s %u=%" PRIu64, words, bin,
				     range_bin(range, bin));
	}
	for (size_t i = 0; i < profile->arcs.count; i++)
		words = text("%s %" PRIx64 ">%" PRIx64 "=%" PRIu64, words,
			     profile->arcs.arc[i].frompc,
			     profile->arcs.arc[i].selfpc,
			     profile->arcs.arc[i].count);
	return words;
}

static char *contents_of(const struct maker *maker)
{
	struct profile profile = {.origin = NULL};

	add_well(&profile, maker);
	return contents(&profile);
}

/* Three bins and an arc, all as high as a record can have them. */
static struct maker full_file(unsigned width, bool big)
{
	static const uint16_t bins[] = {65535, 0, 1};
	struct maker maker = {.width = width, .big = big};

	make_header(&maker);
	make_histogram(&maker, 0x1000, 0x1006, 3, 100);
	make_bins(&maker, bins, 3);
	make_arc(&maker, 0x1000, 0x1004, 0xffffffff);
	return maker;
}

START_TEST(sums_are_exact)
{
	struct maker file = full_file(_i & 1 ? 4 : 8, _i & 2);
	struct profile profile = {.origin = NULL};
	struct maker sum;
	const char *right = "1000-1006: 0=196605 2=3 1000>1004=12884901885";

	for (int i = 0; i < 3; i++)
		add_well(&profile, &file);
	ck_assert_str_eq(contents(&profile), right);
	sum = written(&profile);
	ck_assert_str_eq(contents_of(&sum), right);
	/* three records of each, which is what gprof adds up */
	ck_assert_uint_eq(sum.size, 3 * (file.size - 20) + 20);
}
END_TEST

/* 4.4BSD counts have 64 bits. */
START_TEST(wide_counts_are_kept)
{
	struct maker file = {.width = 8};
	struct profile profile = {.origin = NULL};
	struct maker sum;

	make_bsd(&file, 0x1000, 0x1000, 0, 100, true);
	make_bsd_arc(&file, 0x1000, 0x1004, (UINT64_C(1) << 40) + 1);
	add_well(&profile, &file);
	sum = written(&profile);
	ck_assert_str_eq(contents_of(&sum), " 1000>1004=1099511627777");
}
END_TEST

START_TEST(what_nobody_can_write_is_said)
{
	struct maker file = {.width = 8};
	struct profile profile = {.origin = NULL};
	struct problem problem;

	make_bsd(&file, 0x1000, 0x1000, 0, 100, true);
	make_bsd_arc(&file, 0x1000, 0x1004, UINT64_MAX);
	make_bsd_arc(&file, 0x1000, 0x1004, UINT64_MAX);
	add_well(&profile, &file);
	ck_assert_str_eq(contents(&profile),
			 " 1000>1004=18446744073709551615");
	ck_assert(!profile_write(&profile, fopen("/dev/null", "w"), &problem));
	ck_assert_ptr_nonnull(strstr(problem.text, "18446744073709551615"));
}
END_TEST

enum { SPLIT_BINS = 100000 };

/* A wide histogram of which one bin is hot. */
static struct maker wide_file(uint32_t hot)
{
	struct maker file = {.width = 8};

	make_header(&file);
	make_histogram(&file, 0x1000, 0x1000 + 2 * SPLIT_BINS, SPLIT_BINS, 100);
	for (uint32_t i = 0; i < SPLIT_BINS; i++)
		make_number(&file, i == hot ? 65535 : i % 50000 == 1, 2);
	return file;
}

/* A hot bin must not make the sum a hundred copies of the text. */
START_TEST(hot_bins_are_cut_out)
{
	struct maker file = wide_file(77777), sum, again;
	struct profile profile = {.origin = NULL};
	struct profile both = {.origin = NULL};
	const char *right = "1000-31d40: 1=100 50001=100 77777=6553500";

	for (int i = 0; i < 100; i++)
		add_well(&profile, &file);
	ck_assert_str_eq(contents(&profile), right);
	sum = written(&profile);
	ck_assert_uint_lt(sum.size, file.size);
	ck_assert_str_eq(contents_of(&sum), right);

	/* and such a sum goes on being added to, in either order */
	add_well(&both, _i ? &sum : &file);
	add_well(&both, _i ? &file : &sum);
	add_well(&both, &sum);
	again = written(&both);
	ck_assert_str_eq(contents_of(&again),
			 "1000-31d40: 1=201 50001=201 77777=13172535");
}
END_TEST

/* Repeated parts cost memory for what they hold, not for what they say. */
START_TEST(announced_ranges_are_bounded)
{
	struct maker file = {.width = 8};
	struct profile profile = {.origin = NULL};
	struct problem problem;

	make_header(&file);
	for (int i = 1; i < 20; i++)
		make_table(&file, text("range %x000000000 %x020000000 "
				       "10000000\n", i, i));
	ck_assert(!add(&profile, &file, "FILE", &problem));
	ck_assert_ptr_nonnull(strstr(problem.text, "ranges of more than"));
}
END_TEST

static const struct {
	const char *one, *other; /* of the image table; of histograms if "" */
	uint64_t highpc;
	uint32_t bins, rate;
	const char *words;
} refusals[] = {
	{"", "", 0x1064, 50, 99, "its rate is 99, that of ONE is 100"},
	{"", "", 0x1064, 25, 100, "its bins are of 4 bytes, those of ONE of 2"},
	{"", "", 0x1066, 51, 100, "does not go together with 1000-1064"},
	{"image aa 0 1000 2000 /p\n", "image bb 0 1000 2000 /p\n", 0x1064, 50,
	 100, "its /p (build-id bb, text 1000-2000) is not the /p (build-id aa"},
	{"image - 0 1000 2000 /p\n", "image - 0 1000 2000 /q\n", 0x1064, 50,
	 100, "is not the /p"},
	{"image aa 5000 0 2000 /p\n", "image bb 6000 0 2000 /q\n", 0x1064, 50,
	 100, "is not the /p"},
	{"image bb 6000 0 2000 /p\n", "image aa 5000 0 2000 /q\n", 0x1064, 50,
	 100, "is not the /p"},
	{"", "image aa 0 1000 1000 /p\n", 0x1064, 50, 100, "bad line"},
	{"", "image AA 0 1000 2000 /p\n", 0x1064, 50, 100, "bad line"},
	{"", "image aa 0 1000 2000 \n", 0x1064, 50, 100, "bad line"},
	{"", "image aa 0 1000 2000 /%00\n", 0x1064, 50, 100, "bad line"},
	{"", "image aa 0 1000 2000 /%4\n", 0x1064, 50, 100, "bad line"},
	{"", "image aa 0 10000000000000000 2 /p\n", 0x1064, 50, 100,
	 "bad line"},
	{"", "image aa ffffffffffffffff 0 2 /p\n", 0x1064, 50, 100, "bad line"},
	{"", "range 0 10 0\n", 0x1064, 50, 100, "bad line"},
	{"", "range 0 10 3\n", 0x1064, 50, 100, "bad line"},
	{"", "range 0 10 8 \n", 0x1064, 50, 100, "bad line"},
	{"", "imago 0 10\n", 0x1064, 50, 100, "unknown line"},
};

static struct maker refused_file(const char *table, uint64_t highpc,
				 uint32_t bins, uint32_t rate)
{
	struct maker file = {.width = 8};

	make_header(&file);
	make_table(&file, table);
	make_histogram(&file, 0x1000, highpc, bins, rate);
	for (uint32_t i = 0; i < bins; i++)
		make_number(&file, 1, 2);
	return file;
}

/* By name, whether one after the other or each by a thread of its own. */
START_TEST(others_are_refused)
{
	struct maker one = refused_file(refusals[_i].one, 0x1064, 50, 100);
	struct maker other =
		refused_file(refusals[_i].other, refusals[_i].highpc,
			     refusals[_i].bins, refusals[_i].rate);
	struct profile profile = {.origin = NULL}, second = {.origin = NULL};
	struct problem problem;
	bool good;

	ck_assert(add(&profile, &one, "ONE", &problem));
	ck_assert(!add(&profile, &other, "OTHER", &problem));
	ck_assert_msg(strncmp(problem.text, "OTHER: offset ", 14) == 0 &&
			      strstr(problem.text, refusals[_i].words),
		      "%s", problem.text);
	profile = (struct profile){.origin = NULL};
	ck_assert(add(&profile, &one, "ONE", &problem));
	good = add(&second, &other, "OTHER", &problem);
	if (good)
		good = profile_merge(&profile, &second, &problem);
	ck_assert(!good);
	ck_assert_msg(strncmp(problem.text, "OTHER: ", 7) == 0 &&
			      strstr(problem.text, refusals[_i].words),
		      "%s", problem.text);
}
END_TEST

/* Histograms that overlap without being equal. */
START_TEST(overlap_is_refused)
{
	struct maker file = {.width = 8};
	struct profile profile = {.origin = NULL};
	struct problem problem;

	make_header(&file);
	for (int i = 0; i < 2; i++) {
		make_histogram(&file, 0x1000 + 2 * (unsigned)i,
			       0x1004 + 2 * (unsigned)i, 2, 100);
		make_number(&file, 1, 2);
		make_number(&file, 1, 2);
	}
	ck_assert(add(&profile, &file, "FILE", &problem));
	ck_assert(!profile_finish(&profile, &problem));
	ck_assert_ptr_nonnull(strstr(problem.text, "does not go together"));
}
END_TEST

/* Equal lines are one; a library may have another path elsewhere. */
START_TEST(tables_are_merged)
{
	static const char *const tables[] = {
		"image aa 400000 1000 2000 /a/l%20%25%0Ax\n",
		"image aa 400000 1000 2000 /a/l%20%25%0Ax\n"
		"image - 0 1000 2000 /p\n",
		"image aa 400000 1000 2000 /b/l\nimage - 0 1000 2000 q/p\n"};
	struct profile profile = {.origin = NULL};
	struct maker file, sum;

	for (int i = 0; i < 3; i++) {
		file = refused_file(tables[i], 0x1064, 50, 100);
		add_well(&profile, &file);
	}
	for (int i = 0; i < 2; i++) {
		const struct image *image = profile.images.image;

		ck_assert_uint_eq(profile.images.count, 2);
		ck_assert_str_eq(image[0].path, "/p");
		ck_assert_str_eq(image[1].path, "/a/l %\nx");
		ck_assert_str_eq(image[1].id, "aa");
		ck_assert_uint_eq(image[1].base, 0x400000);
		ck_assert_ptr_eq(images_find(&profile.images, 0x401fff),
				 &image[1]);
		ck_assert_ptr_null(images_find(&profile.images, 0x402000));
		ck_assert_ptr_null(images_find(&profile.images, 0x400fff));
		sum = written(&profile);
		profile = (struct profile){.origin = NULL};
		add_well(&profile, &sum);
	}
}
END_TEST

/* The number of threads is not seen in the sum. */
START_TEST(threads_do_not_matter)
{
	enum { FILES = 60 };
	char *folder = directory_make();
	const char *names[FILES];
	struct maker one = {.size = 0};

	for (int i = 0; i < FILES; i++) {
		struct maker file = refused_file(
			"image aa 400000 1000 2000 /l\n", 0x1064, 50, 100);

		for (int k = 0; k < 300; k++)
			make_arc(&file, 0x1000 + (unsigned)(k * i) % 97,
				 0x1000 + (unsigned)(k + i) % 31,
				 0x10000000);
		names[i] = text("%s/%d", folder, i);
		make_file(&file, names[i]);
	}
	for (unsigned threads = 1; threads <= 8; threads++) {
		struct gather gather = {names, FILES, threads, false, {0}};
		struct profile profile = {.origin = NULL};
		struct problem problem;
		struct maker sum;

		ck_assert_msg(gather_files(&gather, &profile, &problem), "%s",
			      problem.text);
		sum = written(&profile);
		if (threads == 1)
			one = sum;
		ck_assert_uint_eq(sum.size, one.size);
		ck_assert_mem_eq(sum.bytes, one.bytes, one.size);
	}
}
END_TEST

Suite *tool_sums_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("tool_sums", &tcase);

	tcase_add_loop_test(tcase, sums_are_exact, 0, 4);
	tcase_add_test(tcase, wide_counts_are_kept);
	tcase_add_test(tcase, what_nobody_can_write_is_said);
	tcase_add_loop_test(tcase, hot_bins_are_cut_out, 0, 2);
	tcase_add_test(tcase, announced_ranges_are_bounded);
	tcase_add_loop_test(tcase, others_are_refused, 0,
			    sizeof refusals / sizeof *refusals);
	tcase_add_test(tcase, overlap_is_refused);
	tcase_add_test(tcase, tables_are_merged);
	tcase_add_test(tcase, threads_do_not_matter);
	return suite;
}
