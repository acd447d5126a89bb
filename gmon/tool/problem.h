/* SPDX-License-Identifier: 0BSD */
/*
 * What went wrong, as one line for the user.  Whoever finds a problem words
 * it, with the file's name and the offset in it; only a verb prints it.
 */
#ifndef GMON_TOOL_PROBLEM_H
#define GMON_TOOL_PROBLEM_H

#include <stdbool.h>
#include <stdint.h>

struct problem {
	char text[1024];
	uint64_t offset; /* of the record it is in, if it is one of a file */
};

/*
 * Word the problem as printf does.  Always false, so that a function can end
 * with `return problem_set(...)`.
 */
bool problem_set(struct problem *problem, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* "gmon: " and a line on stderr. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The exit status of all verbs. */
enum { EXIT_DONE = 0, EXIT_TROUBLE = 1, EXIT_USAGE = 2 };

/* The same as say(), and EXIT_TROUBLE. */
int say_trouble(const struct problem *problem);

#endif
