/* SPDX-License-Identifier: 0BSD */
/*
 * What may be overwritten: a regular file of ours under its only name.
 * Called from: the writer, start.
 */
#ifndef GCRT_OWNED_H
#define GCRT_OWNED_H

#include <stdbool.h>
#include <sys/stat.h>

/* Whether a file is such a one; *what says what it is instead. */
bool owned_file(const struct stat *status, const char **what);

/*
 * Open such a file for writing, as it is: a descriptor or a negative errno.
 * Only in a directory where nobody but us and root can change names: elsewhere
 * a second name of another file of ours can come and go, whatever is asked of
 * the file before and after.  `at` is as for openat().
 */
int owned_open(int at, const char *name);

#endif
