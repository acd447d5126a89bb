/* SPDX-License-Identifier: 0BSD */
/* The histogram: the path from a pc to its bin. */
#include "profil/histogram.h"
#include "gmon/pages.h"

/*
 * The address bits above a page of code, spread over levels of equal width:
 * 52 = 4 x 13 bits or 20 = 2 x 10 bits.  A node of 2^13 pointers is 64 KiB of
 * addresses, of which only the pages that hold a pointer are ever touched.
 */
#if UINTPTR_MAX > UINT32_MAX
enum { LEVEL_COUNT = 4, LEVEL_BITS = 13 };
#else
enum { LEVEL_COUNT = 2, LEVEL_BITS = 10 };
#endif
enum { NODE_SIZE = (1 << LEVEL_BITS) * sizeof(void *) };
enum { LEAF_BYTES = LEAF_BIN_COUNT * sizeof(uint64_t) };

static unsigned shift_of(int level)
{
	return 12 + LEVEL_BITS * (unsigned)(LEVEL_COUNT - 1 - level);
}

static unsigned index_at(uintptr_t pc, int level)
{
	return pc >> shift_of(level) & ((1U << LEVEL_BITS) - 1);
}

/* What *place points to, made first if there is nothing. */
static void *node_at(_Atomic(void *) *place, size_t size)
{
	void *node = atomic_load_explicit(place, memory_order_acquire);
	void *made;

	if (node)
		return node;
	made = pages_map(size, PAGES_COUNTS);
	if (!made)
		return NULL;
	if (atomic_compare_exchange_strong_explicit(place, &node, made,
						    memory_order_acq_rel,
						    memory_order_acquire))
		return made;
	pages_unmap(made, size);
	return node;
}

bool histogram_add(struct histogram *histogram, uintptr_t pc, uint64_t weight)
{
	_Atomic(void *) *place = &histogram->root;
	_Atomic uint64_t *leaf;

	for (int level = 0; level < LEVEL_COUNT; level++) {
		_Atomic(void *) *node = node_at(place, NODE_SIZE);

		if (!node)
			return false;
		place = &node[index_at(pc, level)];
	}
	leaf = node_at(place, LEAF_BYTES);
	if (!leaf)
		return false;
	atomic_fetch_add_explicit(&leaf[pc % LEAF_SIZE / PC_BIN_SIZE], weight,
				  memory_order_relaxed);
	return true;
}

_Atomic uint64_t *histogram_leaf(const struct histogram *histogram,
				 uintptr_t pc)
{
	_Atomic(void *) *node =
		atomic_load_explicit(&histogram->root, memory_order_acquire);

	for (int level = 0; node && level < LEVEL_COUNT; level++)
		node = atomic_load_explicit(&node[index_at(pc, level)],
					    memory_order_acquire);
	return (_Atomic uint64_t *)node;
}

uint64_t histogram_bin(const struct histogram *histogram, uintptr_t pc)
{
	const _Atomic uint64_t *leaf = histogram_leaf(histogram, pc);

	return leaf ? atomic_load_explicit(&leaf[pc % LEAF_SIZE / PC_BIN_SIZE],
					   memory_order_relaxed)
		    : 0;
}

/* Where the addresses that share pc's place at this level end; 0: nowhere. */
static uintptr_t end_of(uintptr_t pc, int level)
{
	uintptr_t size = (uintptr_t)1 << shift_of(level);

	return (pc & ~(size - 1)) + size;
}

bool histogram_next(const struct histogram *histogram, uintptr_t pc,
		    uintptr_t *page)
{
	do {
		_Atomic(void *) *node = atomic_load_explicit(
			&histogram->root, memory_order_acquire);
		int level = 0;

		if (!node)
			return false;
		while (level < LEVEL_COUNT &&
		       (node = atomic_load_explicit(
				&node[index_at(pc, level)],
				memory_order_acquire)))
			level++;
		if (level == LEVEL_COUNT) {
			*page = pc & ~(LEAF_SIZE - 1);
			return true;
		}
		pc = end_of(pc, level);
	} while (pc);
	return false;
}

/*
 * Walk the pages that were hit in [lowpc, highpc): the first one at or after
 * *page, which is then passed.  highpc 0 stands for the end of all addresses.
 */
static _Atomic uint64_t *next_leaf(const struct histogram *histogram,
				   uintptr_t *page, uintptr_t highpc)
{
	uintptr_t found;

	if (!histogram_next(histogram, *page, &found) || found > highpc - 1)
		return NULL;
	*page = found + LEAF_SIZE;
	return histogram_leaf(histogram, found);
}

uint64_t histogram_sum(const struct histogram *histogram, uintptr_t lowpc,
		       uintptr_t highpc)
{
	const _Atomic uint64_t *bin;
	uint64_t sum = 0;

	while ((bin = next_leaf(histogram, &lowpc, highpc))) {
		for (size_t i = 0; i < LEAF_BIN_COUNT; i++)
			sum += atomic_load_explicit(&bin[i],
						    memory_order_relaxed);
		if (!lowpc)
			break; /* that was the last page there can be */
	}
	return sum;
}

void histogram_reset(struct histogram *histogram)
{
	uintptr_t page = 0;
	_Atomic uint64_t *bin;

	while ((bin = next_leaf(histogram, &page, 0))) {
		for (size_t i = 0; i < LEAF_BIN_COUNT; i++)
			if (atomic_load_explicit(&bin[i],
						 memory_order_relaxed))
				atomic_store_explicit(&bin[i], 0,
						      memory_order_relaxed);
		if (!page)
			break; /* that was the last page there can be */
	}
}
