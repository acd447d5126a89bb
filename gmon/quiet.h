/* SPDX-License-Identifier: 0BSD */
/*
 * Writing without the signals that a write can bring upon its process: SIGXFSZ
 * where a file may not grow, SIGPIPE where nobody reads.  Either would kill
 * the program for what its profiler did.
 */
#ifndef GCRT_QUIET_H
#define GCRT_QUIET_H

#include <stddef.h>

/*
 * write(2): the bytes written or a negative errno.  A signal of the program's
 * own that was waiting goes on waiting.  Called from: anywhere after start.
 */
long quiet_write(int file, const void *bytes, size_t size);

#endif
