/* SPDX-License-Identifier: 0BSD */
/* What the file is called: PROFDIR, file=, GMON_OUT_PREFIX, or gmon.out. */
#ifndef GCRT_NAME_H
#define GCRT_NAME_H

#include "gmon/options.h"

#include <linux/limits.h> /* PATH_MAX; freestanding limits.h has none */
#include <stdbool.h>

/*
 * Remember the program's name: the last component of argv[0], as the BSDs
 * take it.  Called from: start.
 */
void name_start(const char *argv0);

/*
 * Put the name of the profile of process `pid` into `name`.  A forked child
 * under a name that does not tell processes apart gets ".<pid>" appended, so
 * that it never overwrites its ancestor's file.
 * Returns 0; 1 if there is to be no file; or -ENAMETOOLONG.
 * Called from: the writer.
 */
int name_make(char name[PATH_MAX], const struct options *options, int pid,
	      bool child);

/* Whether the name has the process's number in it. */
bool name_has_pid(const struct options *options);

#endif
