/* SPDX-License-Identifier: 0BSD */
/* What all formats have in common: bins, and how a file is gone through. */
#include "gmon/tool/reader.h"
#include "gmon/tool/walk.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Bins are told in pieces of this many, and of these only the non-zero. */
enum { PIECE_BINS = 4096 };

const char *layout_name(enum layout layout)
{
	static const char *const names[] = {"GNU", "4.4BSD", "old BSD"};

	return names[layout];
}

bool walk_bad(struct walk *walk, const char *format, ...)
{
	char what[512];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(what, sizeof what, format, arguments);
	va_end(arguments);
	walk->problem->offset = walk->place.offset;
	return problem_set(walk->problem, "%s: offset %" PRIu64 ": %s",
			   walk->place.name, walk->place.offset, what);
}

const unsigned char *walk_cut(struct walk *walk, size_t size, const char *what)
{
	walk_bad(walk, walk_left(walk) < size ? "%s is cut off"
					      : "%s cannot be read", what);
	return NULL;
}

static bool all_zero(const unsigned char *bytes, size_t size)
{
	return bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0;
}

static void tell_bins(struct walk *walk, uint32_t first,
		      const unsigned char *bytes, size_t count)
{
	uint16_t bins[PIECE_BINS];

	if (all_zero(bytes, 2 * count))
		return;
	memcpy(bins, bytes, 2 * count);
	if (is_foreign(walk->target.big))
		for (size_t i = 0; i < count; i++)
			bins[i] = __builtin_bswap16(bins[i]);
	walk->visitor->bins(walk->visitor->context, first, bins, count);
}

bool walk_histogram(struct walk *walk, const struct histogram *histogram)
{
	const struct visitor *visitor = walk->visitor;
	uint32_t bin_count = histogram->bin_count;

	if (histogram->lowpc > histogram->highpc)
		return walk_bad(walk, "histogram of %#" PRIx64 " to %#" PRIx64
				": the end lies before the begin",
				histogram->lowpc, histogram->highpc);
	if (walk_left(walk) / 2 < bin_count)
		return walk_bad(walk, "histogram is cut off: %" PRIu32
				" bins, %" PRIu64 " bytes left",
				bin_count, walk_left(walk));
	if (visitor->histogram &&
	    !visitor->histogram(visitor->context, histogram, &walk->place,
				walk->problem))
		return false;
	for (uint32_t i = 0; visitor->bins && i < bin_count; i += PIECE_BINS) {
		size_t count = bin_count - i < PIECE_BINS ? bin_count - i
							  : PIECE_BINS;
		const unsigned char *bytes = source_at(
			walk->source, walk->offset + 2 * (uint64_t)i,
			2 * count);

		if (!bytes)
			return walk_bad(walk, "histogram cannot be read");
		tell_bins(walk, i, bytes, count);
		if (bin_count - i <= PIECE_BINS)
			break;
	}
	walk->offset += 2 * (uint64_t)bin_count;
	return true;
}

bool reader_walk(struct source *source, const struct format *format,
		 const struct visitor *visitor, struct problem *problem)
{
	struct walk walk = {
		.source = source,
		.visitor = visitor,
		.problem = problem,
		.target = format->target,
		.place = {source->name, 0},
	};
	bool good;

	if (format->layout == LAYOUT_GNU)
		good = walk_gnu(&walk) && walk_table_end(&walk);
	else
		good = walk_bsd(&walk, format->layout == LAYOUT_BSD44);
	free(walk.line);
	return good;
}
