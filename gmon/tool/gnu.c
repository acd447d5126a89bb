/* SPDX-License-Identifier: 0BSD */
/* The GNU format's records, as gmon/format.h describes them. */
#include "gmon/format.h"
#include "gmon/tool/walk.h"

#include <inttypes.h>

/* Nobody has written these since gcc's -a; gprof still reads them. */
#define TAG_BLOCKS 2

static bool read_histogram(struct walk *walk)
{
	unsigned width = walk->target.width;
	const unsigned char *bytes =
		walk_take(walk, 2 * width + 24, "histogram record");
	struct histogram histogram;

	if (!bytes)
		return false;
	histogram.lowpc = get_wide(bytes, walk->target);
	histogram.highpc = get_wide(bytes + width, walk->target);
	bytes += 2 * width;
	histogram.bin_count = get_u32(bytes, walk->target.big);
	histogram.rate = get_u32(bytes + 4, walk->target.big);
	memcpy(histogram.dimension, bytes + 8, DIMENSION_SIZE);
	histogram.dimension[DIMENSION_SIZE] = '\0';
	histogram.abbreviation = (char)bytes[8 + DIMENSION_SIZE];
	return walk_histogram(walk, &histogram);
}

/* No code has address 1: such an arc carries bytes of the image table. */
static bool is_table(const struct arc *arc)
{
	return arc->selfpc == GMON_IMAGE_SELFPC && arc->frompc >= 1 &&
	       arc->frompc <= GMON_IMAGE_BYTES;
}

static bool read_arc(struct walk *walk)
{
	unsigned width = walk->target.width;
	const struct visitor *visitor = walk->visitor;
	const unsigned char *bytes =
		walk_take(walk, 2 * width + 4, "arc record");
	struct arc arc;

	if (!bytes)
		return false;
	arc.frompc = get_wide(bytes, walk->target);
	arc.selfpc = get_wide(bytes + width, walk->target);
	arc.count = get_u32(bytes + 2 * width, walk->target.big);
	if (is_table(&arc))
		return walk_table(walk, &arc);
	return !visitor->arc || visitor->arc(visitor->context, &arc,
					     &walk->place, walk->problem);
}

static bool read_blocks(struct walk *walk)
{
	unsigned width = walk->target.width;
	const struct visitor *visitor = walk->visitor;
	const unsigned char *bytes = walk_take(walk, 4, "block record");
	uint32_t count;

	if (!bytes)
		return false;
	count = get_u32(bytes, walk->target.big);
	if (walk_left(walk) / (2 * width) < count)
		return walk_bad(walk, "block record is cut off: %" PRIu32
				" blocks, %" PRIu64 " bytes left",
				count, walk_left(walk));
	if (!visitor->block) {
		walk->offset += (uint64_t)count * 2 * width;
		return true;
	}
	for (; count; count--) {
		bytes = walk_take(walk, 2 * width, "block");
		if (!bytes)
			return false;
		visitor->block(visitor->context,
			       get_wide(bytes, walk->target),
			       get_wide(bytes + width, walk->target));
	}
	return true;
}

static bool read_record(struct walk *walk)
{
	const unsigned char *tag;

	walk->place.offset = walk->offset;
	tag = walk_take(walk, 1, "record");
	if (!tag)
		return false;
	switch (*tag) {
	case GMON_TAG_HISTOGRAM:
		return read_histogram(walk);
	case GMON_TAG_ARC:
		return read_arc(walk);
	case TAG_BLOCKS:
		return read_blocks(walk);
	}
	return walk_bad(walk, "there is no record with tag %u", *tag);
}

bool walk_gnu(struct walk *walk)
{
	if (!walk_take(walk, GNU_HEADER_SIZE, "header"))
		return false;
	while (walk_left(walk))
		if (!read_record(walk))
			return false;
	return true;
}
