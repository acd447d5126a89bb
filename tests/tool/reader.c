/* SPDX-License-Identifier: 0BSD */
/* The reader: every format, every length, and files that lie. */
#include "gmon/tool/reader.h"
#include "gmon/tool/walk.h"
#include "tests/harness.h"
#include "tests/suites.h"
#include "tests/tool/maker.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct target unknown;
static const struct target targets[] = {
	{8, false}, {8, true}, {4, false}, {4, true}};
enum { TARGET_COUNT = sizeof targets / sizeof *targets, LAYOUT_COUNT = 3 };

/* What was told, as text. */
struct told {
	char *words;
	uint64_t boundaries[16]; /* where records begin */
	size_t boundary_count;
};

static bool tell_histogram(void *context, const struct histogram *histogram,
			   const struct place *place, struct problem *problem)
{
	struct told *told = context;

	(void)problem;
	told->boundaries[told->boundary_count++] = place->offset;
	told->words = text("%shistogram %" PRIx64 " %" PRIx64 " %u %u %s %c\n",
			   told->words, histogram->lowpc, histogram->highpc,
			   histogram->bin_count, histogram->rate,
			   histogram->dimension, histogram->abbreviation);
	return true;
}

static void tell_bins(void *context, uint32_t first, const uint16_t *bins,
		      size_t count)
{
	struct told *told = context;

	for (size_t i = 0; i < count; i++)
		if (bins[i])
			told->words = text("%sbin %zu %u\n", told->words,
					   first + i, bins[i]);
}

static bool tell_arc(void *context, const struct arc *arc,
		     const struct place *place, struct problem *problem)
{
	struct told *told = context;

	(void)problem;
	told->boundaries[told->boundary_count++] = place->offset;
	told->words = text("%sarc %" PRIx64 " %" PRIx64 " %" PRIu64 "\n",
			   told->words, arc->frompc, arc->selfpc, arc->count);
	return true;
}

static bool tell_line(void *context, const char *line,
		      const struct place *place, struct problem *problem)
{
	struct told *told = context;

	(void)place, (void)problem;
	told->words = text("%s%s\n", told->words, line);
	return true;
}

/* Read bytes as a file of the target; null, with the problem, if it is bad. */
static char *read_as(const struct maker *maker, const struct target *target,
		     struct format *format, struct told *told,
		     struct problem *problem)
{
	struct visitor visitor = {
		.context = told,
		.histogram = tell_histogram,
		.bins = tell_bins,
		.arc = tell_arc,
		.line = tell_line,
	};
	struct source source;

	*told = (struct told){.words = text("%s", "")};
	source_memory(&source, "FILE", maker->bytes, maker->size);
	if (!reader_detect(&source, target, format, problem))
		return NULL;
	ck_assert(reader_walk(&source, format, &visitor, problem));
	return told->words;
}

/* Five bins and two arcs. */
static struct maker make(enum layout layout, const struct target *target)
{
	static const uint16_t bins[] = {0, 7, 0x1234, 0, 0xffff};
	struct maker maker = {.width = target->width, .big = target->big};

	if (layout == LAYOUT_GNU) {
		make_header(&maker);
		make_histogram(&maker, 0x8048000, 0x804800a, 5, 250);
		make_bins(&maker, bins, 5);
		make_arc(&maker, 0x8048001, 0x8048005, 0xfffffffe);
		make_table(&maker, "image - 0 1000 2000 a%25b\n");
		make_arc(&maker, 0x8048003, 0x8048008, 0);
		return maker;
	}
	make_bsd(&maker, 0x8048000, 0x804800a, 5, 250, layout == LAYOUT_BSD44);
	make_bins(&maker, bins, 5);
	make_bsd_arc(&maker, 0x8048001, 0x8048005, 0xfffffffe);
	make_bsd_arc(&maker, 0x8048003, 0x8048008, 0);
	return maker;
}

