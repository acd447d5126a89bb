/* SPDX-License-Identifier: 0BSD */
/* format=bsd: a profile as the 4.4BSD file, whose call counts are words. */
#ifndef GCRT_BSD_H
#define GCRT_BSD_H

#include "gmon/images.h"
#include "gmon/sink.h"
#include "profil/histogram.h"

#include <stdint.h>

/*
 * Header and histogram of the image's text.  The one histogram that the
 * format has holds 16-bit bins; those that would be more stay at 65535 and
 * *saturated counts them.  Returns the ticks written.
 *
 *   vma lowpc  vma highpc  u32 size of this and the bins  u32 0x00051879
 *   u32 rate  12 zero bytes  u16 bin[]
 */
uint64_t bsd_histogram(struct sink *sink, const struct image *image,
		       const struct histogram *histogram, uint32_t rate,
		       uint64_t *saturated);

/* An arc: frompc, selfpc and count, each as wide as a pointer. */
void bsd_arc(struct sink *sink, uintptr_t frompc, uintptr_t selfpc,
	     uint64_t count);

#endif
