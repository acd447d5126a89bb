/* SPDX-License-Identifier: 0BSD */
/* An index from a hash to numbers of things in an array: open addressing. */
#ifndef GMON_TOOL_HASH_H
#define GMON_TOOL_HASH_H

#include "gmon/tool/memory.h"

#include <stdint.h>
#include <stdlib.h>

/* So that addresses, which end in zeroes, are spread over all places. */
static inline uint64_t hash_mix(uint64_t key)
{
	key ^= key >> 32;
	key *= UINT64_C(0x9e3779b97f4a7c15);
	return key ^ key >> 29;
}

/*
 * An empty index with room for more than `count` things, at most half full,
 * in place of the old one; *size is brought up to date.
 */
static inline uint32_t *hash_index(uint32_t *old, size_t count, size_t *size)
{
	free(old);
	*size = 64;
	while (*size < 4 * (count + 1))
		*size *= 2;
	return memory_zeroed(*size, sizeof *old);
}

#endif