static char *expected(enum layout layout)
{
	return text("histogram 8048000 804800a 5 %d seconds s\n"
		    "bin 1 7\nbin 2 4660\nbin 4 65535\n"
		    "arc 8048001 8048005 4294967294\n%s"
		    "arc 8048003 8048008 0\n",
		    layout == LAYOUT_BSD ? RATE_UNSAID : 250,
		    layout == LAYOUT_GNU ? "image - 0 1000 2000 a%25b\n" : "");
}

/* Told from the bytes alone, and with the executable known. */
START_TEST(formats_are_told)
{
	enum layout layout = (enum layout)(_i / TARGET_COUNT);
	const struct target *target = &targets[_i % TARGET_COUNT];
	struct maker maker = make(layout, target);
	const struct target *known[] = {&unknown, target};
	struct problem problem;
	struct format format;
	struct told told;

	for (int i = 0; i < 2; i++) {
		char *words = read_as(&maker, known[i], &format, &told,
				      &problem);

		ck_assert_msg(words != NULL, "%s", problem.text);
		ck_assert_str_eq(words, expected(layout));
		ck_assert_int_eq(format.layout, layout);
		ck_assert_uint_eq(format.target.width, target->width);
		ck_assert_int_eq(format.target.big, target->big);
	}
}
END_TEST

/* A file of another executable is never half-read. */
START_TEST(other_executables_are_refused)
{
	enum layout layout = (enum layout)(_i / TARGET_COUNT);
	const struct target *target = &targets[_i % TARGET_COUNT];
	struct maker maker = make(layout, target);
	struct problem problem;
	struct format format;
	struct told told;

	for (int i = 0; i < TARGET_COUNT; i++)
		if (i != _i % TARGET_COUNT) {
			ck_assert_ptr_null(read_as(&maker, &targets[i],
						   &format, &told, &problem));
			ck_assert_int_eq(strncmp(problem.text, "FILE: ", 6), 0);
			if (layout == LAYOUT_GNU &&
			    targets[i].big == target->big)
				ck_assert_str_eq(
					problem.text,
					text("FILE: the file is of a %u-bit "
					     "program", 8 * target->width));
		}
}
END_TEST

/* Where a record begins the file may end; nowhere else. */
START_TEST(cut_files_are_refused)
{
	enum layout layout = (enum layout)(_i / TARGET_COUNT);
	const struct target *target = &targets[_i % TARGET_COUNT];
	struct maker maker = make(layout, target);
	size_t size = maker.size, good = 0;
	struct format format;
	struct problem problem;
	struct told told, whole;

	ck_assert_ptr_nonnull(
		read_as(&maker, target, &format, &whole, &problem));
	for (maker.size = 0; maker.size < size; maker.size++) {
		if (read_as(&maker, target, &format, &told, &problem)) {
			good++;
			continue;
		}
		ck_assert_msg(strstr(problem.text, "cut off") ||
				      strstr(problem.text, "too short") ||
				      strstr(problem.text, "neither") ||
				      strstr(problem.text, "has no end"),
			      "%zu: %s", maker.size, problem.text);
	}
	/* the header alone; the histogram; the arcs; at a line's end */
	ck_assert_uint_eq(good, layout == LAYOUT_GNU ? 4 : 2);
}
END_TEST

/* A file that begins well and goes on so. */
struct lie {
	const char *words; /* that the problem must have */
	void (*make)(struct maker *maker);
};

static void lie_bins(struct maker *maker)
{
	make_histogram(maker, 0, 0xfffffffe, 0xffffffff, 100);
}

static void lie_backwards(struct maker *maker)
{
	make_histogram(maker, 16, 0, 0, 100);
}

static void lie_tag(struct maker *maker)
{
	make_number(maker, 3, 1);
}

static void lie_blocks(struct maker *maker)
{
	make_number(maker, 2, 1);
	make_number(maker, 0xffffffff, 4);
	make_bytes(maker, "0123456789abcdef", 16);
}

static void lie_table_count(struct maker *maker)
{
	make_arc(maker, 1, 1, 256);
}

static void lie_table_control(struct maker *maker)
{
	make_table(maker, "image \t");
}

static void lie_table_end(struct maker *maker)
{
	make_table(maker, "image - 0 1 2 x");
}

