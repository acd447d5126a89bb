/* SPDX-License-Identifier: 0BSD */
/* Which format, address width and byte order a file has. */
#include "gmon/format.h"
#include "gmon/tool/walk.h"

#include <inttypes.h>

/* In the order in which they are tried. */
static const struct target all_targets[] = {
	{8, false}, {4, false}, {8, true}, {4, true}};
enum { TARGET_COUNT = sizeof all_targets / sizeof *all_targets };

struct candidates {
	struct format format[TARGET_COUNT];
	unsigned count;
};

static bool fits(const struct target *wanted, const struct target *target)
{
	return !wanted->width || (wanted->width == target->width &&
				  wanted->big == target->big);
}

static void add(struct candidates *candidates, enum layout layout,
		const struct target *target)
{
	candidates->format[candidates->count++] =
		(struct format){layout, *target};
}

static bool add_gnu(struct candidates *candidates, struct source *source,
		    const struct target *wanted, const unsigned char *header,
		    struct problem *problem)
{
	const unsigned char *version = header + GMON_MAGIC_SIZE;
	uint32_t little = get_u32(version, false);
	uint32_t big = get_u32(version, true);

	for (size_t i = 0; i < TARGET_COUNT; i++) {
		const struct target *target = &all_targets[i];

		/* gprof lets 0 through, too */
		if (fits(wanted, target) &&
		    (target->big ? big : little) <= GMON_VERSION)
			add(candidates, LAYOUT_GNU, target);
	}
	if (candidates->count)
		return true;
	if (big <= GMON_VERSION || little <= GMON_VERSION)
		return problem_set(problem, "%s: offset %d: the file is of a "
				   "program with the other byte order",
				   source->name, GMON_MAGIC_SIZE);
	return problem_set(problem, "%s: offset %d: version %" PRIu32
			   " is not known", source->name, GMON_MAGIC_SIZE,
			   little < big ? little : big);
}

static void add_bsd(struct candidates *candidates, struct source *source,
		    const struct target *wanted)
{
	for (size_t i = 0; i < TARGET_COUNT; i++) {
		const struct target *target = &all_targets[i];
		unsigned at = BSD_HEADER_SIZE(target->width);
		const unsigned char *version;

		if (!fits(wanted, target) ||
		    source->size < BSD44_HEADER_SIZE(target->width))
			continue;
		version = source_at(source, at, sizeof(uint32_t));
		if (version && get_u32(version, target->big) == BSD44_VERSION)
			add(candidates, LAYOUT_BSD44, target);
	}
	if (candidates->count)
		return;
	for (size_t i = 0; i < TARGET_COUNT; i++)
		if (fits(wanted, &all_targets[i]))
			add(candidates, LAYOUT_BSD, &all_targets[i]);
}

/* The first one with which every record lies in the file. */
static bool choose(const struct candidates *candidates, struct source *source,
		   struct format *format, struct problem *problem)
{
	static const struct visitor nobody;

	problem->offset = 0;
	problem->text[0] = '\0';
	for (unsigned i = 0; i < candidates->count; i++) {
		struct problem here = {.offset = 0};

		*format = candidates->format[i];
		if (reader_walk(source, format, &nobody, &here))
			return true;
		/* who comes furthest has most to say */
		if (i == 0 || here.offset > problem->offset)
			*problem = here;
	}
	return false;
}

/* A cut file read with the other width may pass for one, but not as well. */
static bool has_dimension(void *context, const struct histogram *histogram,
			  const struct place *place, struct problem *problem)
{
	(void)context, (void)place, (void)problem;
	return histogram->dimension[0] > ' ';
}

/* If all of it makes sense with the other width, that says more than the first
   record that makes none. */
static void say_other_width(struct source *source, const struct target *wanted,
			    struct problem *problem)
{
	static const struct visitor visitor = {.histogram = has_dimension};
	struct format other = {LAYOUT_GNU, {wanted->width == 8 ? 4 : 8,
					    wanted->big}};
	struct problem unsaid;

	if (wanted->width && reader_walk(source, &other, &visitor, &unsaid))
		problem_set(problem, "%s: the file is of a %u-bit program",
			    source->name, 8 * other.target.width);
}

bool reader_detect(struct source *source, const struct target *target,
		   struct format *format, struct problem *problem)
{
	struct candidates candidates = {.count = 0};
	const unsigned char *header;

	if (source->size < GNU_HEADER_SIZE - GMON_SPARE_SIZE)
		return problem_set(problem, "%s: too short for a profile: "
				   "%" PRIu64 " bytes", source->name,
				   source->size);
	header = source_at(source, 0, GMON_MAGIC_SIZE + sizeof(uint32_t));
	if (!header)
		return problem_set(problem, "%s: cannot be read", source->name);
	if (memcmp(header, GMON_MAGIC, GMON_MAGIC_SIZE) == 0) {
		if (!add_gnu(&candidates, source, target, header, problem))
			return false;
		if (choose(&candidates, source, format, problem))
			return true;
		say_other_width(source, target, problem);
		return false;
	}
	add_bsd(&candidates, source, target);
	if (choose(&candidates, source, format, problem))
		return true;
	if (memcmp(header, "#!", 2) == 0)
		return problem_set(problem, "%s: a script; libtool keeps the "
				   "program that it starts in .libs",
				   source->name);
	if (candidates.format[0].layout == LAYOUT_BSD)
		problem_set(problem, "%s: not a profile: neither a GNU nor a "
			    "BSD header", source->name);
	return false;
}
