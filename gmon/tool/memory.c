/* SPDX-License-Identifier: 0BSD */
/* The only place that asks for memory, and knows what to do without. */
#include "gmon/tool/memory.h"
#include "gmon/tool/problem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void *checked(void *memory)
{
	if (!memory) {
		say("out of memory");
		exit(EXIT_TROUBLE);
	}
	return memory;
}

void *memory_zeroed(size_t count, size_t size)
{
	return checked(calloc(count ? count : 1, size));
}

void *memory_grown(void *array, size_t count, size_t *room, size_t size)
{
	if (count < *room)
		return array;
	*room = *room ? 2 * *room : 16;
	return checked(*room > SIZE_MAX / size ? NULL
					       : realloc(array, *room * size));
}

char *memory_text(const char *text, size_t size)
{
	char *copy = checked(malloc(size + 1));

	memcpy(copy, text, size);
	copy[size] = '\0';
	return copy;
}

void memory_sort(void *array, size_t count, size_t size,
		 int (*compare)(const void *, const void *))
{
	if (count > 1)
		qsort(array, count, size, compare);
}
