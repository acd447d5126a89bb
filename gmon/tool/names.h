/* SPDX-License-Identifier: 0BSD */
/* The names of C++ and other languages as their sources have them. */
#ifndef GMON_TOOL_NAMES_H
#define GMON_TOOL_NAMES_H

#include <stddef.h>

/*
 * Replace mangled names, which were allocated, by readable ones; as c++filt
 * of binutils has them, which is gprof's way, too.  Without it they stay.
 */
void names_demangle(char **names, size_t count);

/*
 * A copy of a name; of one longer than `most`, without what is in its
 * brackets: f<...>(...).
 */
char *name_brief(const char *name, size_t most);

#endif
