/* SPDX-License-Identifier: 0BSD */
/* Pages from the kernel, and what becomes of them in a forked child. */
#include "gmon/pages.h"
#include "gmon/kernel.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

/* 32-bit CPUs have mmap2, which takes the offset in pages; ours is 0. */
#ifdef SYS_mmap2
#define SYS_MAP SYS_mmap2
#else
#define SYS_MAP SYS_mmap
#endif

static bool counts_inherited;

void pages_inherit_counts(void)
{
	counts_inherited = true;
}

void *pages_map(size_t size, enum pages_in_child in_child)
{
	long start = kernel(SYS_MAP, NULL, size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (start < 0 && start > -4096)
		return NULL;
	if (in_child == PAGES_FORGOTTEN ||
	    (in_child == PAGES_COUNTS && !counts_inherited))
		kernel(SYS_madvise, start, size, MADV_WIPEONFORK);
	return (void *)start;
}

void pages_clear(void *start, size_t size)
{
	kernel(SYS_madvise, start, size, MADV_DONTNEED);
}

void pages_unmap(void *start, size_t size)
{
	kernel(SYS_munmap, start, size);
}
