/* SPDX-License-Identifier: 0BSD */
/* What an executable tells of its profiles. */
#ifndef GMON_TOOL_TARGET_H
#define GMON_TOOL_TARGET_H

#include "gmon/tool/reader.h"

/* Read it from a file. */
bool target_read(const char *program, struct target *target,
		 struct problem *problem);

/* Whether a file is an executable rather than a profile. */
bool target_is_program(const char *name);

#endif
