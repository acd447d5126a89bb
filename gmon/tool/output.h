/* SPDX-License-Identifier: 0BSD */
/* A file that appears under its name when it is complete, or not at all. */
#ifndef GMON_TOOL_OUTPUT_H
#define GMON_TOOL_OUTPUT_H

#include "gmon/tool/problem.h"

#include <stdio.h>

struct output {
	FILE *file;
	const char *name;
	char *temporary; /* null: written in place (stdout, a device) */
};

bool output_open(struct output *output, const char *name,
		 struct problem *problem);

/*
 * Close it, and give it its name if all was well.  False, with the problem
 * worded, if it could not be written.
 */
bool output_close(struct output *output, bool good, struct problem *problem);

/* A temporary file, and its name. */
FILE *output_temporary(char **name, struct problem *problem);

/* Remove it, and free its name; null: nothing to do. */
void output_remove(char *name);

#endif
