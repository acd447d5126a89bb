/* SPDX-License-Identifier: 0BSD */
/*
 * A profile becomes a GNU file, in the byte order and width of its program.
 * gprof adds up records of the same range, so a bin above 65535 is written as
 * the range again and again with the rest.  Where that would be written
 * mostly for zeroes, the range is cut into parts, and each part is repeated as
 * often as it needs.
 */
#include "gmon/format.h"
#include "gmon/tool/encode.h"
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
static void put_record(const struct encoder *encoder, const struct part *part,
		       uint64_t below)
{
	const struct range *range = part->range;
	const struct histogram *kind = encoder->kind;
	unsigned width = encoder->target.width;

	encode_number(encoder, GMON_TAG_HISTOGRAM, 1);
	encode_number(encoder,
		      bin_address(range->lowpc, range->highpc, range->bin_count,
				  part->first),
		      width);
	encode_number(encoder,
		      bin_address(range->lowpc, range->highpc, range->bin_count,
				  part->end),
		      width);
	encode_number(encoder, part->end - part->first, 4);
	encode_number(encoder, kind->rate, 4);
	fwrite(kind->dimension, 1, GMON_DIMENSION_SIZE, encoder->file);
	fputc(kind->abbreviation, encoder->file);
	for (uint32_t bin = part->first; bin < part->end; bin++) {
		uint64_t count = range_bin(range, bin);
		uint64_t rest = count > below ? count - below : 0;

		if (rest > GMON_BIN_MAX)
			rest = GMON_BIN_MAX;
		encode_number(encoder, rest, 2);
	}
}

static void put_part(const struct encoder *encoder, const struct part *part,
		     uint64_t highest)
{
	uint64_t below = 0;

	do {
		put_record(encoder, part, below);
		below += GMON_BIN_MAX;
	} while (below < highest);
}

static void put_parts(const struct encoder *encoder, const struct range *range)
{
	char line[80];
	uint32_t bin = range_next(range, 0);

	snprintf(line, sizeof line, "range %" PRIx64 " %" PRIx64 " %" PRIx32
		 "\n", range->lowpc, range->highpc, range->bin_count);
	encode_line(encoder, line);
	while (bin < range->bin_count) {
		struct part part = {range, bin - bin % PART_BINS, 0};

		part.end = range->bin_count - part.first < PART_BINS
			? range->bin_count
			: part.first + PART_BINS;
		put_part(encoder, &part, highest_bin(&part));
		bin = range_next(range, part.end);
	}
}

static void put_range(const struct encoder *encoder, const struct range *range)
{
	struct part all = {range, 0, range->bin_count};
	uint64_t highest = highest_bin(&all);
	uint64_t repeats = highest ? (highest - 1) / GMON_BIN_MAX : 0;

	/* addresses of parts must be exact, for gprof and for us */
	if (repeats * range->bin_count * 2 > REPEATED_SIZE_MAX &&
	    (range->highpc - range->lowpc) % range->bin_count == 0)
		put_parts(encoder, range);
	else
		put_part(encoder, &all, highest);
}

static bool too_many(const struct arc *arc, struct problem *problem)
{
	return problem_set(problem,
			   "the arc from %" PRIx64 " to %" PRIx64
			   " has %" PRIu64 " calls; up to 2^52 can be written",
			   arc->frompc, arc->selfpc, arc->count);
}

static bool put_arcs(const struct encoder *encoder, const struct arcs *arcs,
		     struct problem *problem)
{
	for (size_t i = 0; i < arcs->count; i++) {
		const struct arc *arc = &arcs->arc[i];

		if (arc->count > CALLS_MAX)
			return too_many(arc, problem);
		encode_arc(encoder, arc->frompc, arc->selfpc, arc->count);
	}
	return true;
}

bool profile_write(const struct profile *profile, FILE *file,
		   struct problem *problem)
{
	struct encoder encoder = {file, profile->target, &profile->kind};
	struct range none = {.pages = NULL};

	encode_header(&encoder);
	for (size_t i = 0; i < profile->images.count; i++) {
		char *line = line_of_image(&profile->images.image[i]);

		encode_line(&encoder, line);
		free(line);
	}
	for (size_t i = 0; i < profile->ranges.count; i++)
		put_range(&encoder, &profile->ranges.range[i]);
	if (profile->kind_origin && !profile->ranges.count)
		put_record(&encoder, &(struct part){&none, 0, 0}, 0);
	return put_arcs(&encoder, &profile->arcs, problem);
}
