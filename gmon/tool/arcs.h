/* SPDX-License-Identifier: 0BSD */
/* The arcs of a profile, each once, in the order of their first appearance. */
#ifndef GMON_TOOL_ARCS_H
#define GMON_TOOL_ARCS_H

#include "gmon/tool/reader.h"

#include <stddef.h>
#include <stdint.h>

struct arcs {
	struct arc *arc;
	size_t count, room;
	uint32_t *index; /* by hash: number of an arc + 1, or 0 */
	size_t index_size;
	size_t last; /* the one added to last */
};

/* Add; a sum beyond 64 bits stays at its greatest. */
void arcs_add(struct arcs *arcs, const struct arc *arc);

/* Sort by frompc, selfpc.  After this nothing more can be added. */
void arcs_finish(struct arcs *arcs);

void arcs_free(struct arcs *arcs);

#endif
