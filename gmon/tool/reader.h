/* SPDX-License-Identifier: 0BSD */
/*
 * The formats that gprof reads, told as a sequence of records: the GNU format
 * (gmon/format.h), the 4.4BSD one and its predecessor; of 32- and 64-bit
 * programs; in either byte order.  The file is not trusted: what it says of
 * its sizes is held against its size before anything is made of it.
 */
#ifndef GMON_TOOL_READER_H
#define GMON_TOOL_READER_H

#include "gmon/tool/source.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum layout { LAYOUT_GNU, LAYOUT_BSD44, LAYOUT_BSD };

/* What an executable tells of its profiles. */
struct target {
	unsigned width; /* bytes of an address: 4 or 8; 0: not known */
	bool big;	/* most significant byte first */
};

struct format {
	enum layout layout;
	struct target target;
};

/* "GNU", "4.4BSD", "old BSD" */
const char *layout_name(enum layout layout);

/* Old BSD files do not say their rate; gprof takes its host's, which is: */
#define RATE_UNSAID 100

#define DIMENSION_SIZE 15

struct histogram {
	uint64_t lowpc, highpc;
	uint32_t bin_count;
	uint32_t rate;
	char dimension[DIMENSION_SIZE + 1];
	char abbreviation;
};

struct arc {
	uint64_t frompc, selfpc, count;
};

/* Where in which file a record begins; for messages. */
struct place {
	const char *name;
	uint64_t offset;
};

/*
 * Who wants to know what; null functions are passed over.  A false ends the
 * reading, with the problem worded.
 */
struct visitor {
	void *context;
	/* A histogram begins. */
	bool (*histogram)(void *context, const struct histogram *histogram,
			  const struct place *place, struct problem *problem);
	/* Bins [first, first + count) of it; only those not all zero. */
	void (*bins)(void *context, uint32_t first, const uint16_t *bins,
		     size_t count);
	bool (*arc)(void *context, const struct arc *arc,
		    const struct place *place, struct problem *problem);
	/* A line of the image table, without its end. */
	bool (*line)(void *context, const char *line, const struct place *place,
		     struct problem *problem);
	/* A basic block and how often it ran. */
	void (*block)(void *context, uint64_t address, uint64_t count);
};

/*
 * Tell the format of a file from its bytes.  Width and byte order are the
 * target's, or, where that does not know them, those with which the whole
 * file makes sense; 64 bits and little endian are tried first.
 * True means that every record lies in the file.
 */
bool reader_detect(struct source *source, const struct target *target,
		   struct format *format, struct problem *problem);

/* Tell all records, in the order of the file. */
bool reader_walk(struct source *source, const struct format *format,
		 const struct visitor *visitor, struct problem *problem);

#endif
