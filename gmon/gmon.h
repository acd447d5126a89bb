/* SPDX-License-Identifier: 0BSD */
/*
 * gcrt: control over a program's own profile.  Nothing here needs to be
 * called: a program linked with a gcrt start object is profiled from before
 * its first constructor until after its last destructor.
 *
 * Every function may be called from any thread, any number of times, and in a
 * forked child; all but monstartup from a signal handler, too.  errno is kept
 * unless a function says that it sets it.
 */
#ifndef GMON_H
#define GMON_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/*
 * Profile [lowpc, highpc), run-time addresses, as monstartup(3) of the BSDs.
 * A range that holds the main program's text means that text; from a narrower
 * one on, files hold no calls of functions outside it and no time outside it.
 * What has been counted inside stays.  Profiling is on afterwards.
 * lowpc >= highpc is ignored with a warning.
 */
void monstartup(unsigned long lowpc, unsigned long highpc);

/*
 * Stop profiling (0) or go on (else), as moncontrol(3).  Takes effect on all
 * threads at their next call.  What was counted is kept.
 */
void moncontrol(int mode);

/*
 * Write the profile under its usual name now.  Counting goes on; the file
 * written at exit has everything.
 */
void _mcleanup(void);

/*
 * Write everything counted so far to the file `path`, or under the usual name
 * if it is null, and go on.  The file is there whole or not at all.
 * Returns 0, or -1 if nothing was written: a line on stderr says why, unless
 * another thread is just writing, or this process may not: before profiling
 * begins, in a child that shares its parent's memory (vfork), or set-user-ID.
 */
int mondump(const char *path);

/*
 * Let all counts, calls and time, start from zero.
 * Returns 0, or -1 if there was no memory, or where mondump may not write; the
 * counts are then as they were.
 */
int monreset(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
