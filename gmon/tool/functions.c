/* SPDX-License-Identifier: 0BSD */
/* Which of several symbols a stretch of code is called by. */
#include "gmon/tool/functions.h"
#include "gmon/tool/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Gaps up to this many bytes behind a function are taken for padding. */
#define PADDING_MAX 15

void functions_add(struct functions *functions, const struct function *function)
{
	if (function->address < functions->lowpc ||
	    function->address >= functions->highpc)
		return;
	functions->function = memory_grown(functions->function,
					   functions->count, &functions->room,
					   sizeof *function);
	functions->function[functions->count++] = *function;
}

static int by_address(const void *one, const void *other)
{
	const struct function *a = one, *b = other;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank > b->rank ? -1 : 1;
	return strcmp(a->name ? a->name : "", b->name ? b->name : "");
}

void functions_sort(struct functions *functions)
{
	uint64_t end = 0;
	size_t kept = 0;

	memory_sort(functions->function, functions->count,
	      sizeof *functions->function, by_address);
	for (size_t i = 0; i < functions->count; i++) {
		const struct function function = functions->function[i];
		bool certain = function.rank & RANK_FUNCTION;

		if (kept && functions->function[kept - 1].address ==
				    function.address)
			continue;
		if (!certain && function.address < end)
			continue;
		if (certain && function.address + function.size > end)
			end = function.address + function.size;
		functions->function[kept++] = function;
	}
	functions->count = kept;
}

void functions_add_gaps(struct functions *functions)
{
	size_t count = functions->count;
	uint64_t end = 0;

	for (size_t i = 0; i < count; i++) {
		const struct function function = functions->function[i];

		if (end && function.address > end + PADDING_MAX)
			functions_add(functions,
				      &(struct function){.address = end});
		end = function.size ? function.address + function.size : 0;
	}
	functions_sort(functions);
}
