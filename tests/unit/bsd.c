/* SPDX-License-Identifier: 0BSD */
/* format=bsd, byte by byte. */
#include "gmon/bsd.h"
#include "tests/harness.h"
#include "tests/suites.h"
#include "tests/unit/tools.h"

#include <string.h>

START_TEST(whole_file)
{
	struct image image = {.lowpc = 0x1000, .highpc = 0x1008,
			      .bias = 0x7000000};
	struct histogram histogram = {0};
	struct memory_sink written;
	uint64_t saturated = 0;
	const struct {
		uintptr_t lowpc, highpc;
		uint32_t size, version, rate, spare[3];
		uint16_t bins[4];
		uintptr_t arc[3];
	} expected = {
		0x1000, 0x1008, 48, 0x51879, 250, {0}, {1, 65535, 65535, 0},
		{0x1001, 0x1002, (uintptr_t)1 << 40},
	};

	memory_sink_open(&written);
	histogram_add(&histogram, 0x7001000, 1);
	histogram_add(&histogram, 0x7001002, 65535);
	histogram_add(&histogram, 0x7001004, 65536);
	histogram_add(&histogram, 0x7001008, 5);
	ck_assert_uint_eq(bsd_histogram(&written.sink, &image, &histogram, 250,
					&saturated), 1 + 2 * 65535);
	ck_assert_uint_eq(saturated, 1);
	bsd_arc(&written.sink, 0x1001, 0x1002, UINT64_C(1) << 40);
	ck_assert_uint_eq(written.size, sizeof expected);
	ck_assert_int_eq(memcmp(written.bytes, &expected, written.size), 0);
}
END_TEST

Suite *unit_bsd_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_bsd", &tcase);

	tcase_add_test(tcase, whole_file);
	return suite;
}
