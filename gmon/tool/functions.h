/* SPDX-License-Identifier: 0BSD */
/* The functions of one image, at link-time addresses, while collected. */
#ifndef GMON_TOOL_FUNCTIONS_H
#define GMON_TOOL_FUNCTIONS_H

#include <stddef.h>
#include <stdint.h>

/* Of those at one address the one of the highest rank is taken. */
enum rank {
	RANK_NAMELESS = 0, /* code begins here; the name is null */
	RANK_SECTION = 1,  /* a section begins here; the name is its */
	RANK_LABEL = 2,	   /* a symbol; these add up: */
	RANK_PLAIN = 1,	   /* does not begin with an underscore */
	RANK_FUNCTION = 4, /* is said to be a function */
	RANK_GLOBAL = 8	   /* is known to other files */
};

struct function {
	uint64_t address;
	uint64_t size;	  /* 0: not known */
	const char *name; /* not copied */
	int rank;
};

struct functions {
	struct function *function;
	size_t count, room;
	uint64_t lowpc, highpc; /* what lies outside is not taken */
};

void functions_add(struct functions *functions,
		   const struct function *function);

/*
 * Sort by address, keeping one for each, and nothing but functions within a
 * function.
 */
void functions_sort(struct functions *functions);

/* Add nameless ones behind functions that end long before the next begins. */
void functions_add_gaps(struct functions *functions);

#endif
