/* SPDX-License-Identifier: 0BSD */
/* An image: the main program or a shared library, and where its text lies. */
#ifndef GCRT_IMAGES_H
#define GCRT_IMAGES_H

#include <stdbool.h>
#include <stdint.h>

struct image {
	uintptr_t lowpc;  /* text range, link-time: its executable segments */
	uintptr_t highpc; /* one past */
	uintptr_t bias;	  /* load bias: run-time minus link-time address */
};

/*
 * Describe the main program by what the kernel told it of itself (AT_PHDR).
 * False if that shows no text.  Called from: start.
 */
bool images_main(struct image *image);

/* Whether a run-time address is in the image's text. */
static inline bool image_holds(const struct image *image, uintptr_t pc)
{
	uintptr_t address = pc - image->bias;

	return address >= image->lowpc && address < image->highpc;
}

#endif
