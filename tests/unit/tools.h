/* SPDX-License-Identifier: 0BSD */
/*
 * What the unit suites share: random numbers that are the same in every run,
 * text with nothing behind it, a sink into memory, what was said on stderr,
 * which signals are blocked, and notes of what fakes were asked for.
 */
#ifndef GCRT_TESTS_UNIT_TOOLS_H
#define GCRT_TESTS_UNIT_TOOLS_H

#include "gmon/sink.h"

#include <check.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The next of a sequence that `*seed` begins and carries on. */
uint64_t random_next(uint64_t *seed);

/* A number in [0, limit). */
size_t random_below(uint64_t *seed, size_t limit);

/*
 * A copy of the string whose NUL is the last byte before a page that cannot
 * be read: whoever looks behind it dies.
 */
char *text_at_edge(const char *string);

/* Everything that was put into a sink, in order. */
struct memory_sink {
	struct sink sink;
	unsigned char *bytes;
	size_t size, room;
};

void memory_sink_open(struct memory_sink *memory);

/*
 * From saying_begin on, descriptor 2 is a file of the test's own, which warn()
 * knows as stderr; said() is what has been written to it since.
 */
void saying_begin(void);
const char *said(void);

/* How many lines have been said, and none of them without its prefix. */
int lines_said(void);

/*
 * Fakes note what is asked of them, with a blank between two notes; notes() is
 * all that was noted since it was called last.  A child forked after the first
 * use of either writes to its parent's notes.
 */
__attribute__((format(printf, 1, 2))) void note(const char *format, ...);
const char *notes(void);

/* Whether this thread has blocked the signal, or all of them. */
bool signal_is_blocked(int signal);
bool signals_are_blocked(void);

/* Make an empty folder the current directory. */
void directory_enter(void);

/*
 * As root, give the current directory to a user who has no power over files,
 * and become that user.
 */
void become_nobody(void);

#endif
