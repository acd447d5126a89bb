/* SPDX-License-Identifier: 0BSD */
/* The ways in which a process ends, and what is due after each. */
#ifndef TESTS_ENDS_TABLE_H
#define TESTS_ENDS_TABLE_H

enum { NO_FILE = -1, AT_LEAST_PRINTED = -2 };

struct end {
	const char *program; /* of tests/programs */
	const char *way;     /* its first argument */
	const char *options; /* GMON_OPTIONS */
	int status;	     /* exit status, or minus the signal */
	long calls;	     /* of work() in the file */
	const char *text;    /* for the reader of the table */
	const char *setup;   /* words of the shell before, or null */
	const char *file;    /* gmon.out if null */
	enum { EVERYWHERE, DYNAMIC, CXX, NOT_MUSL, NOT_SANITIZED } where;
	const char *why; /* not everywhere */
};

extern const struct end ends_table[];
extern const int ends_count;

#endif
