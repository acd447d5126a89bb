/* SPDX-License-Identifier: 0BSD */
/* One image's part of a profile. */
#ifndef GMON_TOOL_FILTER_H
#define GMON_TOOL_FILTER_H

#include "gmon/tool/profile.h"

/*
 * Keep of a finished profile the time in an image and the calls from it and
 * to it.  `name` is its path, or the last component of it, or how that begins.
 */
bool filter_image(struct profile *profile, const char *name,
		  struct problem *problem);

#endif
