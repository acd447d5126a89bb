/* SPDX-License-Identifier: 0BSD */
/*
 * One line to the user: "gcrt: " and what happened, to what, and what was
 * done about it.  No stdio, no malloc, no lock; errno is kept.
 */
#ifndef GCRT_WARN_H
#define GCRT_WARN_H

#include <stdint.h>

/*
 * Write "gcrt: FORMAT\n" to stderr in a single write.  Known conversions:
 * %s string, %u uint64_t, %d int, %t uint64_t of milliseconds as seconds with
 * two decimals, %e int errno as text.  A line is cut at 512 bytes; bytes of a
 * string that are not printable ASCII appear as '?'.
 * Called from: any thread, signal handler.
 */
void warn(const char *format, ...);

/*
 * Remember which file stderr is, once, at start.  From then on warn() writes
 * only while descriptor 2 is still that file: a daemon that closes it may get
 * number 2 for a file of its own, which must never receive our line.
 */
void warn_start(void);

#endif
