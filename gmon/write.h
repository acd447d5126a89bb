/* SPDX-License-Identifier: 0BSD */
/* A profile becomes the records of a gmon.out, in a sink. */
#ifndef GCRT_WRITE_H
#define GCRT_WRITE_H

#include "gmon/images.h"
#include "gmon/sink.h"
#include "profil/histogram.h"

#include <stdint.h>

/* The file's header. */
void write_header(struct sink *sink);

/*
 * The ticks in the image's text as histogram records at link-time addresses.
 * Text up to 4 MiB is one record; of bigger text only the 16 KiB chunks that
 * were hit, which lie on a fixed grid, so that files of several runs add up.
 * There is always one record.  Bins above 65535 go on in repeated records.
 * Returns the ticks written.
 */
uint64_t write_histogram(struct sink *sink, const struct image *image,
			 const struct histogram *histogram, uint32_t rate);

/*
 * The same for a library, at its addresses in the file: the chunks that were
 * hit, which may be none.  Counts that were set aside are at file addresses
 * already: give them with an image whose bias is its base.
 */
uint64_t write_chunks(struct sink *sink, const struct image *image,
		      const struct histogram *histogram, uint32_t rate);

/*
 * A line of the table of images: it travels in arcs whose addresses no code
 * can have (selfpc 1, frompc the number of bytes, count the bytes), which
 * gprof passes over.
 */
void write_image(struct sink *sink, const struct image *image);

/* An arc at the addresses given; counts above 2^32-1 go on in more records. */
void write_arc(struct sink *sink, uintptr_t frompc, uintptr_t selfpc,
	       uint64_t count);

#endif
