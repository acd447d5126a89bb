/* SPDX-License-Identifier: 0BSD */
/*
 * Pages from the kernel: the runtime's only memory.  Nothing of malloc is
 * used, so a call may come from a signal handler that interrupted malloc.
 */
#ifndef GCRT_PAGES_H
#define GCRT_PAGES_H

#include <stddef.h>

enum pages_in_child {
	PAGES_KEPT,	 /* a forked child has a copy */
	PAGES_FORGOTTEN, /* a forked child finds zeroes (MADV_WIPEONFORK) */
	PAGES_COUNTS	 /* forgotten, but for pages_inherit_counts() */
};

/* fork=inherit: PAGES_COUNTS are kept from here on.  Called from: start. */
void pages_inherit_counts(void);

/*
 * At least `size` bytes of zeroed memory at a page boundary, or a null
 * pointer when the kernel refuses.  Forgetting is a wish: where the
 * kernel does not know it (before Linux 4.14, qemu-user) the child has a copy.
 * Called from: any thread, signal handler.
 */
void *pages_map(size_t size, enum pages_in_child in_child);

/* Let pages that pages_map gave be zeroed again. */
void pages_clear(void *start, size_t size);

/* Give back what pages_map gave, with the same size. */
void pages_unmap(void *start, size_t size);

#endif
