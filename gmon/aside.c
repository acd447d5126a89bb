/* SPDX-License-Identifier: 0BSD */
/* Counts set aside when a library is unloaded. */
#include "gmon/aside.h"
#include "gmon/pages.h"

enum { FIRST_ENTRY_COUNT = 1024 };

static bool grow(struct aside *aside)
{
	uint32_t entry_count =
		aside->arcs ? arcs_next_entry_count(
				      arcs_entry_count(aside->arcs))
			    : FIRST_ENTRY_COUNT;
	void *memory = pages_map(arcs_size(entry_count), PAGES_COUNTS);

	if (memory)
		aside->arcs = arcs_make(memory, entry_count, aside->arcs);
	return memory;
}

static bool add(struct aside *aside, uintptr_t frompc, uintptr_t selfpc,
		uint64_t count)
{
	_Atomic uint64_t *counter = NULL;

	while (!counter) {
		if (aside->arcs)
			counter = arcs_enter(aside->arcs, frompc, selfpc);
		if (!counter && !grow(aside))
			return false;
	}
	*counter += count;
	return true;
}

struct move {
	struct aside *aside;
	const struct image *image;
	aside_place *place;
	void *context;
	bool complete;
};

/* An arc that has an end in the image: its count is taken over. */
static void move_arc(struct move *move, struct arc_table *arcs,
		     const struct arc *arc)
{
	uintptr_t frompc, selfpc;
	uint64_t count;

	if (!image_holds(move->image, arc->selfpc) &&
	    !image_holds(move->image, arc->frompc - 1))
		return;
	count = arcs_take(arcs, arc->frompc, arc->selfpc);
	if (!count)
		return;
	frompc = move->place(move->context, arc->frompc - 1, false);
	selfpc = move->place(move->context, arc->selfpc, true);
	if (!selfpc)
		move->aside->outside += count;
	else if (!add(move->aside, frompc, selfpc, count))
		move->complete = false;
}

static void move_arcs(struct move *move, struct arc_table *arcs)
{
	for (; arcs; arcs = arcs->older) {
		uint32_t count = arcs_logged(arcs);

		if (!arcs->before)
			arcs->before = pages_map(arcs_reset_size(arcs),
						 PAGES_COUNTS);
		if (!arcs->before) {
			move->complete = false;
			continue;
		}
		for (uint32_t i = 0; i < count; i++)
			if (arcs->log[i].selfpc)
				move_arc(move, arcs, &arcs->log[i]);
	}
}

static void move_ticks(struct move *move, struct histogram *histogram)
{
	const struct image *image = move->image;
	uintptr_t page = (image->lowpc + image->bias) & ~(LEAF_SIZE - 1);
	uintptr_t end = image->highpc + image->bias;

	while (histogram_next(histogram, page, &page) && page < end) {
		_Atomic uint64_t *bin = histogram_leaf(histogram, page);

		for (size_t i = 0; i < LEAF_BIN_COUNT; i++) {
			uint64_t count = atomic_exchange(&bin[i], 0);
			uintptr_t pc = page + i * PC_BIN_SIZE - image->bias;

			if (count && !image->is_left_out &&
			    !histogram_add(&move->aside->histogram,
					   pc + image->base, count))
				move->complete = false;
		}
		page += LEAF_SIZE;
	}
}

bool aside_set(struct aside *aside, struct threads *threads,
	       struct histogram *histogram, const struct image *image,
	       aside_place *place, void *context)
{
	struct move move = {aside, image, place, context, true};
	struct thread_table *table = threads->newest;

	for (; table; table = table->next)
		if (!image->is_contested || table->unloads)
			move_arcs(&move, table->arcs);
	if (!image->is_contested)
		move_ticks(&move, histogram);
	return move.complete;
}

void aside_reset(struct aside *aside)
{
	struct arc_table *arcs = aside->arcs;

	for (; arcs; arcs = arcs->older)
		for (uint32_t i = 0; i < arcs_logged(arcs); i++)
			arcs_zero(arcs, arcs->log[i].frompc,
				  arcs->log[i].selfpc);
	aside->outside = 0;
	histogram_reset(&aside->histogram);
}
