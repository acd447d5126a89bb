/* SPDX-License-Identifier: 0BSD */
/*
 * open=start: the file is opened before the program changes its root, its
 * user or its mind, and held until it is written.
 */
#ifndef GCRT_HELD_H
#define GCRT_HELD_H

#include <stddef.h>

/*
 * Open `name`, a regular file of ours or a new one, out of the program's way:
 * on a high descriptor that exec closes.  0 or a negative errno.
 * Called from: start.
 */
int held_open(const char *name);

/* Let it go: it is the parent's.  Called from: a forked child. */
void held_close(void);

/*
 * A descriptor of the file, emptied; -EBADF if none is held, -ESTALE if the
 * program has closed it.  It is a new one, which some file systems tell of
 * late errors as it is closed, unless the program has used up all there are.
 */
int held_take(void);

/* What close() says of what held_take() gave: 0 or a negative errno. */
int held_give_back(int file);

#endif
