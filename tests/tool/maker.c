/* SPDX-License-Identifier: 0BSD */
/* The formats once more, and independently: from the manual gmon.out(5). */
#include "tests/tool/maker.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void make_bytes(struct maker *maker, const void *bytes, size_t size)
{
	while (maker->size + size > maker->room) {
		maker->room = maker->room ? 2 * maker->room : 4096;
		maker->bytes = realloc(maker->bytes, maker->room);
		ck_assert_ptr_nonnull(maker->bytes);
	}
	if (size)
		memcpy(maker->bytes + maker->size, bytes, size);
	maker->size += size;
}

void make_number(struct maker *maker, uint64_t number, unsigned width)
{
	unsigned char bytes[8];

	for (unsigned i = 0; i < width; i++)
		bytes[maker->big ? width - 1 - i : i] =
			(unsigned char)(number >> 8 * i);
	make_bytes(maker, bytes, width);
}

void make_header(struct maker *maker)
{
	make_bytes(maker, "gmon", 4);
	make_number(maker, 1, 4);
	make_bytes(maker, "\0\0\0\0\0\0\0\0\0\0\0", 12);
}

void make_histogram(struct maker *maker, uint64_t lowpc, uint64_t highpc,
		    uint32_t bin_count, uint32_t rate)
{
	make_number(maker, 0, 1);
	make_number(maker, lowpc, maker->width);
	make_number(maker, highpc, maker->width);
	make_number(maker, bin_count, 4);
	make_number(maker, rate, 4);
	make_bytes(maker, "seconds\0\0\0\0\0\0\0\0s", 16);
}

void make_bins(struct maker *maker, const uint16_t *bins, size_t count)
{
	for (size_t i = 0; i < count; i++)
		make_number(maker, bins[i], 2);
}

void make_arc(struct maker *maker, uint64_t frompc, uint64_t selfpc,
	      uint64_t count)
{
	make_number(maker, 1, 1);
	make_number(maker, frompc, maker->width);
	make_number(maker, selfpc, maker->width);
	make_number(maker, count, 4);
}

void make_table(struct maker *maker, const char *text)
{
	/* pieces of 3, so that it is not only 4 that is read */
	for (size_t size = strlen(text), part; size; size -= part) {
		uint64_t bytes = 0;

		part = size < 3 ? size : 3;
		for (size_t i = 0; i < part; i++)
			bytes |= (uint64_t)(unsigned char)*text++ << 8 * i;
		make_arc(maker, part, 1, bytes);
	}
}

void make_bsd(struct maker *maker, uint64_t lowpc, uint64_t highpc,
	      uint32_t bin_count, uint32_t rate, bool has_version)
{
	uint32_t size = 2 * maker->width + 4 + (has_version ? 20 : 0);

	make_number(maker, lowpc, maker->width);
	make_number(maker, highpc, maker->width);
	make_number(maker, size + 2 * bin_count, 4);
	if (!has_version)
		return;
	make_number(maker, 0x51879, 4);
	make_number(maker, rate, 4);
	make_bytes(maker, "spare words.", 12);
}

void make_bsd_arc(struct maker *maker, uint64_t frompc, uint64_t selfpc,
		  uint64_t count)
{
	make_number(maker, frompc, maker->width);
	make_number(maker, selfpc, maker->width);
	make_number(maker, count, maker->width);
}

void make_file(struct maker *maker, const char *path)
{
	FILE *file = fopen(path, "w");

	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(maker->bytes, 1, maker->size, file),
			  maker->size);
	ck_assert_int_eq(fclose(file), 0);
	maker->size = 0;
}