static void lie_table_endless(struct maker *maker)
{
	for (int i = 0; i < LINE_SIZE_MAX; i++)
		make_arc(maker, 4, 1, 0x41414141);
}

static const struct lie lies[] = {
	{"histogram is cut off: 4294967295 bins, 0 bytes left", lie_bins},
	{"the end lies before the begin", lie_backwards},
	{"no record with tag 3", lie_tag},
	{"block record is cut off: 4294967295 blocks", lie_blocks},
	{"more than the 1 bytes announced", lie_table_count},
	{"image table: byte 0x9", lie_table_control},
	{"the last line has no end", lie_table_end},
	{"endless line", lie_table_endless},
};

START_TEST(lies_are_refused)
{
	struct maker maker = {.width = 8};
	struct format format;
	struct problem problem;
	struct told told;

	make_header(&maker);
	make_arc(&maker, 16, 32, 1);
	lies[_i].make(&maker);
	ck_assert_ptr_null(
		read_as(&maker, &targets[0], &format, &told, &problem));
	ck_assert_msg(strstr(problem.text, lies[_i].words) != NULL, "%s",
		      problem.text);
	ck_assert_msg(strstr(problem.text, "FILE: offset ") != NULL, "%s",
		      problem.text);
}
END_TEST

/* Far more than the window holds, from a disk. */
START_TEST(files_larger_than_the_window)
{
	enum { BINS = 3000000, ARCS = 100000 };
	char *path = text("%s/big", directory_make());
	struct maker maker = {.width = 8};
	struct source source = {.fd = -1};
	struct visitor visitor = {.bins = tell_bins, .line = tell_line};
	struct told told = {.words = text("%s", "")};
	struct problem problem;
	struct format format;

	make_header(&maker);
	make_histogram(&maker, 0, 2 * BINS, BINS, 100);
	for (int i = 0; i < BINS; i++)
		make_number(&maker, i % 700001 == 5, 2);
	for (int i = 0; i < ARCS; i++)
		make_arc(&maker, 16, 32, 1);
	make_table(&maker, "image - 0 1000 2000 end\n");
	make_file(&maker, path);
	visitor.context = &told;
	ck_assert(source_open(&source, path, &problem));
	ck_assert(reader_detect(&source, &unknown, &format, &problem));
	ck_assert(reader_walk(&source, &format, &visitor, &problem));
	ck_assert_str_eq(told.words, "bin 5 1\nbin 700006 1\nbin 1400007 1\n"
				     "bin 2100008 1\nbin 2800009 1\n"
				     "image - 0 1000 2000 end\n");
	source_free(&source);
}
END_TEST

/* What the fuzzer has found stays found. */
START_TEST(corpus_is_survived)
{
	char *folder = text("%s/tests/corpus/reader", setting("SOURCE"));
	DIR *corpus = opendir(folder);
	struct dirent *entry;
	int count = 0;

	ck_assert_ptr_nonnull(corpus);
	while ((entry = readdir(corpus))) {
		struct maker maker = {.width = 8};
		struct format format;
		struct problem problem;
		struct told told;

		if (entry->d_name[0] == '.')
			continue;
		maker.bytes = (unsigned char *)file_read(
			text("%s/%s", folder, entry->d_name), &maker.size);
		problem.text[0] = '\0';
		if (!read_as(&maker, &unknown, &format, &told, &problem))
			ck_assert_str_ne(problem.text, "");
		count++;
	}
	ck_assert_int_ge(count, 10);
	closedir(corpus);
}
END_TEST

Suite *tool_reader_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("tool_reader", &tcase);
	int formats = LAYOUT_COUNT * TARGET_COUNT;

	tcase_add_loop_test(tcase, formats_are_told, 0, formats);
	tcase_add_loop_test(tcase, other_executables_are_refused, 0, formats);
	tcase_add_loop_test(tcase, cut_files_are_refused, 0, formats);
	tcase_add_loop_test(tcase, lies_are_refused, 0,
			    sizeof lies / sizeof *lies);
	tcase_add_test(tcase, files_larger_than_the_window);
	tcase_add_test(tcase, corpus_is_survived);
	return suite;
}
