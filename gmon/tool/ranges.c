/* SPDX-License-Identifier: 0BSD */
/* The histograms of a profile. */
#include "gmon/tool/ranges.h"
#include "gmon/tool/hash.h"

#include <inttypes.h>
#include <string.h>

static size_t page_count(const struct range *range)
{
	return ((size_t)range->bin_count + PAGE_BINS - 1) / PAGE_BINS;
}

static size_t place_of(const struct ranges *ranges, uint64_t lowpc)
{
	size_t mask = ranges->index_size - 1;
	size_t place = hash_mix(lowpc) & mask;

	while (ranges->index[place] &&
	       ranges->range[ranges->index[place] - 1].lowpc != lowpc)
		place = (place + 1) & mask;
	return place;
}

static void grow_index(struct ranges *ranges)
{
	if (2 * (ranges->count + 1) <= ranges->index_size)
		return;
	ranges->index = hash_index(ranges->index, ranges->count,
				   &ranges->index_size);
	for (size_t i = 0; i < ranges->count; i++)
		ranges->index[place_of(ranges, ranges->range[i].lowpc)] =
			(uint32_t)i + 1;
}

/* The number of the range that begins there, or count.  Files that are added
   up have their ranges in the same order, so the next one is likely. */
static size_t find(struct ranges *ranges, uint64_t lowpc)
{
	size_t next = ranges->last + 1 < ranges->count ? ranges->last + 1 : 0;
	uint32_t number;

	if (ranges->count && ranges->range[next].lowpc == lowpc)
		return ranges->last = next;
	grow_index(ranges);
	number = ranges->index[place_of(ranges, lowpc)];
	return number ? (ranges->last = number - 1) : ranges->count;
}

static bool is_same(const struct range *one, const struct range *other)
{
	return one->lowpc == other->lowpc && one->highpc == other->highpc &&
	       one->bin_count == other->bin_count;
}

static bool contradict(const struct range *one, const struct range *other,
		       struct problem *problem)
{
	return problem_set(problem,
			   "its histogram of %" PRIx64 "-%" PRIx64
			   " in %" PRIu32 " bins does not go together "
			   "with %" PRIx64 "-%" PRIx64 " in %" PRIu32
			   " bins of %s",
			   one->lowpc, one->highpc, one->bin_count,
			   other->lowpc, other->highpc, other->bin_count,
			   other->origin);
}

struct range *ranges_get(struct ranges *ranges, const struct range *wanted,
			 struct problem *problem)
{
	size_t number = find(ranges, wanted->lowpc);
	struct range *range;

	if (number < ranges->count) {
		range = &ranges->range[number];
		if (is_same(range, wanted))
			return range;
		contradict(wanted, range, problem);
		return NULL;
	}
	ranges->range = memory_grown(ranges->range, ranges->count,
				     &ranges->room, sizeof *range);
	range = &ranges->range[number];
	*range = *wanted;
	range->pages = memory_zeroed(page_count(range), sizeof *range->pages);
	ranges->index[place_of(ranges, range->lowpc)] = (uint32_t)number + 1;
	ranges->count++;
	ranges->last = number;
	return range;
}

static uint64_t *page_at(struct range *range, size_t page)
{
	if (!range->pages[page])
		range->pages[page] = memory_zeroed(PAGE_BINS, sizeof(uint64_t));
	return range->pages[page];
}

void range_add(struct range *range, uint32_t first, const uint16_t *bins,
	       size_t count)
{
	while (count) {
		size_t at = first % PAGE_BINS;
		size_t part = PAGE_BINS - at < count ? PAGE_BINS - at : count;

		if (bins[0] || memcmp(bins, bins + 1, 2 * (part - 1))) {
			uint64_t *to = page_at(range, first / PAGE_BINS) + at;

			for (size_t i = 0; i < part; i++)
				to[i] += bins[i];
		}
		first += (uint32_t)part;
		bins += part;
		count -= part;
	}
}

void range_merge(struct range *range, const struct range *other)
{
	for (size_t page = 0; page < page_count(range); page++) {
		if (!other->pages[page])
			continue;
		for (size_t i = 0; i < PAGE_BINS; i++)
			page_at(range, page)[i] += other->pages[page][i];
	}
}

uint64_t bin_address(uint64_t lowpc, uint64_t highpc, uint32_t bin_count,
		     uint32_t bin)
{
	uint64_t size = highpc - lowpc;

	if (!bin_count)
		return lowpc;
	/* size * bin / bin_count, without going over 64 bits */
	return lowpc + size / bin_count * bin +
	       size % bin_count * bin / bin_count;
}

uint32_t range_next(const struct range *range, uint32_t bin)
{
	while (bin < range->bin_count) {
		const uint64_t *page = range->pages[bin / PAGE_BINS];

		if (page && page[bin % PAGE_BINS])
			return bin;
		if (page)
			bin++;
		else if (range->bin_count - bin <= PAGE_BINS - bin % PAGE_BINS)
			break;
		else
			bin += PAGE_BINS - bin % PAGE_BINS;
	}
	return range->bin_count;
}

static int by_address(const void *one, const void *other)
{
	const struct range *a = one, *b = other;

	return (a->lowpc > b->lowpc) - (a->lowpc < b->lowpc);
}

bool ranges_finish(struct ranges *ranges, struct problem *problem)
{
	memory_sort(ranges->range, ranges->count, sizeof *ranges->range,
		    by_address);
	for (size_t i = 1; i < ranges->count; i++) {
		const struct range *before = &ranges->range[i - 1];
		const struct range *range = &ranges->range[i];

		if (before->highpc > range->lowpc) {
			struct problem what;

			contradict(range, before, &what);
			return problem_set(problem, "%s: %s", range->origin,
					   what.text);
		}
	}
	return true;
}

void range_free(struct range *range)
{
	for (size_t page = 0; page < page_count(range); page++)
		free(range->pages[page]);
	free(range->pages);
}

void ranges_free(struct ranges *ranges)
{
	for (size_t i = 0; i < ranges->count; i++)
		range_free(&ranges->range[i]);
	free(ranges->range);
	free(ranges->index);
	*ranges = (struct ranges){.count = 0};
}
