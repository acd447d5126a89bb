/* SPDX-License-Identifier: 0BSD */
/*
 * The functions of all images of a profile, at the profile's addresses.  A
 * symbol reaches to the next one, as gprof has it; so where an image ends,
 * and where code begins that has no name, there are symbols made up for it.
 */
#ifndef GMON_TOOL_SYMBOLS_H
#define GMON_TOOL_SYMBOLS_H

#include "gmon/tool/find.h"
#include "gmon/tool/images.h"
#include "gmon/tool/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct symbol {
	uint64_t address;
	char *name;
	const struct image *image; /* null for the end of one */
	bool global;
};

/* By address, no two at the same. */
struct symbols {
	struct symbol *symbol;
	size_t count, room;
};

/*
 * Read the symbols of all images.  A library whose file is not there, or not
 * the one that was profiled, is said and becomes a single symbol; a program
 * that is not the one that was profiled is a problem.
 * If `qualified`, names have @LIBRARY behind them; else only those that
 * several images have.  The images must live as long as the symbols.
 */
bool symbols_read(struct symbols *symbols, const struct images *images,
		  const struct places *places, bool qualified,
		  struct problem *problem);

/* The symbol that an address belongs to: an index, or count. */
size_t symbols_find(const struct symbols *symbols, uint64_t address);

/* As nm(1) prints them, sorted; for gprof -S. */
void symbols_write(const struct symbols *symbols, unsigned width, FILE *file);

/* Add one at a link-time address of an image.  The name is copied. */
void symbols_add(struct symbols *symbols, const struct image *image,
		 uint64_t linked, const char *name, bool global);

void symbols_free(struct symbols *symbols);

#endif
