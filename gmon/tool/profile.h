/* SPDX-License-Identifier: 0BSD */
/*
 * A profile in memory: the exact sum of any number of files.  Files that are
 * not of the same program, rate or scale are refused by name.
 */
#ifndef GMON_TOOL_PROFILE_H
#define GMON_TOOL_PROFILE_H

#include "gmon/tool/arcs.h"
#include "gmon/tool/images.h"
#include "gmon/tool/ranges.h"
#include "gmon/tool/reader.h"

#include <stdio.h>

struct profile {
	struct target target;
	const char *origin; /* the first file; null: nothing was added */
	struct histogram kind; /* rate, dimension, abbreviation of all */
	const char *kind_origin; /* the file that had the first histogram */
	double scale; /* 2-byte units in a bin, as gprof compares them */
	struct ranges ranges;
	struct arcs arcs;
	struct images images;
	uint64_t block_count; /* basic blocks, which are not kept */
};

/*
 * Add what a file holds.  `target` is what is known of the program, or of
 * width 0.  After a problem the profile is only good to be freed.
 * The name of the source must live as long as the profile.
 */
bool profile_add(struct profile *profile, struct source *source,
		 const struct target *target, struct problem *problem);

/* The same by the file's name. */
bool profile_add_file(struct profile *profile, const char *name,
		      const struct target *target, struct problem *problem);

/*
 * Make a histogram's kind, or a target, the profile's.  False, with the
 * problem worded, if it already has another one.
 */
bool profile_join_kind(struct profile *profile,
		       const struct histogram *histogram, const char *origin,
		       struct problem *why);
bool profile_join_target(struct profile *profile, const struct target *target,
			 const char *origin, struct problem *problem);

/* Add another profile. */
bool profile_merge(struct profile *profile, const struct profile *other,
		   struct problem *problem);

/* Sort everything, and refuse histograms that overlap. */
bool profile_finish(struct profile *profile, struct problem *problem);

/*
 * Write it as a GNU file, as it was finished.  Bins above 65535 and counts
 * above 2^32-1 go on in repeated records.  Write errors are the stream's.
 */
bool profile_write(const struct profile *profile, FILE *file,
		   struct problem *problem);

void profile_free(struct profile *profile);

#endif
