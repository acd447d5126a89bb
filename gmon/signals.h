/* SPDX-License-Identifier: 0BSD */
/* Signals by name, as options spell them. */
#ifndef GCRT_SIGNALS_H
#define GCRT_SIGNALS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * "URG", "SIGURG", "RTMIN+3", "RTMAX-2" or a number.  False for everything
 * else, and for signals that cannot be caught or that the C library keeps for
 * itself.
 */
bool signals_parse(const char *text, size_t size, int *signal);

#endif
