/* SPDX-License-Identifier: 0BSD */
/* Stock gprof, with the user's options and our symbols. */
#ifndef GMON_TOOL_GPROF_H
#define GMON_TOOL_GPROF_H

#include "gmon/tool/problem.h"

#include <stddef.h>

struct gprof {
	char **words; /* its options */
	size_t count, room;
	bool by_line; /* among them is one that needs gprof's own symbols */
};

/* Add options: words separated by blanks, or a letter with a value or null. */
void gprof_add_words(struct gprof *gprof, const char *text);
void gprof_add_letter(struct gprof *gprof, char letter, const char *value);

/*
 * Run it, or what the variable GPROF names, with a symbol file or null.  False,
 * with the problem worded, unless it succeeds.
 */
bool gprof_run(const struct gprof *gprof, const char *symbols,
	       const char *program, const char *profile,
	       struct problem *problem);

#endif
