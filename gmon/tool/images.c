/* SPDX-License-Identifier: 0BSD */
/* The image table in memory. */
#include "gmon/tool/images.h"
#include "gmon/tool/line.h"
#include "gmon/tool/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint64_t first_of(const struct image *image)
{
	return image->base + image->lowpc;
}

static uint64_t end_of(const struct image *image)
{
	return image->base + image->highpc;
}

const char *image_name(const struct image *image)
{
	const char *slash = strrchr(image->path, '/');

	return slash && slash[1] ? slash + 1 : image->path;
}

/* How many images begin at or below an address. */
static size_t count_below(const struct images *images, uint64_t address)
{
	size_t low = 0, high = images->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (first_of(&images->image[middle]) <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct image *images_find(const struct images *images, uint64_t address)
{
	size_t below = count_below(images, address);

	if (below && image_holds(&images->image[below - 1], address))
		return &images->image[below - 1];
	return NULL;
}

const struct image *images_main(const struct images *images)
{
	for (size_t i = 0; i < images->count; i++)
		if (images->image[i].base == 0)
			return &images->image[i];
	return NULL;
}

/* A library may have been found under another path on another machine. */
static bool is_same(const struct image *one, const struct image *other)
{
	if (one->base != other->base || one->lowpc != other->lowpc ||
	    one->highpc != other->highpc)
		return false;
	if (strcmp(one->id, "-") && strcmp(other->id, "-"))
		return strcmp(one->id, other->id) == 0;
	return strcmp(image_name(one), image_name(other)) == 0;
}

static bool contradict(const struct image *image, const struct image *there,
		       struct problem *problem)
{
	return problem_set(problem,
			   "its %s (build-id %s, text %" PRIx64 "-%" PRIx64
			   ") is not the %s (build-id %s, text %" PRIx64
			   "-%" PRIx64 ") of %s",
			   image->path, image->id, first_of(image),
			   end_of(image), there->path, there->id,
			   first_of(there), end_of(there), there->origin);
}

bool images_add(struct images *images, const struct image *image,
		struct problem *problem)
{
	size_t at = count_below(images, first_of(image));
	const struct image *before = at ? &images->image[at - 1] : NULL;
	const struct image *behind =
		at < images->count ? &images->image[at] : NULL;
	struct image *place;

	if (before && is_same(before, image))
		return true;
	if (before && end_of(before) > first_of(image))
		return contradict(image, before, problem);
	if (behind && end_of(image) > first_of(behind))
		return contradict(image, behind, problem);
	if (images->count == IMAGES_MAX)
		return problem_set(problem, "more than %d images", IMAGES_MAX);
	images->image = memory_grown(images->image, images->count,
				     &images->room, sizeof *image);
	place = &images->image[at];
	memmove(place + 1, place, (images->count++ - at) * sizeof *place);
	*place = *image;
	place->id = memory_text(image->id, strlen(image->id));
	place->path = memory_text(image->path, strlen(image->path));
	return true;
}

bool images_add_line(struct images *images, const char *line,
		     const char *origin, struct problem *problem)
{
	struct image image;
	bool good;

	if (!line_read_image(line, &image, problem))
		return false;
	image.origin = origin;
	good = images_add(images, &image, problem);
	free(image.id);
	free(image.path);
	return good;
}

bool images_merge(struct images *images, const struct images *other,
		  struct problem *problem)
{
	for (size_t i = 0; i < other->count; i++)
		if (!images_add(images, &other->image[i], problem))
			return false;
	return true;
}

void images_free(struct images *images)
{
	for (size_t i = 0; i < images->count; i++) {
		free(images->image[i].id);
		free(images->image[i].path);
	}
	free(images->image);
	*images = (struct images){.count = 0};
}
