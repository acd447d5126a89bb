/* SPDX-License-Identifier: 0BSD */
/* A line of the image table as text; gmon/format.h describes it. */
#ifndef GMON_TOOL_LINE_H
#define GMON_TOOL_LINE_H

#include "gmon/tool/images.h"

/* A histogram whose records may be parts of it. */
struct whole {
	uint64_t lowpc, highpc;
	uint32_t bin_count;
};

/* Whether the line is one of these kinds. */
bool line_is_image(const char *line);
bool line_is_range(const char *line);

/* Read it; id and path are the caller's to free.  origin is left alone. */
bool line_read_image(const char *line, struct image *image,
		     struct problem *problem);
bool line_read_range(const char *line, struct whole *whole,
		     struct problem *problem);

/* The line of an image, with its newline; the caller's to free. */
char *line_of_image(const struct image *image);

#endif
