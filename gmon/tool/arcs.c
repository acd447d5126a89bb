/* SPDX-License-Identifier: 0BSD */
/* The arcs of a profile. */
#include "gmon/tool/arcs.h"
#include "gmon/tool/hash.h"

#include <stdbool.h>

static bool is_same(const struct arc *one, const struct arc *other)
{
	return one->frompc == other->frompc && one->selfpc == other->selfpc;
}

static size_t place_of(const struct arcs *arcs, const struct arc *arc)
{
	size_t mask = arcs->index_size - 1;
	size_t place = hash_mix(hash_mix(arc->frompc) + arc->selfpc) & mask;

	while (arcs->index[place] &&
	       !is_same(&arcs->arc[arcs->index[place] - 1], arc))
		place = (place + 1) & mask;
	return place;
}

static void grow_index(struct arcs *arcs)
{
	if (2 * (arcs->count + 1) <= arcs->index_size)
		return;
	arcs->index = hash_index(arcs->index, arcs->count, &arcs->index_size);
	for (size_t i = 0; i < arcs->count; i++)
		arcs->index[place_of(arcs, &arcs->arc[i])] = (uint32_t)i + 1;
}

/* Runs of one program tell their arcs in much the same order: most of the
   time the one that followed last time follows again. */
static bool follows(struct arcs *arcs, const struct arc *arc)
{
	size_t next = arcs->last + 1 < arcs->count ? arcs->last + 1 : 0;

	if (!arcs->count || !is_same(&arcs->arc[next], arc))
		return false;
	arcs->last = next;
	return true;
}

static void look_up(struct arcs *arcs, const struct arc *arc)
{
	size_t place;

	grow_index(arcs);
	place = place_of(arcs, arc);
	if (!arcs->index[place]) {
		arcs->arc = memory_grown(arcs->arc, arcs->count, &arcs->room,
					 sizeof *arc);
		arcs->arc[arcs->count] =
			(struct arc){arc->frompc, arc->selfpc, 0};
		arcs->index[place] = (uint32_t)++arcs->count;
	}
	arcs->last = arcs->index[place] - 1;
}

void arcs_add(struct arcs *arcs, const struct arc *arc)
{
	uint64_t *count;

	if (!follows(arcs, arc))
		look_up(arcs, arc);
	count = &arcs->arc[arcs->last].count;
	if (__builtin_add_overflow(*count, arc->count, count))
		*count = UINT64_MAX;
}

static int by_address(const void *one, const void *other)
{
	const struct arc *a = one, *b = other;

	if (a->frompc != b->frompc)
		return a->frompc < b->frompc ? -1 : 1;
	return (a->selfpc > b->selfpc) - (a->selfpc < b->selfpc);
}

void arcs_finish(struct arcs *arcs)
{
	memory_sort(arcs->arc, arcs->count, sizeof *arcs->arc, by_address);
}

void arcs_free(struct arcs *arcs)
{
	free(arcs->arc);
	free(arcs->index);
	*arcs = (struct arcs){.count = 0};
}
