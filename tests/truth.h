/* SPDX-License-Identifier: 0BSD */
/*
 * The truth of a program, as its first comment states it:
 *
 *      calls FUNCTION NUMBER       one line for every function, or two
 *      arc CALLER CALLEE NUMBER    some lines
 *
 * Several lines about the same one are added up.  What the profile has calls
 * of and the comment does not name is an error, too.
 */
#ifndef TESTS_TRUTH_H
#define TESTS_TRUTH_H

#include "tests/profile.h"
#include "tests/program.h"

/* Fail unless the profile has exactly the counts of tests/programs/SOURCE. */
void truth_check(const char *source, const struct profile *profile,
		 const char *where);

/*
 * Build a program with flags in a mode, run it, and check its counts.  Skips
 * the mode if it is not there.
 */
void truth_holds(const struct mode *mode, const char *source,
		 const char *flags);

#endif
