/* SPDX-License-Identifier: 0BSD */
/*
 * Images: the main program and the shared libraries, where each one's text
 * lies in memory, and where it is placed in the file.
 *
 * An address has three forms: run-time (what was counted), link-time
 * (run-time - bias: what the image's symbols say) and in the file (link-time +
 * base).  The main program's base is 0.  A library's base depends only on its
 * identity, so files of several runs add up.
 */
#ifndef GCRT_IMAGES_H
#define GCRT_IMAGES_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { IMAGE_ID_MAX = 32 };

struct image {
	struct image *next; /* in order of discovery */
	uintptr_t lowpc;    /* text range, link-time: its executable segments */
	uintptr_t highpc;   /* one past */
	uintptr_t bias;	    /* load bias: run-time minus link-time address */
	uintptr_t base;	    /* canonical base: in the file minus link-time */
	bool is_gone;	    /* unloaded; its counts have been set aside */
	bool is_seen;	    /* met in the walk that is going on */
	bool is_contested;  /* unloaded, and another has its addresses already */
	bool is_left_out;   /* its place in the file was taken */
	struct image *original; /* whose copy it is, at the same place; or null */
	bool is_used;	    /* it has ticks or calls in the file */
	uint8_t id_size;    /* build-id, or none */
	uint8_t id[IMAGE_ID_MAX];
	const char *name; /* as the loader has it; "" for the program */
	const char *path; /* absolute, if it can be had */
};

/* All images ever seen; newest load last.  The first is the main program. */
struct images {
	struct image *first;
	const char *directory; /* current at start, for relative paths */
	unsigned long long unloads; /* the loader's count of them, and */
	unsigned long long unloads_seen; /* what it was after dlclose() */
};

/*
 * Describe the main program by what the kernel told it of itself (AT_PHDR).
 * False if that shows no text.  Called from: start.
 */
bool images_main(struct image *image);

/* Its path and build-id, only for images=all.  Called from: start. */
void images_name_main(struct image *image);

/*
 * Ask the loader which images there are now: those that are no longer there
 * are handed to `gone` (may be null) before they are marked, and new ones are
 * added.  Meanwhile no library appears: the loader's lock is held, without
 * which it lets nobody call a new one.  False if there was no memory for one.
 * Called from: any thread outside signal handlers, one at a time.
 */
bool images_refresh(struct images *images,
		    void (*gone)(void *context, const struct image *image),
		    void *context);

/*
 * The same without the loader's lock, from its list for debuggers; nothing is
 * done if the loader is at work.  Finds no unloads.  Called from: signal
 * handler.
 */
void images_refresh_unlocked(struct images *images);

/* The library with that load bias, or null. */
struct image *images_at(const struct images *images, uintptr_t bias);

/* The image whose text holds a run-time address, or null. */
struct image *images_find(const struct images *images, uintptr_t pc);

/* Whether a run-time address is in the image's text. */
static inline bool image_holds(const struct image *image, uintptr_t pc)
{
	uintptr_t address = pc - image->bias;

	return address >= image->lowpc && address < image->highpc;
}

#endif
