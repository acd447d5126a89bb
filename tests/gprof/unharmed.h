/* SPDX-License-Identifier: 0BSD */
/* The host's own doing, which no trouble of the runtime may change. */
#ifndef TESTS_GPROF_UNHARMED_H
#define TESTS_GPROF_UNHARMED_H

#include "tests/truth.h"

/*
 * Fail unless tiny.c (or overflow.c with an argument) has said "done" and left
 * with 3, and the runtime has said so many lines; -1: any number.
 */
void unharmed_check(const struct outcome *outcome, int lines);

/* What a command is put behind to run without privileges; has a blank. */
const char *unprivileged(void);

#endif
