/* SPDX-License-Identifier: 0BSD */
/* Many files become one profile, by several threads. */
#ifndef GMON_TOOL_GATHER_H
#define GMON_TOOL_GATHER_H

#include "gmon/tool/profile.h"

struct gather {
	const char *const *names;
	size_t count;
	unsigned threads;     /* each has a profile of its own meanwhile */
	bool progress;	      /* say on stderr how far it is */
	struct target target; /* of the program, or width 0 */
};

/* Add all files up in `profile`, which is zeroed, and finish it. */
bool gather_files(const struct gather *gather, struct profile *profile,
		  struct problem *problem);

/* As many threads as there are CPUs that we may use, but no more than files. */
unsigned gather_threads(size_t file_count);

#endif
