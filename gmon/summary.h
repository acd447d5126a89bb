/* SPDX-License-Identifier: 0BSD */
/* What is said at the end: one line of sums, and what went wrong. */
#ifndef GCRT_SUMMARY_H
#define GCRT_SUMMARY_H

#include "gmon/profile.h"

/*
 * Say what was lost, where sampling failed and, with verbose=1, where calls
 * and time went.  Called from: the writer, after the last file.
 */
void summary_say(const struct profile *profile);

#endif
