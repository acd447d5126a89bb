/* SPDX-License-Identifier: 0BSD */
/*
 * Counts set aside: those of libraries that were unloaded, whose addresses
 * another library may get.  They are kept at the addresses they have in the
 * file.  Lies in pages that a forked child forgets.
 */
#ifndef GCRT_ASIDE_H
#define GCRT_ASIDE_H

#include "gmon/images.h"
#include "mcount/threads.h"
#include "profil/histogram.h"

#include <stdbool.h>

struct aside {
	struct arc_table *arcs; /* the newest, or null */
	struct histogram histogram;
	uint64_t outside; /* calls whose callee has no place in the file */
};

/* Where an address is in the file: for a caller in no image the stand-in, for
   such a callee 0. */
typedef uintptr_t aside_place(void *context, uintptr_t pc, bool is_callee);

/*
 * Take the image's calls and ticks out of the tables and keep them.  If it
 * is contested, only the calls of threads that are unloading: what others have
 * counted there since is of the library that has its addresses now.  False if
 * memory was refused: what could not be kept stays, at an address without a
 * name.
 * Called from: one thread at a time, with signals blocked.
 */
bool aside_set(struct aside *aside, struct threads *threads,
	       struct histogram *histogram, const struct image *image,
	       aside_place *place, void *context);

/* Let what is kept start from zero.  Called from: as aside_set. */
void aside_reset(struct aside *aside);

#endif
