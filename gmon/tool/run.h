/* SPDX-License-Identifier: 0BSD */
/* Other programs, run to their end. */
#ifndef GMON_TOOL_RUN_H
#define GMON_TOOL_RUN_H

#include "gmon/tool/problem.h"

/*
 * Run a program, found in PATH, with these files as standard input and output
 * (-1: ours).  Returns its exit status; -1, with the problem worded, if it did
 * not run or a signal ended it; 0 also if who read its output had enough.
 */
int run_program(char *const *argv, int input, int output,
		struct problem *problem);

#endif
