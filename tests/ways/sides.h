/* SPDX-License-Identifier: 0BSD */
/*
 * Programs on both C libraries, dynamic and static, linked by the installed
 * gcrt-cc.
 */
#ifndef TESTS_SIDES_H
#define TESTS_SIDES_H

#include <stdbool.h>

enum { SIDE_COUNT = 4 };

struct side {
	const char *name;
	bool musl, is_static;
};
extern const struct side sides[SIDE_COUNT];

/* False, with a skip reported, if it is not there. */
bool side_is_here(const struct side *side);

/*
 * Build tests/programs/SOURCE once per run; with -pg and the runtime, or, if
 * `plain`, without both.
 */
char *side_build(const struct side *side, const char *source, bool plain);

/* Build a library for dlopen(), without -pg. */
char *side_build_plugin(const struct side *side, const char *source);

#endif
