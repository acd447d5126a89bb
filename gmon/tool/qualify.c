/* SPDX-License-Identifier: 0BSD */
/* How functions of the same name are told apart. */
#include "gmon/tool/qualify.h"
#include "gmon/tool/memory.h"

#include <stdlib.h>
#include <string.h>

static int by_name(const void *one, const void *other)
{
	const struct symbol *const *a = one, *const *b = other;

	return strcmp((*a)->name, (*b)->name);
}

/* NAME@LIBRARY; what follows the @ does not disturb the demangler of gprof. */
static void qualify(struct symbol *symbol)
{
	const char *library = image_name(symbol->image);
	size_t size = strlen(symbol->name) + strlen(library) + 2;
	char *name = memory_zeroed(size, 1);
	char *clean;

	snprintf(name, size, "%s@%s", symbol->name, library);
	clean = name + strlen(symbol->name);
	for (; *clean; clean++)
		if ((unsigned char)*clean <= ' ')
			*clean = '_';
	free(symbol->name);
	symbol->name = name;
}

static bool is_library(const struct symbol *symbol)
{
	return symbol->image && symbol->image->base != 0;
}

/* Names [first, end) are equal: are they all of one image? */
static bool one_image(struct symbol **names, size_t first, size_t end)
{
	for (size_t i = first + 1; i < end; i++)
		if (names[i]->image != names[first]->image)
			return false;
	return true;
}

void qualify_names(struct symbols *symbols, bool all)
{
	struct symbol **names = memory_zeroed(symbols->count, sizeof *names);
	size_t end;

	for (size_t i = 0; i < symbols->count; i++)
		names[i] = &symbols->symbol[i];
	memory_sort(names, symbols->count, sizeof *names, by_name);
	for (size_t first = 0; first < symbols->count; first = end) {
		bool some;

		for (end = first + 1; end < symbols->count &&
				      !strcmp(names[end]->name,
					      names[first]->name);)
			end++;
		some = all || !one_image(names, first, end);
		for (size_t i = end; some && i-- > first;)
			if (is_library(names[i]))
				qualify(names[i]);
	}
	free(names);
}
