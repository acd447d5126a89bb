/* SPDX-License-Identifier: 0BSD */
/*
 * The system calls of what is tested, on their way to the kernel: a unit that
 * is linked apart sees each of them, and may answer in the kernel's place.
 */
#ifndef GCRT_TESTS_UNIT_CALLS_H
#define GCRT_TESTS_UNIT_CALLS_H

#include <stdbool.h>

/*
 * True if *result, which may be a negative errno, is the answer.  Null at
 * first: all are the kernel's.
 */
extern bool (*calls_answer)(long number, const long *arguments, long *result);

#endif
