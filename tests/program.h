/* SPDX-License-Identifier: 0BSD */
/*
 * Programs of tests/programs: built in a link mode, run in an empty folder.
 * A program is built once per run for each set of flags and mode.
 */
#ifndef TESTS_PROGRAM_H
#define TESTS_PROGRAM_H

#include "tests/harness.h"

/* One way in which a user puts the runtime into a program. */
struct mode {
	const char *name;
	const char *object; /* of ours, that must have been built */
	const char *before; /* words before the source, %s being BUILD */
	const char *after;  /* words behind it */
};

extern const struct mode modes[];
extern const int mode_count;

/* Well-known places of the table. */
extern const struct mode *const mode_alone; /* gcrt0.o, default PIE */
extern const struct mode *const mode_alone_static;
extern const struct mode *const mode_found; /* -B, default PIE */
extern const struct mode *const mode_found_static;

/*
 * False, with a skip reported, if the toolchain cannot link this way even
 * without us.
 */
bool mode_is_there(const struct mode *mode);

/* Whether CC is musl's wrapper. */
bool program_is_for_musl(void);

/*
 * Whether programs run under "valgrind", by RUN, or with "-fsanitize", in CC;
 * if there is a reason, it says that this is why it is not tested.
 */
bool program_is_checked(const char *checker, const char *reason);

/* The same of a program that this C library has no means for. */
bool program_is_there(const char *source);

/*
 * musl's wrapper takes its own start object, whatever -B says: the archive
 * behind the program is what its users have instead.  Else empty.
 */
const char *program_archive(void);

/*
 * Build tests/programs/SOURCE (.c, .cc; other names are paths) with -pg and
 * the flags.  Fails the test, with the compiler's words, if that fails.
 */
char *program_build(const struct mode *mode, const char *source,
		    const char *flags);

/* Run it under $(RUN) with its arguments, none being "". */
struct outcome program_run(const char *directory, const char *program,
			   const char *arguments);

/* As program_run, in a new folder; fails unless it exits with 0. */
struct outcome program_run_well(const char *program, const char *arguments);

#endif
