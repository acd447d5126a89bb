/* SPDX-License-Identifier: 0BSD */
/* The second half of making a call graph: who passes its time to whom. */
#ifndef GMON_TOOL_TIMES_H
#define GMON_TOOL_TIMES_H

#include "gmon/tool/callgraph.h"

/* Find the cycles, then share all times among callers. */
void times_share(struct callgraph *graph);

#endif
