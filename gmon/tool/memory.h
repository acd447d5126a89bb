/* SPDX-License-Identifier: 0BSD */
/* malloc that need not be checked: without memory the command ends. */
#ifndef GMON_TOOL_MEMORY_H
#define GMON_TOOL_MEMORY_H

#include <stddef.h>

/* Zeroed memory for `count` things of `size` bytes. */
void *memory_zeroed(size_t count, size_t size);

/*
 * Room for one more thing behind `count` of them: the array, perhaps moved,
 * with *room brought up to date.  Grows by doubling.
 */
void *memory_grown(void *array, size_t count, size_t *room, size_t size);

/* A copy of `size` bytes of text, with a NUL behind. */
char *memory_text(const char *text, size_t size);

/* qsort, which does not take null for an empty array. */
void memory_sort(void *array, size_t count, size_t size,
		 int (*compare)(const void *, const void *));

#endif
