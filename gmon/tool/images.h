/* SPDX-License-Identifier: 0BSD */
/*
 * The image table of a profile: which program and libraries its addresses are
 * of.  Tables of several files become one; where they contradict each other
 * the files are not of one program, or not of one version of it.
 */
#ifndef GMON_TOOL_IMAGES_H
#define GMON_TOOL_IMAGES_H

#include "gmon/tool/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No process has more; keeps what a hostile file costs within bounds. */
#define IMAGES_MAX 65536

struct image {
	char *id;		 /* build-id in hex, or "-" */
	uint64_t base;		 /* in the file minus link-time */
	uint64_t lowpc, highpc;	 /* text range, link-time */
	char *path;
	const char *origin; /* name of a file that has it */
};

/* By their first addresses in the file; they do not overlap. */
struct images {
	struct image *image;
	size_t count, room;
};

/*
 * Add the image of a table's line "image ...".  The line is not trusted; a
 * problem is worded without the place.
 */
bool images_add_line(struct images *images, const char *line,
		     const char *origin, struct problem *problem);

/* Add a copy of an image. */
bool images_add(struct images *images, const struct image *image,
		struct problem *problem);

/* Add all images of another table. */
bool images_merge(struct images *images, const struct images *other,
		  struct problem *problem);

/* The image that an address in the file lies in, or null. */
const struct image *images_find(const struct images *images, uint64_t address);

/* The main program, or null if it is not listed. */
const struct image *images_main(const struct images *images);

/* The last component of an image's path. */
const char *image_name(const struct image *image);

static inline bool image_holds(const struct image *image, uint64_t address)
{
	uint64_t linked = address - image->base;

	return linked >= image->lowpc && linked < image->highpc;
}

void images_free(struct images *images);

#endif
