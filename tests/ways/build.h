/* SPDX-License-Identifier: 0BSD */
/* A cell of the matrix becomes a program, and the program a profile. */
#ifndef TESTS_BUILD_H
#define TESTS_BUILD_H

#include "tests/harness.h"
#include "tests/ways/cells.h"

/* A cell, built and run in a folder of its own, as ./program. */
struct trial {
	struct outcome build, run;
};

struct trial cell_try(const struct cell *cell);

/*
 * Why the toolchain cannot do this without us: the first line of its
 * complaint; null if it can.
 */
const char *cell_complaint(const struct cell *cell);

/* The program's source in tests/programs. */
const char *cell_source(const struct cell *cell);

#endif
