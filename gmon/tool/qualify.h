/* SPDX-License-Identifier: 0BSD */
/* Functions of several images that have the same name. */
#ifndef GMON_TOOL_QUALIFY_H
#define GMON_TOOL_QUALIFY_H

#include "gmon/tool/symbols.h"

/*
 * Put @LIBRARY behind names: of all functions of libraries, or else of those
 * whose name several images have.  The main program's stay.
 */
void qualify_names(struct symbols *symbols, bool all);

#endif
