/* SPDX-License-Identifier: 0BSD */
/* Other programs, run to their end. */
#ifndef GMON_TOOL_RUN_H
#define GMON_TOOL_RUN_H

#include "gmon/tool/problem.h"

/*
 * Run a program, found in PATH, with these files as standard input and output
 * (-1: ours).  Returns its exit status; -1, with the problem worded, if it did
 * not run or a signal ended it.
 */
int run_program(char *const *argv, int input, int output,
		struct problem *problem);

/*
 * The same, but copy what it prints: gprof does not look whether it could be
 * written.  -1 also if it could not.
 */
int run_copied(char *const *argv, struct problem *problem);

#endif
