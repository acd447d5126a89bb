/* SPDX-License-Identifier: 0BSD */
/* Numbers, arcs and lines of the image table, as the GNU format has them. */
#ifndef GMON_TOOL_ENCODE_H
#define GMON_TOOL_ENCODE_H

#include "gmon/tool/reader.h"

#include <stdio.h>

struct encoder {
	FILE *file;
	struct target target;
	const struct histogram *kind;
};

/* A number of so many bytes. */
void encode_number(const struct encoder *encoder, uint64_t number,
		   unsigned width);

void encode_header(const struct encoder *encoder);

/* One record, or as many as the count needs. */
void encode_arc(const struct encoder *encoder, uint64_t frompc, uint64_t selfpc,
		uint64_t count);

/* A line, which has its newline. */
void encode_line(const struct encoder *encoder, const char *line);

#endif
