/* SPDX-License-Identifier: 0BSD */
/*
 * The truth of a program, as its first comment states it (in a language
 * without such comments: its lines before the first empty one), and as the program
 * itself prints it where only it can know:
 *
 *      calls FUNCTION NUMBER
 *      arc CALLER CALLEE NUMBER
 *      each PREFIX COUNT NUMBER           so many functions, called so often
 *      each_arc PREFIX PREFIX COUNT NUMBER
 *
 * The caller "outside" is all functions that the comment does not name: the
 * C library's, or <external>.
 *
 * Every function that was called has to be named by `calls` or `each`: what
 * else the profile has calls of is an error.
 */
#ifndef TESTS_TRUTH_H
#define TESTS_TRUTH_H

#include "tests/profile.h"
#include "tests/program.h"

/*
 * Fail unless the profile has exactly the counts of tests/programs/SOURCE and
 * of what the program printed.
 */
void truth_check(const char *source, const char *printed,
		 const struct profile *profile, const char *where);

/* The same, but functions that are not named may have been called. */
void truth_check_stated(const char *source, const char *printed,
			const struct profile *profile, const char *where);

/*
 * Build a program with flags in a mode, run it, and check its counts.  Skips
 * the mode if it is not there.
 */
void truth_holds(const struct mode *mode, const char *source,
		 const char *flags);

#endif
