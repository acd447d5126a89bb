/* SPDX-License-Identifier: 0BSD */
/* What of a profile belongs to one image. */
#include "gmon/tool/filter.h"

#include <stdio.h>
#include <string.h>

/* How well a name is an image's: 3 path, 2 last component, 1 begin of it. */
static int likeness(const struct image *image, const char *name)
{
	if (strcmp(image->path, name) == 0)
		return 3;
	if (strcmp(image_name(image), name) == 0)
		return 2;
	return strncmp(image_name(image), name, strlen(name)) == 0;
}

static bool not_found(const struct images *images, const char *name,
		      const char *what, struct problem *problem)
{
	char list[700] = "";
	size_t size = 0;

	for (size_t i = 0; i < images->count && size < sizeof list; i++)
		size += (size_t)snprintf(list + size, sizeof list - size,
					 " %s", image_name(&images->image[i]));
	return problem_set(problem, "%s image is called %s; there are:%s", what,
			   name, list);
}

static const struct image *find(const struct images *images, const char *name,
				struct problem *problem)
{
	const struct image *best = NULL;
	int best_likeness = 0, equals = 0;

	for (size_t i = 0; i < images->count; i++) {
		int here = likeness(&images->image[i], name);

		if (here > best_likeness) {
			best = &images->image[i];
			best_likeness = here;
			equals = 0;
		}
		equals += here && here == best_likeness;
	}
	if (equals == 1)
		return best;
	not_found(images, name, equals ? "more than one" : "no", problem);
	return NULL;
}

/* Bins may be wider than what rounding left of the text at its borders. */
static bool is_in(const struct range *range, const struct image *image)
{
	uint64_t middle = range->lowpc + (range->highpc - range->lowpc) / 2;

	return image_holds(image, middle);
}

static void keep_ranges(struct ranges *ranges, const struct image *image)
{
	size_t kept = 0;

	for (size_t i = 0; i < ranges->count; i++) {
		struct range range = ranges->range[i];

		if (is_in(&range, image))
			ranges->range[kept++] = range;
		else
			range_free(&range);
	}
	ranges->count = kept;
}

static void keep_arcs(struct arcs *arcs, const struct image *image)
{
	size_t kept = 0;

	for (size_t i = 0; i < arcs->count; i++)
		if (image_holds(image, arcs->arc[i].frompc) ||
		    image_holds(image, arcs->arc[i].selfpc))
			arcs->arc[kept++] = arcs->arc[i];
	arcs->count = kept;
}

bool filter_image(struct profile *profile, const char *name,
		  struct problem *problem)
{
	const struct image *image = find(&profile->images, name, problem);

	if (!image)
		return false;
	keep_ranges(&profile->ranges, image);
	keep_arcs(&profile->arcs, image);
	return true;
}
