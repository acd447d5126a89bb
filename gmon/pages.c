/* SPDX-License-Identifier: 0BSD */
/* Pages from the kernel, and what becomes of them in a forked child. */
#include "gmon/pages.h"
#include "gmon/kernel.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

static bool counts_inherited;

void pages_inherit_counts(void)
{
	counts_inherited = true;
}

void *pages_map(size_t size, enum pages_in_child in_child)
{
	void *start = kernel_map(size, MAP_PRIVATE | MAP_ANONYMOUS, -1);

	if (start && (in_child == PAGES_FORGOTTEN ||
		      (in_child == PAGES_COUNTS && !counts_inherited)))
		kernel(SYS_madvise, start, size, MADV_WIPEONFORK);
	return start;
}

void pages_clear(void *start, size_t size)
{
	/* refused to locked pages, and by sandboxes */
	if (kernel(SYS_madvise, start, size, MADV_DONTNEED) < 0)
		memset(start, 0, size);
}

void pages_unmap(void *start, size_t size)
{
	kernel(SYS_munmap, start, size);
}
