/* SPDX-License-Identifier: 0BSD */
/*
 * gcrt, installed: what `make install` makes of this build and, where musl's
 * compiler is, of one for musl.
 */
#ifndef TESTS_PREFIX_H
#define TESTS_PREFIX_H

#include <stdbool.h>

/* The folder; made once per run. */
const char *prefix_path(void);

/* DIR and LIB of a machine: where its start objects and its library are. */
char *prefix_objects(bool musl);
char *prefix_library(bool musl);

/* False, with a skip reported, if this machine cannot build and run so. */
bool prefix_has_glibc(void);
bool prefix_has_musl(void);

/* `make TARGET` of this build, in a shell command: "... DESTDIR=x". */
__attribute__((format(printf, 1, 2))) char *make_command(const char *words,
							 ...);

/* The same of a build for musl, which lies within this one. */
char *make_musl_command(const char *words);

#endif
