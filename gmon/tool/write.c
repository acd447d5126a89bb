/* SPDX-License-Identifier: 0BSD */
/*
 * A profile becomes a GNU file, in the byte order and width of its program.
 * gprof adds up records of the same range, so a bin above 65535 is written as
 * the range again and again with the rest.  Where that would be written
 * mostly for zeroes, the range is cut into parts, and each part is repeated as
 * often as it needs.
 */
#include "gmon/format.h"
#include "gmon/tool/line.h"
#include "gmon/tool/profile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Cut a range up when repeating it whole would take more bytes than this. */
#define REPEATED_SIZE_MAX ((uint64_t)1 << 20)
#define PART_BINS	  256

/* More calls of one arc, 2^20 records of 2^32, are not written. */
#define CALLS_MAX ((uint64_t)1 << 52)

struct output {
	FILE *file;
	struct target target;
	const struct histogram *kind;
};

static void put_number(const struct output *output, uint64_t number,
		       unsigned width)
{
	unsigned char bytes[8];

	for (unsigned i = 0; i < width; i++)
		bytes[output->target.big ? width - 1 - i : i] =
			(unsigned char)(number >> 8 * i);
	fwrite(bytes, 1, width, output->file);
}

static void put_header(const struct output *output)
{
	static const char spare[GMON_SPARE_SIZE];

	fwrite(GMON_MAGIC, 1, GMON_MAGIC_SIZE, output->file);
	put_number(output, GMON_VERSION, 4);
	fwrite(spare, 1, sizeof spare, output->file);
}

static void put_arc(const struct output *output, uint64_t frompc,
		    uint64_t selfpc, uint64_t count)
{
	do {
		uint64_t part = count < GMON_ARC_MAX ? count : GMON_ARC_MAX;

		put_number(output, GMON_TAG_ARC, 1);
		put_number(output, frompc, output->target.width);
		put_number(output, selfpc, output->target.width);
		put_number(output, part, 4);
		count -= part;
	} while (count);
}

static void put_line(const struct output *output, const char *line)
{
	size_t size = strlen(line);

	while (size) {
		size_t part = size < GMON_IMAGE_BYTES ? size : GMON_IMAGE_BYTES;
		uint64_t bytes = 0;

		for (size_t i = 0; i < part; i++)
			bytes |= (uint64_t)(unsigned char)line[i] << 8 * i;
		put_arc(output, part, GMON_IMAGE_SELFPC, bytes);
		line += part;
		size -= part;
	}
}

/* Bins [first, end) of a range. */
struct part {
	const struct range *range;
	uint32_t first, end;
};

static uint64_t highest_bin(const struct part *part)
{
	uint64_t highest = 0;
	uint32_t bin = range_next(part->range, part->first);

	for (; bin < part->end; bin = range_next(part->range, bin + 1))
		if (range_bin(part->range, bin) > highest)
			highest = range_bin(part->range, bin);
	return highest;
}

/* A record of the bins, less what earlier records have of them. */
static void put_record(const struct output *output, const struct part *part,
		       uint64_t below)
{
	const struct range *range = part->range;
	const struct histogram *kind = output->kind;
	unsigned width = output->target.width;

	put_number(output, GMON_TAG_HISTOGRAM, 1);
	put_number(output,
		   bin_address(range->lowpc, range->highpc, range->bin_count,
			       part->first),
		   width);
	put_number(output,
		   bin_address(range->lowpc, range->highpc, range->bin_count,
			       part->end),
		   width);
	put_number(output, part->end - part->first, 4);
	put_number(output, kind->rate, 4);
	fwrite(kind->dimension, 1, GMON_DIMENSION_SIZE, output->file);
	fputc(kind->abbreviation, output->file);
	for (uint32_t bin = part->first; bin < part->end; bin++) {
		uint64_t count = range_bin(range, bin);
		uint64_t rest = count > below ? count - below : 0;

		put_number(output, rest < GMON_BIN_MAX ? rest : GMON_BIN_MAX,
			   2);
	}
}

static void put_part(const struct output *output, const struct part *part,
		     uint64_t highest)
{
	uint64_t below = 0;

	do {
		put_record(output, part, below);
		below += GMON_BIN_MAX;
	} while (below < highest);
}

static void put_parts(const struct output *output, const struct range *range)
{
	char line[80];
	uint32_t bin = range_next(range, 0);

	snprintf(line, sizeof line, "range %" PRIx64 " %" PRIx64 " %" PRIx32
		 "\n", range->lowpc, range->highpc, range->bin_count);
	put_line(output, line);
	while (bin < range->bin_count) {
		struct part part = {range, bin - bin % PART_BINS, 0};

		part.end = range->bin_count - part.first < PART_BINS
			? range->bin_count
			: part.first + PART_BINS;
		put_part(output, &part, highest_bin(&part));
		bin = range_next(range, part.end);
	}
}

static void put_range(const struct output *output, const struct range *range)
{
	struct part all = {range, 0, range->bin_count};
	uint64_t highest = highest_bin(&all);
	uint64_t repeats = highest ? (highest - 1) / GMON_BIN_MAX : 0;

	/* addresses of parts must be exact, for gprof and for us */
	if (repeats * range->bin_count * 2 > REPEATED_SIZE_MAX &&
	    (range->highpc - range->lowpc) % range->bin_count == 0)
		put_parts(output, range);
	else
		put_part(output, &all, highest);
}

static bool put_arcs(const struct output *output, const struct arcs *arcs,
		     struct problem *problem)
{
	for (size_t i = 0; i < arcs->count; i++) {
		const struct arc *arc = &arcs->arc[i];

		if (arc->count > CALLS_MAX)
			return problem_set(problem,
					   "the arc from %" PRIx64 " to %" PRIx64
					   " has %" PRIu64 " calls; up to 2^52 "
					   "can be written", arc->frompc,
					   arc->selfpc, arc->count);
		put_arc(output, arc->frompc, arc->selfpc, arc->count);
	}
	return true;
}

bool profile_write(const struct profile *profile, FILE *file,
		   struct problem *problem)
{
	struct output output = {file, profile->target, &profile->kind};
	struct range none = {.pages = NULL};

	put_header(&output);
	for (size_t i = 0; i < profile->images.count; i++) {
		char *line = line_of_image(&profile->images.image[i]);

		put_line(&output, line);
		free(line);
	}
	for (size_t i = 0; i < profile->ranges.count; i++)
		put_range(&output, &profile->ranges.range[i]);
	if (profile->kind_origin && !profile->ranges.count)
		put_record(&output, &(struct part){&none, 0, 0}, 0);
	return put_arcs(&output, &profile->arcs, problem);
}
