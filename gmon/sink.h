/* SPDX-License-Identifier: 0BSD */
/*
 * Where bytes go: a file (output.c), or memory in a test.  A sink that has
 * failed swallows the rest; who opened it asks once, at the end.
 */
#ifndef GCRT_SINK_H
#define GCRT_SINK_H

#include <stddef.h>

struct sink {
	void (*put)(struct sink *sink, const void *bytes, size_t size);
};

static inline void sink_put(struct sink *sink, const void *bytes, size_t size)
{
	sink->put(sink, bytes, size);
}

#endif
