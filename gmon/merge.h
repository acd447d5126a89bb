/* SPDX-License-Identifier: 0BSD */
/*
 * All threads' arcs become one list: equal arcs, which stand in the tables of
 * several threads and in the successive tables of one, are added up.
 *
 * Memory is bounded by what the caller gives.  Where it does not hold all arcs
 * at once they are added up in several passes, each over a part of the keys;
 * without any there are 32 KiB of static memory.  Should the arcs of a pass
 * not fit after all, some are told in parts, which the reader adds up.
 */
#ifndef GCRT_MERGE_H
#define GCRT_MERGE_H

#include "mcount/threads.h"

#include <stddef.h>
#include <stdint.h>

typedef void merge_take(void *context, const struct arc *arc, uint64_t count);

/* The most memory that merge_arcs makes use of. */
#define MERGE_MEMORY_MAX ((size_t)8 << 20)

/*
 * Call take for each arc that has a count, of all threads and of the shared
 * table.  `memory` is zeroed, may be null.  Called from: the writer.
 */
void merge_arcs(const struct threads *threads, void *memory, size_t size,
		merge_take *take, void *context);

#endif
