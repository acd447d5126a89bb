/* SPDX-License-Identifier: 0BSD */
/*
 * The BSD formats: one struct as the header, bins, then triples of words to
 * the end of the file.  4.4BSD added a version and the rate to the header.
 */
#include "gmon/tool/walk.h"

#include <inttypes.h>

static bool read_header(struct walk *walk, bool has_version,
			struct histogram *histogram)
{
	unsigned width = walk->target.width;
	size_t size = has_version ? BSD44_HEADER_SIZE(width)
				  : BSD_HEADER_SIZE(width);
	const unsigned char *bytes = walk_take(walk, size, "header");
	uint32_t with_header;

	if (!bytes)
		return false;
	*histogram = (struct histogram){
		.lowpc = get_wide(bytes, walk->target),
		.highpc = get_wide(bytes + width, walk->target),
		.rate = RATE_UNSAID,
		.dimension = "seconds",
		.abbreviation = 's',
	};
	bytes += 2 * width;
	with_header = get_u32(bytes, walk->target.big);
	if (with_header < size)
		return walk_bad(walk, "header: %" PRIu32 " bytes of header and "
				"bins are less than the header's %zu",
				with_header, size);
	histogram->bin_count = (uint32_t)(with_header - size) / 2;
	if (has_version && get_u32(bytes + 8, walk->target.big))
		histogram->rate = get_u32(bytes + 8, walk->target.big);
	return true;
}

static bool read_arc(struct walk *walk)
{
	unsigned width = walk->target.width;
	const struct visitor *visitor = walk->visitor;
	const unsigned char *bytes;
	struct arc arc;

	walk->place.offset = walk->offset;
	bytes = walk_take(walk, 3 * width, "arc");
	if (!bytes)
		return false;
	arc.frompc = get_wide(bytes, walk->target);
	arc.selfpc = get_wide(bytes + width, walk->target);
	arc.count = get_wide(bytes + 2 * width, walk->target);
	return !visitor->arc || visitor->arc(visitor->context, &arc,
					     &walk->place, walk->problem);
}

bool walk_bsd(struct walk *walk, bool has_version)
{
	struct histogram histogram;

	if (!read_header(walk, has_version, &histogram) ||
	    !walk_histogram(walk, &histogram))
		return false;
	while (walk_left(walk))
		if (!read_arc(walk))
			return false;
	return true;
}
