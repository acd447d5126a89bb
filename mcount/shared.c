/* SPDX-License-Identifier: 0BSD */
/* The shared arc table: one list, searched from a hashed place on. */
#include "mcount/shared.h"

/*
 * A C library's resolvers and constructors make a few dozen arcs; a program
 * that may not map a single page still has its first thousand.
 */
enum { PLACE_COUNT = 1024 };

static struct place {
	_Atomic uintptr_t frompc; /* 0: free; else whose the place is */
	_Atomic uintptr_t selfpc; /* 0: being taken, or abandoned there */
	_Atomic uint64_t count;
} places[PLACE_COUNT];

/* True if the place is the arc's, which may have become so just now. */
static bool place_is(struct place *place, uintptr_t frompc, uintptr_t selfpc)
{
	uintptr_t there = 0;

	if (atomic_compare_exchange_strong(&place->frompc, &there, frompc)) {
		atomic_store(&place->selfpc, selfpc);
		return true;
	}
	return there == frompc && atomic_load(&place->selfpc) == selfpc;
}

bool shared_add(uintptr_t frompc, uintptr_t selfpc)
{
	uint32_t first = (uint32_t)(arcs_hash(arcs_key(frompc, selfpc)) >> 4);

	if (!frompc) /* would look free; 1 is in no image either */
		frompc = 1;
	for (uint32_t i = 0; i < PLACE_COUNT; i++) {
		struct place *place = &places[(first + i) % PLACE_COUNT];

		if (place_is(place, frompc, selfpc)) {
			atomic_fetch_add(&place->count, 1);
			return true;
		}
	}
	return false;
}

uint32_t shared_count(void)
{
	return PLACE_COUNT;
}

uint64_t shared_read(uint32_t place, struct arc *arc)
{
	arc->selfpc = atomic_load(&places[place].selfpc);
	arc->frompc = atomic_load(&places[place].frompc);
	return arc->selfpc ? atomic_load(&places[place].count) : 0;
}

bool shared_is_used(void)
{
	for (uint32_t i = 0; i < PLACE_COUNT; i++)
		if (atomic_load(&places[i].count))
			return true;
	return false;
}

void shared_reset(void)
{
	for (uint32_t i = 0; i < PLACE_COUNT; i++)
		atomic_store(&places[i].count, 0);
}

void shared_clear(void)
{
	for (uint32_t i = 0; i < PLACE_COUNT; i++) {
		atomic_store(&places[i].count, 0);
		atomic_store(&places[i].selfpc, 0);
		atomic_store(&places[i].frompc, 0);
	}
}
