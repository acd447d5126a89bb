/* SPDX-License-Identifier: 0BSD */
/* How a file's records come into a profile. */
#include "gmon/tool/profile.h"
#include "gmon/tool/line.h"

#include <inttypes.h>

/* A file on its way into a profile. */
struct adding {
	struct profile *profile;
	const char *origin;
	struct whole whole; /* the one that the next histograms are parts of */
	struct range *range; /* of the histogram being read; null: no bins */
	uint32_t first;	     /* its bin that the histogram begins with */
	uint64_t whole_bins; /* of all wholes announced */
};

/* More announced bins than that, 512 MiB of text, are not believed. */
#define WHOLE_BINS_MAX ((uint64_t)1 << 28)

static bool refuse(const struct place *place, const struct problem *why,
		   struct problem *problem)
{
	return problem_set(problem, "%s: offset %" PRIu64 ": %s", place->name,
			   place->offset, why->text);
}

/* Whether a histogram is a part of the whole announced before it. */
static bool is_part(const struct whole *whole,
		    const struct histogram *histogram, uint32_t *first)
{
	uint64_t bin_size;

	if (!whole->bin_count || histogram->lowpc < whole->lowpc ||
	    histogram->highpc > whole->highpc)
		return false;
	bin_size = (whole->highpc - whole->lowpc) / whole->bin_count;
	*first = (uint32_t)((histogram->lowpc - whole->lowpc) / bin_size);
	return (histogram->lowpc - whole->lowpc) % bin_size == 0 &&
	       (histogram->highpc - histogram->lowpc) ==
		       bin_size * histogram->bin_count;
}

static bool add_histogram(void *context, const struct histogram *histogram,
			  const struct place *place, struct problem *problem)
{
	struct adding *adding = context;
	struct range wanted = {histogram->lowpc, histogram->highpc,
			       histogram->bin_count, NULL, adding->origin};
	struct problem why;

	if (!profile_join_kind(adding->profile, histogram, adding->origin,
			       &why))
		return refuse(place, &why, problem);
	adding->range = NULL;
	adding->first = 0;
	if (!histogram->bin_count)
		return true;
	if (is_part(&adding->whole, histogram, &adding->first)) {
		wanted.lowpc = adding->whole.lowpc;
		wanted.highpc = adding->whole.highpc;
		wanted.bin_count = adding->whole.bin_count;
	}
	adding->range = ranges_get(&adding->profile->ranges, &wanted, &why);
	return adding->range || refuse(place, &why, problem);
}

static void add_bins(void *context, uint32_t first, const uint16_t *bins,
		     size_t count)
{
	struct adding *adding = context;

	if (adding->range)
		range_add(adding->range, adding->first + first, bins, count);
}

static bool add_arc(void *context, const struct arc *arc,
		    const struct place *place, struct problem *problem)
{
	struct adding *adding = context;

	(void)place, (void)problem;
	arcs_add(&adding->profile->arcs, arc);
	return true;
}

static bool add_whole(struct adding *adding, const char *line,
		      struct problem *why)
{
	if (!line_read_range(line, &adding->whole, why))
		return false;
	adding->whole_bins += adding->whole.bin_count;
	return adding->whole_bins <= WHOLE_BINS_MAX ||
	       problem_set(why, "image table: ranges of more than %" PRIu64
			   " bins", WHOLE_BINS_MAX);
}

static bool add_line(void *context, const char *line, const struct place *place,
		     struct problem *problem)
{
	struct adding *adding = context;
	struct problem why;
	bool good;

	if (line_is_image(line))
		good = images_add_line(&adding->profile->images, line,
				       adding->origin, &why);
	else if (line_is_range(line))
		good = add_whole(adding, line, &why);
	else
		good = problem_set(&why, "image table: unknown line \"%.200s\"",
				   line);
	return good || refuse(place, &why, problem);
}

static void add_block(void *context, uint64_t address, uint64_t count)
{
	struct adding *adding = context;

	(void)address, (void)count;
	adding->profile->block_count++;
}

bool profile_add(struct profile *profile, struct source *source,
		 const struct target *target, struct problem *problem)
{
	struct adding adding = {.profile = profile, .origin = source->name};
	struct visitor visitor = {&adding,  add_histogram, add_bins,
				  add_arc, add_line,	  add_block};
	struct format format;

	return reader_detect(source, target, &format, problem) &&
	       profile_join_target(profile, &format.target, source->name,
				   problem) &&
	       reader_walk(source, &format, &visitor, problem);
}

bool profile_add_file(struct profile *profile, const char *name,
		      const struct target *target, struct problem *problem)
{
	struct source source = {.fd = -1};
	bool good = source_open(&source, name, problem) &&
		    profile_add(profile, &source, target, problem);

	source_free(&source);
	return good;
}
