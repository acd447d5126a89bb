/* SPDX-License-Identifier: 0BSD */
/*
 * The histograms of a profile: bins of 64 bits, of which only the pages that
 * hold something take memory.
 */
#ifndef GMON_TOOL_RANGES_H
#define GMON_TOOL_RANGES_H

#include "gmon/tool/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Small, so that a hostile file cannot buy much memory with few bytes. */
#define PAGE_BINS 64

struct range {
	uint64_t lowpc, highpc;
	uint32_t bin_count;
	uint64_t **pages;   /* null: all zero */
	const char *origin; /* name of the file that had it first */
};

struct ranges {
	struct range *range;
	size_t count, room;
	uint32_t *index; /* by hash of lowpc: number of a range + 1, or 0 */
	size_t index_size;
	size_t last; /* the one found last */
};

/*
 * The range with these borders, made if there is none.  Null, with the
 * problem worded, if there is another one that begins there.  Good until the
 * next range is made.
 */
struct range *ranges_get(struct ranges *ranges, const struct range *wanted,
			 struct problem *problem);

/* Add to bins [first, first + count), which must be of the range. */
void range_add(struct range *range, uint32_t first, const uint16_t *bins,
	       size_t count);

/* Add all bins of other, which has the same borders. */
void range_merge(struct range *range, const struct range *other);

/* A bin's count, and the address it begins at. */
static inline uint64_t range_bin(const struct range *range, uint32_t bin)
{
	const uint64_t *page = range->pages[bin / PAGE_BINS];

	return page ? page[bin % PAGE_BINS] : 0;
}

uint64_t bin_address(uint64_t lowpc, uint64_t highpc, uint32_t bin_count,
		     uint32_t bin);

/* The first bin >= bin that is not zero, or bin_count. */
uint32_t range_next(const struct range *range, uint32_t bin);

/*
 * Sort by address.  False, with the problem worded, if two overlap.  After
 * this nothing more can be added.
 */
bool ranges_finish(struct ranges *ranges, struct problem *problem);

/* Give back the bins of one. */
void range_free(struct range *range);

void ranges_free(struct ranges *ranges);

#endif
