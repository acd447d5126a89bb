/* SPDX-License-Identifier: 0BSD */
/* The image table's text, put together from the arcs that carry it. */
#include "gmon/format.h"
#include "gmon/tool/memory.h"
#include "gmon/tool/walk.h"

static bool end_line(struct walk *walk)
{
	const struct visitor *visitor = walk->visitor;

	walk->line[walk->line_size] = '\0';
	walk->line_size = 0;
	return !visitor->line || visitor->line(visitor->context, walk->line,
					       &walk->place, walk->problem);
}

bool walk_table(struct walk *walk, const struct arc *arc)
{
	if (arc->count >> 8 * arc->frompc)
		return walk_bad(walk, "image table: more than the %u bytes "
				      "announced",
				(unsigned)arc->frompc);
	if (!walk->line)
		walk->line = memory_zeroed(LINE_SIZE_MAX + 1, 1);
	for (unsigned i = 0; i < arc->frompc; i++) {
		char byte = (char)(arc->count >> 8 * i);

		if (byte == '\n') {
			if (!end_line(walk))
				return false;
			continue;
		}
		if ((unsigned char)byte < ' ' || byte == 0x7f)
			return walk_bad(walk, "image table: byte %#x",
					(unsigned char)byte);
		if (walk->line_size == LINE_SIZE_MAX)
			return walk_bad(walk, "image table: endless line");
		walk->line[walk->line_size++] = byte;
	}
	return true;
}

bool walk_table_end(struct walk *walk)
{
	walk->place.offset = walk->offset;
	if (walk->line_size)
		return walk_bad(walk, "image table: the last line has no end");
	return true;
}
