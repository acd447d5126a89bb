/* SPDX-License-Identifier: 0BSD */
/*
 * Records byte by byte.  What is expected is put together here in the format's
 * own words, little by little, by code that knows nothing of the writer's.
 */
#include "gmon/write.h"
#include "tests/harness.h"
#include "tests/suites.h"
#include "tests/unit/tools.h"

#include <string.h>

static struct memory_sink written, expected;

static void open_sinks(void)
{
	memory_sink_open(&written);
	memory_sink_open(&expected);
}

static void expect(const void *bytes, size_t size)
{
	sink_put(&expected.sink, bytes, size);
}

static void expect_arc(uintptr_t frompc, uintptr_t selfpc, uint32_t count)
{
	expect("\1", 1);
	expect(&frompc, sizeof frompc);
	expect(&selfpc, sizeof selfpc);
	expect(&count, 4);
}

static void expect_range(uintptr_t lowpc, uintptr_t highpc, uint32_t rate)
{
	uint32_t bin_count = (uint32_t)((highpc - lowpc) / PC_BIN_SIZE);

	expect("", 1);
	expect(&lowpc, sizeof lowpc);
	expect(&highpc, sizeof highpc);
	expect(&bin_count, 4);
	expect(&rate, 4);
	expect("seconds\0\0\0\0\0\0\0\0s", 16);
}

static void expect_bins(uint16_t value, size_t count)
{
	while (count--)
		expect(&value, 2);
}

static void assert_as_expected(void)
{
	ck_assert_uint_eq(written.size, expected.size);
	for (size_t i = 0; i < written.size; i++)
		if (written.bytes[i] != expected.bytes[i])
			ck_abort_msg("byte %zu is %d, not %d", i,
				     written.bytes[i], expected.bytes[i]);
}

