/* SPDX-License-Identifier: 0BSD */
/*
 * The bytes of a file, seen through a window: any offset can be asked for,
 * and memory does not follow the file's size.
 */
#ifndef GMON_TOOL_SOURCE_H
#define GMON_TOOL_SOURCE_H

#include "gmon/tool/problem.h"

#include <stddef.h>
#include <stdint.h>

/* The most bytes that can be asked for at once. */
#define SOURCE_PIECE_MAX ((size_t)64 << 10)

struct source {
	const char *name; /* for messages */
	uint64_t size;	  /* of the whole file */
	int fd;		  /* -1: all of it is in the window */
	const unsigned char *window;
	uint64_t window_start; /* offset of its first byte */
	size_t window_size;    /* bytes in it */
	unsigned char *room;   /* what the window is read into, or null */
};

/*
 * Open a regular file, or read a pipe to its end into a temporary one; "-" is
 * standard input.  `source` is zeroed, or has been closed before, and is then
 * used again with its room.  The name is not copied.
 */
bool source_open(struct source *source, const char *name,
		 struct problem *problem);

/* Bytes in memory, which stay the caller's. */
void source_memory(struct source *source, const char *name, const void *bytes,
		   size_t size);

/* Close the file; the room stays for the next one. */
void source_close(struct source *source);

/* Close, and give the room back. */
void source_free(struct source *source);

/* For source_at: move the window.  Null if the file cannot be read there. */
const unsigned char *source_move(struct source *source, uint64_t offset,
				 size_t size);

/*
 * `size` bytes at `offset`, which must both lie in the file; good until the
 * next call.  Null if they cannot be read.
 */
static inline const unsigned char *source_at(struct source *source,
					     uint64_t offset, size_t size)
{
	uint64_t skip = offset - source->window_start;

	if (offset >= source->window_start && skip <= source->window_size &&
	    size <= source->window_size - skip)
		return source->window + skip;
	return source_move(source, offset, size);
}

#endif
