/* SPDX-License-Identifier: 0BSD */
/* What is one profile, and what does not go together. */
#include "gmon/tool/profile.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static double scale_of(const struct histogram *histogram)
{
	uint64_t size = histogram->highpc - histogram->lowpc;

	return (double)(size / 2) / histogram->bin_count;
}

/* The kind of the first histogram is that of all. */
static void set_kind(struct profile *profile, const struct histogram *histogram,
		     const char *origin)
{
	if (!profile->kind_origin) {
		profile->kind = *histogram;
		profile->kind_origin = origin;
	}
	if (profile->scale == 0 && histogram->bin_count)
		profile->scale = scale_of(histogram);
}

static bool check_kind(const struct profile *profile,
		       const struct histogram *histogram, struct problem *why)
{
	const struct histogram *kind = &profile->kind;
	const char *origin = profile->kind_origin;

	if (!origin)
		return true;
	if (kind->rate != histogram->rate)
		return problem_set(why, "its rate is %" PRIu32 ", that of %s "
				   "is %" PRIu32, histogram->rate, origin,
				   kind->rate);
	if (strcmp(kind->dimension, histogram->dimension) ||
	    kind->abbreviation != histogram->abbreviation)
		return problem_set(why, "its bins count %s (%c), those of %s "
				   "%s (%c)", histogram->dimension,
				   histogram->abbreviation, origin,
				   kind->dimension, kind->abbreviation);
	if (profile->scale != 0 && histogram->bin_count &&
	    fabs(profile->scale - scale_of(histogram)) > 1e-6)
		return problem_set(why, "its bins are of %g bytes, those of %s "
				   "of %g", 2 * scale_of(histogram), origin,
				   2 * profile->scale);
	return true;
}

bool profile_join_kind(struct profile *profile,
		       const struct histogram *histogram, const char *origin,
		       struct problem *why)
{
	if (!check_kind(profile, histogram, why))
		return false;
	set_kind(profile, histogram, origin);
	return true;
}

static const char *target_name(const struct target *target)
{
	if (target->width == 8)
		return target->big ? "64-bit, big-endian"
				   : "64-bit, little-endian";
	return target->big ? "32-bit, big-endian" : "32-bit, little-endian";
}

bool profile_join_target(struct profile *profile, const struct target *target,
			 const char *origin, struct problem *problem)
{
	if (!profile->origin) {
		profile->target = *target;
		profile->origin = origin;
	}
	if (profile->target.width == target->width &&
	    profile->target.big == target->big)
		return true;
	return problem_set(problem, "%s: is of a %s program, %s of a %s one",
			   origin, target_name(target), profile->origin,
			   target_name(&profile->target));
}

/* Of two problems the name of the file is known, but not the offset. */
static bool refuse(const char *origin, const struct problem *why,
		   struct problem *problem)
{
	return problem_set(problem, "%s: %s", origin, why->text);
}

static bool merge_ranges(struct profile *profile, const struct profile *other,
			 struct problem *problem)
{
	for (size_t i = 0; i < other->ranges.count; i++) {
		const struct range *from = &other->ranges.range[i];
		struct range wanted = *from;
		struct problem why;
		struct range *to = ranges_get(&profile->ranges, &wanted, &why);

		if (!to)
			return refuse(from->origin, &why, problem);
		range_merge(to, from);
	}
	return true;
}

bool profile_merge(struct profile *profile, const struct profile *other,
		   struct problem *problem)
{
	struct problem why;

	if (!other->origin)
		return true;
	if (!profile_join_target(profile, &other->target, other->origin,
				 problem))
		return false;
	if (other->kind_origin &&
	    !profile_join_kind(profile, &other->kind, other->kind_origin, &why))
		return refuse(other->kind_origin, &why, problem);
	if (!images_merge(&profile->images, &other->images, &why))
		return refuse(other->origin, &why, problem);
	profile->block_count += other->block_count;
	for (size_t i = 0; i < other->arcs.count; i++)
		arcs_add(&profile->arcs, &other->arcs.arc[i]);
	return merge_ranges(profile, other, problem);
}

bool profile_finish(struct profile *profile, struct problem *problem)
{
	arcs_finish(&profile->arcs);
	return ranges_finish(&profile->ranges, problem);
}

void profile_free(struct profile *profile)
{
	ranges_free(&profile->ranges);
	arcs_free(&profile->arcs);
	images_free(&profile->images);
	*profile = (struct profile){.origin = NULL};
}
