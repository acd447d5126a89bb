/* SPDX-License-Identifier: 0BSD */
/* A call graph as a picture in the language of Graphviz. */
#ifndef GMON_TOOL_DOT_H
#define GMON_TOOL_DOT_H

#include "gmon/tool/callgraph.h"

#include <stdio.h>

struct picture {
	const struct callgraph *graph;
	double *share; /* of each node, 0 ... 1; 0: it is not drawn */
	bool by_calls; /* shares are of calls, there being no time */
	const char *program;
	uint32_t rate;
};

void dot_write(const struct picture *picture, FILE *file);

#endif
