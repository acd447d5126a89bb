/* SPDX-License-Identifier: 0BSD */
/*
 * Bins that the program owns: memory that may not be there, or not any more.
 * The kernel is asked each time; no fault is ever taken.
 *
 * This file knows no globals.
 */
#ifndef GCRT_BINS_H
#define GCRT_BINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether all of it can be written.  Changes nothing. */
bool bins_are_writable(const char *start, size_t size);

/*
 * Add to a bin of 2 or 4 bytes at any address; it stays at its highest value.
 * False if it cannot be written.  One thread at a time.
 */
bool bins_add(char *bin, size_t size, uint32_t count);

#endif
