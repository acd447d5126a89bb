/* SPDX-License-Identifier: 0BSD */
/* Where a program's profiles are if nobody says. */
#ifndef GMON_TOOL_LOOKUP_H
#define GMON_TOOL_LOOKUP_H

#include "gmon/tool/problem.h"

#include <stddef.h>

/*
 * The files that the program, or null, wrote under the present environment:
 * in PROFDIR, else with GMON_OUT_PREFIX, else gmon.out.  An array to be freed.
 */
bool lookup_profiles(const char *program, const char ***files, size_t *count,
		     struct problem *problem);

#endif
