/* SPDX-License-Identifier: 0BSD */
/*
 * libFuzzer: whatever the bytes are, the reader tells them or says what is
 * wrong.  What could be read is shown, added up, written, and read back; the
 * copy must have the same calls and ticks.
 */
#include "gmon/tool/profile.h"
#include "gmon/tool/show.h"

#include <stdio.h>
#include <stdlib.h>

/* Counts from here on only make the copy long. */
#define COUNT_MAX ((uint64_t)1 << 36)

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc, (void)argv;
	return freopen("/dev/null", "w", stdout) == NULL;
}

static bool load(struct profile *profile, const void *bytes, size_t size,
		 const struct target *target)
{
	struct problem problem;
	struct source source;

	source_memory(&source, "input", bytes, size);
	return profile_add(profile, &source, target, &problem) &&
	       profile_finish(profile, &problem);
}

static void show(const struct shower *shower, const void *bytes, size_t size)
{
	struct target unknown = {0};
	struct problem problem;
	struct source source;
	struct format format;

	source_memory(&source, "input", bytes, size);
	if (!reader_detect(&source, &unknown, &format, &problem))
		return;
	shower->begin(&source, &format);
	reader_walk(&source, &format, &shower->visitor, &problem);
	shower->end();
}

static uint64_t ticks(const struct profile *profile)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < profile->ranges.count; i++) {
		const struct range *range = &profile->ranges.range[i];
		uint32_t bin = range_next(range, 0);

		for (; bin < range->bin_count; bin = range_next(range, bin + 1))
			sum += range_bin(range, bin);
	}
	return sum;
}

static bool same_arcs(const struct arcs *one, const struct arcs *other)
{
	if (one->count != other->count)
		return false;
	for (size_t i = 0; i < one->count; i++)
		if (one->arc[i].frompc != other->arc[i].frompc ||
		    one->arc[i].selfpc != other->arc[i].selfpc ||
		    one->arc[i].count != other->arc[i].count)
			return false;
	return true;
}

static bool is_writable(const struct profile *profile)
{
	for (size_t i = 0; i < profile->arcs.count; i++) {
		const struct arc *arc = &profile->arcs.arc[i];

		/* of a BSD file: in a GNU file it would be the image table */
		if (arc->count >= COUNT_MAX || arc->selfpc == 1)
			return false;
	}
	return true;
}

static void copy(const struct profile *profile)
{
	struct profile again = {.origin = NULL};
	struct problem problem;
	char *bytes = NULL;
	size_t size;
	FILE *file = open_memstream(&bytes, &size);

	if (!profile_write(profile, file, &problem))
		abort();
	fclose(file);
	/* with its target, since a short file may make sense with another */
	if (!load(&again, bytes, size, &profile->target) ||
	    again.images.count != profile->images.count ||
	    ticks(&again) != ticks(profile) ||
	    !same_arcs(&again.arcs, &profile->arcs))
		abort();
	profile_free(&again);
	free(bytes);
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size)
{
	struct profile profile = {.origin = NULL};
	struct target unknown = {0};

	show(&show_text, bytes, size);
	show(&show_json, bytes, size);
	if (load(&profile, bytes, size, &unknown) && is_writable(&profile))
		copy(&profile);
	profile_free(&profile);
	return 0;
}
