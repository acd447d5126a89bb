/* SPDX-License-Identifier: 0BSD */
/* Everything counted so far becomes one file. */
#ifndef GCRT_PROFILE_H
#define GCRT_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

/* What one writing found. */
struct profile {
	bool is_written;
	uint64_t ticks;	    /* in the file */
	uint64_t arcs;	    /* in the file */
	uint64_t calls;	    /* in the file */
	uint64_t outside;   /* calls of functions outside it */
	uint64_t saturated; /* bins that format=bsd could not hold */
};

/* How much may be asked of the C library while writing. */
enum profile_context {
	PROFILE_NORMAL, /* an ordinary call */
	PROFILE_SIGNAL	/* a signal handler: the loader's lock may be ours */
};

/*
 * Write the file `path`, or the usual one if null.  Its name, the options and
 * what was counted come from the state.
 * Called from: the writer, with all signals blocked.
 */
void profile_write(const char *path, enum profile_context context,
		   struct profile *profile);

/*
 * The library with that load bias may be unloaded now; it may have been: set
 * its counts aside.  Called from: before and after dlclose, as profile_write.
 */
void profile_unloading(uintptr_t bias);
void profile_unloaded(void);

#endif