START_TEST(header)
{
	open_sinks();
	write_header(&written.sink);
	expect("gmon\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 20);
	assert_as_expected();
}
END_TEST

static const struct {
	uint64_t count;
	uint32_t parts[4];
} arc_counts[] = {
	{0, {0}},
	{1, {1}},
	{0xffffffff, {0xffffffff}},
	{0x100000000, {0xffffffff, 1}},
	{0x2fffffffdu, {0xffffffff, 0xffffffff, 0xffffffff}},
	{0x300000000, {0xffffffff, 0xffffffff, 0xffffffff, 3}},
};

START_TEST(arcs)
{
	const uint32_t *part = arc_counts[_i].parts;

	open_sinks();
	write_arc(&written.sink, 0x401233, 0x401567, arc_counts[_i].count);
	do
		expect_arc(0x401233, 0x401567, *part);
	while (part++ < arc_counts[_i].parts + 3 && *part);
	assert_as_expected();
}
END_TEST

/* Text that begins and ends in the middle of pages, at another address. */
START_TEST(dense)
{
	struct image image = {.lowpc = 0x1040, .highpc = 0x3000 - 0x40,
			      .bias = 0x555555554000};
	struct histogram histogram = {0};

	open_sinks();
	histogram_add(&histogram, image.bias + 0x1040, 7);
	histogram_add(&histogram, image.bias + 0x1043, 9);
	histogram_add(&histogram, image.bias + 0x2fbe, 11);
	/* outside: not in the file */
	histogram_add(&histogram, image.bias + 0x103f, 100);
	histogram_add(&histogram, image.bias + 0x2fc0, 100);
	histogram_add(&histogram, 0x1040, 100);
	ck_assert_uint_eq(write_histogram(&written.sink, &image, &histogram,
					  250), 27);
	expect_range(0x1040, 0x2fc0, 250);
	expect_bins(7, 1);
	expect_bins(9, 1);
	expect_bins(0, (0x2fbe - 0x1044) / 2);
	expect_bins(11, 1);
	assert_as_expected();
}
END_TEST

/* Odd ends are widened to whole bins; nothing hit is still one record. */
START_TEST(empty_and_odd)
{
	struct image image = {.lowpc = 0x1001, .highpc = 0x1101};
	struct histogram histogram = {0};

	open_sinks();
	ck_assert_uint_eq(write_histogram(&written.sink, &image, &histogram,
					  100), 0);
	expect_range(0x1000, 0x1102, 100);
	expect_bins(0, 0x102 / 2);
	assert_as_expected();
}
END_TEST

static const struct {
	uint64_t count;
	uint16_t parts[4];
} bin_counts[] = {
	{65534, {65534}},
	{65535, {65535}},
	{65536, {65535, 1}},
	{131070, {65535, 65535}},
	{200000, {65535, 65535, 65535, 3395}},
};

/* What 16 bits cannot hold goes on in records of the same range. */
START_TEST(high_bins)
{
	struct image image = {.lowpc = 0x1000, .highpc = 0x1008};
	struct histogram histogram = {0};
	const uint16_t *part = bin_counts[_i].parts;
	bool first = true;

	open_sinks();
	histogram_add(&histogram, 0x1004, (uint32_t)bin_counts[_i].count);
	histogram_add(&histogram, 0x1000, 5);
	ck_assert_uint_eq(write_histogram(&written.sink, &image, &histogram,
					  100), bin_counts[_i].count + 5);
	do {
		expect_range(0x1000, 0x1008, 100);
		expect_bins(first ? 5 : 0, 1);
		expect_bins(0, 1);
		expect_bins(*part, 1);
		expect_bins(0, 1);
		first = false;
	} while (part++ < bin_counts[_i].parts + 3 && *part);
	assert_as_expected();
}
END_TEST

#define MiB ((uintptr_t)1 << 20)

/* Up to 4 MiB one record holds all; beyond, only the chunks that were hit. */
START_TEST(four_MiB)
{
	struct image image = {.lowpc = 0x401000, .highpc = 0x401000 + 4 * MiB};
	struct histogram histogram = {0};

	image.highpc += (uintptr_t)_i * 2;
	open_sinks();
	histogram_add(&histogram, 0x401000, 3);
	histogram_add(&histogram, 0x403ffe, 4);
	ck_assert_uint_eq(write_histogram(&written.sink, &image, &histogram,
					  100), 7);
	expect_range(0x401000, _i ? 0x404000 : image.highpc, 100);
	expect_bins(3, 1);
	expect_bins(0, 0x2ffc / 2);
	expect_bins(4, 1);
	if (!_i)
		expect_bins(0, (image.highpc - 0x404000) / 2);
	assert_as_expected();
}
END_TEST

static void expect_chunk(uintptr_t lowpc, uintptr_t highpc, uintptr_t pc,
			 uint16_t value)
{
	expect_range(lowpc, highpc, 100);
	expect_bins(0, (pc - lowpc) / 2);
	expect_bins(value, 1);
	expect_bins(0, (highpc - pc) / 2 - 1);
}

/*
 * Chunks lie on multiples of 16 KiB of the link-time address, whatever the
 * load bias; the first and last are cut by the text.
 */
START_TEST(chunks)
{
	struct image image = {.lowpc = 0x1040, .highpc = 0x1040 + 64 * MiB,
			      .bias = (uintptr_t)0x555555551000 * (unsigned)_i};
	struct histogram histogram = {0};

	open_sinks();
	histogram_add(&histogram, image.bias + 0x1040, 1);
	histogram_add(&histogram, image.bias + 0x1002000, 2);
	histogram_add(&histogram, image.bias + 0x1007ffe, 3);
	histogram_add(&histogram, image.bias + image.highpc - 2, 4);
	histogram_add(&histogram, image.bias + image.highpc, 100);
	histogram_add(&histogram, image.bias + 0x103e, 100);
	ck_assert_uint_eq(write_histogram(&written.sink, &image, &histogram,
					  100), 10);
	expect_chunk(0x1040, 0x4000, 0x1040, 1);
	expect_chunk(0x1000000, 0x1004000, 0x1002000, 2);
	expect_chunk(0x1004000, 0x1008000, 0x1007ffe, 3);
	expect_chunk(64 * MiB, image.highpc, image.highpc - 2, 4);
	assert_as_expected();
}
END_TEST

/* A hundred MiB that nothing ran in are one small record. */
START_TEST(idle_text)
{
	struct image image = {.lowpc = 0x400000, .highpc = 0x400000 + 100 * MiB};
	struct histogram histogram = {0};

	open_sinks();
	ck_assert_uint_eq(write_histogram(&written.sink, &image, &histogram,
					  100), 0);
	expect_chunk(0x400000, 0x404000, 0x400000, 0);
	assert_as_expected();
}
END_TEST

/*
 * Two runs of one program, of which one has a bin that needs a second record:
 * gprof adds records up only where their ranges are equal or apart, so both
 * must cut the text in the same way.
 */
START_TEST(runs_add_up)
{
	struct image image = {.lowpc = 0x401000, .highpc = 0x401000 + 3 * MiB};
	struct histogram calm = {0}, busy = {0};
	uintptr_t ranges[2][2];

	histogram_add(&calm, 0x410000, 1);
	histogram_add(&busy, 0x410000, 65536);
	for (int i = 0; i < 2; i++) {
		open_sinks();
		write_histogram(&written.sink, &image, i ? &busy : &calm, 100);
		memcpy(ranges[i], written.bytes + 1, sizeof ranges[i]);
	}
	if (ranges[0][0] < ranges[1][1] && ranges[1][0] < ranges[0][1])
		ck_assert_mem_eq(ranges[0], ranges[1], sizeof ranges[0]);
}
END_TEST

/* A library: at its place in the file, and nothing if it was not hit. */
START_TEST(library)
{
	uintptr_t base = (uintptr_t)1 << 46;
	struct image image = {.lowpc = 0x1000, .highpc = 0x9000,
			      .bias = 0x7ffff7000000, .base = base};
	struct histogram histogram = {0};

	open_sinks();
	ck_assert_uint_eq(write_chunks(&written.sink, &image, &histogram, 100),
			  0);
	ck_assert_uint_eq(written.size, 0);
	histogram_add(&histogram, image.bias + 0x5000, 6);
	ck_assert_uint_eq(write_chunks(&written.sink, &image, &histogram, 100),
			  6);
	expect_chunk(base + 0x4000, base + 0x8000, base + 0x5000, 6);
	assert_as_expected();
}
END_TEST

/* The table of images: text in arcs whose addresses no code can have. */
START_TEST(image_table)
{
	struct image image = {.base = 0x4000, .lowpc = 0x10, .highpc = 0xff0,
			      .path = "/a%\n", .id_size = 2, .id = {0xab, 3}};
	const char *line = "image ab03 4000 10 ff0 /a%25%0a\n";

	open_sinks();
	write_image(&written.sink, &image);
	for (size_t left = strlen(line); left; line += 4) {
		uint32_t word = 0, size = left < 4 ? (uint32_t)left : 4;

		for (uint32_t i = 0; i < size; i++)
			word |= (uint32_t)line[i] << 8 * i;
		expect_arc(size, 1, word);
		left -= size;
	}
	assert_as_expected();
}
END_TEST

Suite *unit_write_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_write", &tcase);

	tcase_add_test(tcase, header);
	tcase_add_loop_test(tcase, arcs, 0,
			    sizeof arc_counts / sizeof *arc_counts);
	tcase_add_test(tcase, dense);
	tcase_add_test(tcase, empty_and_odd);
	tcase_add_loop_test(tcase, high_bins, 0,
			    sizeof bin_counts / sizeof *bin_counts);
	tcase_add_loop_test(tcase, four_MiB, 0, 2);
	tcase_add_loop_test(tcase, chunks, 0, 2);
	tcase_add_test(tcase, idle_text);
	tcase_add_test(tcase, runs_add_up);
	tcase_add_test(tcase, library);
	tcase_add_test(tcase, image_table);
	return suite;
}
