/* SPDX-License-Identifier: 0BSD */
/*
 * All suites, in the order in which they run.  Each line SUITE(name) stands
 * for `Suite *name_suite(void)`, defined in a file of the group's folder.
 */
#ifndef TESTS_SUITES_H
#define TESTS_SUITES_H

#include <check.h>

/* tests/unit: C files of the runtime, alone */
#define UNIT_SUITES(SUITE)

/* tests/gprof: programs, judged by stock gprof */
#define GPROF_SUITES(SUITE) \
	SUITE(counts)

/* tests/shape: the objects and the sources themselves */
#define SHAPE_SUITES(SUITE)

#define ALL_SUITES(SUITE) \
	UNIT_SUITES(SUITE) \
	GPROF_SUITES(SUITE) \
	SHAPE_SUITES(SUITE)

#define SUITE_DECLARE(name) Suite *name##_suite(void);
ALL_SUITES(SUITE_DECLARE)
#undef SUITE_DECLARE

#endif
