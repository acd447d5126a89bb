/* SPDX-License-Identifier: 0BSD */
/*
 * The file: a sink whose bytes appear under a name all at once or not at all.
 * System calls only, no memory but its own, one file at a time.
 * Called from: the writer, with all signals blocked.
 */
#ifndef GCRT_OUTPUT_H
#define GCRT_OUTPUT_H

#include "gmon/sink.h"

#include <stdbool.h>

/*
 * Remember the current directory, for relative names that cannot be had in
 * the one current at exit.  Returns it, or null.  Called from: start.
 */
const char *output_start(void);

/*
 * Begin to write the file `name`, beside it under a temporary name.  A
 * relative name is resolved in the current directory; if that fails, in the
 * one current at start.  Null if nothing is to be written (/dev/null) or
 * nothing can be, which has then been said in a line: a target that is a
 * link, a device, a FIFO, or another user's file is neither opened nor
 * replaced.
 */
struct sink *output_open(const char *name);

/*
 * Give the file its name.  False if that or a write failed, which has been
 * said in a line; an old file of that name is then as it was.
 */
bool output_close(void);

/* The path of the file last closed; relative to the current directory. */
const char *output_path(void);

#endif
