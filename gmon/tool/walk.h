/* SPDX-License-Identifier: 0BSD */
/* What the readers of the formats share: numbers, bins and the place. */
#ifndef GMON_TOOL_WALK_H
#define GMON_TOOL_WALK_H

#include "gmon/tool/reader.h"

#include <string.h>

/* A longer line of the image table is not one: a path has 4096 at most. */
#define LINE_SIZE_MAX 16384

struct walk {
	struct source *source;
	const struct visitor *visitor;
	struct problem *problem;
	struct target target;
	struct place place; /* of the record being read */
	uint64_t offset;    /* of the next byte */
	char *line;	    /* of the image table, so far; or null */
	size_t line_size;
};

static inline bool is_foreign(bool big)
{
	return big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

static inline uint32_t get_u32(const unsigned char *bytes, bool big)
{
	uint32_t number;

	memcpy(&number, bytes, sizeof number);
	return is_foreign(big) ? __builtin_bswap32(number) : number;
}

static inline uint64_t get_u64(const unsigned char *bytes, bool big)
{
	uint64_t number;

	memcpy(&number, bytes, sizeof number);
	return is_foreign(big) ? __builtin_bswap64(number) : number;
}

/* A number as wide as an address. */
static inline uint64_t get_wide(const unsigned char *bytes,
				struct target target)
{
	return target.width == 8 ? get_u64(bytes, target.big)
				 : get_u32(bytes, target.big);
}

/* How many bytes there are from the next one on. */
static inline uint64_t walk_left(const struct walk *walk)
{
	return walk->source->size - walk->offset;
}

/* Say that the next bytes are not there.  Always null. */
const unsigned char *walk_cut(struct walk *walk, size_t size,
			      const char *what);

/*
 * The next `size` bytes, gone past.  Null, with the problem worded, if not.
 * In line, since a big file is a million arcs.
 */
static inline const unsigned char *walk_take(struct walk *walk, size_t size,
					     const char *what)
{
	const unsigned char *bytes =
		walk_left(walk) < size
			? NULL
			: source_at(walk->source, walk->offset, size);

	if (!bytes)
		return walk_cut(walk, size, what);
	walk->offset += size;
	return bytes;
}

/* Tell a histogram whose bins are the next bytes. */
bool walk_histogram(struct walk *walk, const struct histogram *histogram);

/* Word a problem of the record being read.  Always false. */
bool walk_bad(struct walk *walk, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The formats. */
bool walk_gnu(struct walk *walk);
bool walk_bsd(struct walk *walk, bool has_version);

/* The next bytes of the image table (table.c). */
bool walk_table(struct walk *walk, const struct arc *arc);

/* At the end of the file: the table must be whole. */
bool walk_table_end(struct walk *walk);

/* Header sizes, and the word that makes a BSD header one of 4.4BSD. */
#define GNU_HEADER_SIZE		  20
#define BSD44_VERSION		  0x51879
#define BSD_HEADER_SIZE(width)	  (2 * (width) + 4)
#define BSD44_HEADER_SIZE(width)  (BSD_HEADER_SIZE(width) + 20)

#endif
