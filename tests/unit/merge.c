/* SPDX-License-Identifier: 0BSD */
/*
 * Merging: whatever memory there is, the totals are those of a list that was
 * kept beside the tables.
 */
#include "gmon/merge.h"
#include "mcount/shared.h"
#include "tests/harness.h"
#include "tests/suites.h"
#include "tests/unit/chain.h"
#include "tests/unit/tools.h"

#include <stdlib.h>

struct told {
	struct arc arc;
	uint64_t count;
};

struct list {
	struct told *told;
	size_t size, room;
};

static void list_add(void *context, const struct arc *arc, uint64_t count)
{
	struct list *list = context;

	if (list->size == list->room) {
		list->room = list->room * 2 + 64;
		list->told = realloc(list->told,
				     list->room * sizeof *list->told);
	}
	list->told[list->size++] = (struct told){*arc, count};
}

static int by_arc(const void *left, const void *right)
{
	const struct arc *a = left, *b = right;

	if (a->frompc != b->frompc)
		return a->frompc < b->frompc ? -1 : 1;
	return (a->selfpc > b->selfpc) - (a->selfpc < b->selfpc);
}

/* In order, with equal arcs added up; returns how many were equal. */
static size_t list_sum(struct list *list)
{
	size_t kept = 0, all = list->size;

	qsort(list->told, list->size, sizeof *list->told, by_arc);
	for (size_t i = 0; i < list->size; i++)
		if (kept && !by_arc(&list->told[kept - 1], &list->told[i]))
			list->told[kept - 1].count += list->told[i].count;
		else
			list->told[kept++] = list->told[i];
	list->size = kept;
	return all - kept;
}

static void assert_equal(const struct list *list, const struct list *expected)
{
	ck_assert_uint_eq(list->size, expected->size);
	for (size_t i = 0; i < list->size; i++) {
		ck_assert_uint_eq(list->told[i].arc.frompc,
				  expected->told[i].arc.frompc);
		ck_assert_uint_eq(list->told[i].arc.selfpc,
				  expected->told[i].arc.selfpc);
		ck_assert_uint_eq(list->told[i].count,
				  expected->told[i].count);
	}
}

static struct threads threads;

/* A thread that owns a chain. */
static struct thread_table *add_thread(struct arc_table *arcs)
{
	struct thread_table *table = calloc(1, sizeof *table);

	table->arcs = arcs;
	table->next = threads.newest;
	threads.newest = table;
	return table;
}

static struct list merged(size_t size)
{
	void *memory = size ? calloc(1, size) : NULL;
	struct list list = {0};

	merge_arcs(&threads, memory, size, list_add, &list);
	free(memory);
	return list;
}

static const struct {
	size_t size;
	bool adds_up; /* each arc is told once */
} memories[] = {
	{64, false}, {0, false}, {16384, true}, {65536, true},
	{1 << 20, true}, {MERGE_MEMORY_MAX, true},
};
enum { MEMORY_COUNT = sizeof memories / sizeof *memories };

/* The same arcs in several threads, in several generations, and shared. */
static void make_threads(struct list *expected)
{
	uint64_t seed = 3;

	shared_clear();
	for (int t = 0; t < 5; t++) {
		struct chain chain;

		chain_open(&chain, 128);
		for (int i = 0; i < 4000; i++) {
			struct arc arc = {
				0x401000 + random_below(&seed, 300) * 3,
				0x401010 + random_below(&seed, 10) * 16,
			};

			chain_take(&chain, arc.frompc, arc.selfpc);
			list_add(expected, &arc, 1);
		}
		add_thread(chain.newest);
	}
	for (uintptr_t i = 0; i < 400; i++) {
		struct arc arc = {0x401000 + i % 300 * 3, 0x401010};

		ck_assert(shared_add(arc.frompc, arc.selfpc));
		list_add(expected, &arc, 1);
	}
	list_sum(expected);
}

START_TEST(any_memory)
{
	struct list expected = {0}, list;
	size_t doubled;

	make_threads(&expected);
	list = merged(memories[_i].size);
	doubled = list_sum(&list);
	if (memories[_i].adds_up)
		ck_assert_uint_eq(doubled, 0);
	assert_equal(&list, &expected);
}
END_TEST

/* An arc that stands twice in one table's log has one count. */
START_TEST(logged_twice)
{
	struct arc_table *table = chain_table(128, NULL);
	struct list list;

	shared_clear();
	*arcs_enter(table, 0x1000, 0x9000) += 7;
	table->log[table->arc_count++] = (struct arc){0x1000, 0x9000};
	table->log[table->arc_count++] = (struct arc){0x1001, 0x9000};
	*arcs_enter(table, 0x1001, 0x9000) += 2;
	add_thread(table);
	list = merged(memories[_i].size);
	list_sum(&list);
	ck_assert_uint_eq(list.size, 2);
	ck_assert_uint_eq(list.told[0].count, 7);
	ck_assert_uint_eq(list.told[1].count, 2);
}
END_TEST

/* Abandoned places and arcs that were never taken are not told. */
START_TEST(nothing_to_tell)
{
	struct arc_table *table = chain_table(128, NULL);

	shared_clear();
	table->arc_count = 3;
	table->log[1] = (struct arc){0x1000, 0x9000};
	arcs_enter(table, 0x2000, 0x9000);
	add_thread(table);
	add_thread(chain_table(128, NULL));
	ck_assert_uint_eq(merged(memories[_i].size).size, 0);
}
END_TEST

START_TEST(saturates)
{
	struct list list;

	shared_clear();
	for (int i = 0; i < 3; i++) {
		struct arc_table *table = chain_table(128, NULL);

		*arcs_enter(table, 0x1000, 0x9000) += UINT64_MAX / 2;
		*arcs_enter(table, 0x1001, 0x9000) += UINT64_MAX / 4;
		add_thread(table);
	}
	list = merged(MERGE_MEMORY_MAX);
	ck_assert_uint_eq(list_sum(&list), 0);
	ck_assert_uint_eq(list.told[0].count, UINT64_MAX);
	ck_assert_uint_eq(list.told[1].count, UINT64_MAX / 4 * 3);
}
END_TEST

/* After a reset only what was taken since is told. */
START_TEST(after_reset)
{
	struct arc_table *table = chain_table(128, NULL);
	struct list list;

	shared_clear();
	*arcs_enter(table, 0x1000, 0x9000) += 7;
	*arcs_enter(table, 0x1001, 0x9000) += 7;
	table->before = calloc(1, arcs_reset_size(table));
	arcs_reset(table);
	*arcs_enter(table, 0x1001, 0x9000) += 2;
	add_thread(table);
	list = merged(memories[_i].size);
	ck_assert_uint_eq(list.size, 1);
	ck_assert_uint_eq(list.told[0].arc.frompc, 0x1001);
	ck_assert_uint_eq(list.told[0].count, 2);
}
END_TEST

Suite *unit_merge_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_merge", &tcase);

	/* not with room for two: that takes a pass for each arc */
	tcase_add_loop_test(tcase, any_memory, 1, MEMORY_COUNT);
	tcase_add_loop_test(tcase, logged_twice, 0, MEMORY_COUNT);
	tcase_add_loop_test(tcase, nothing_to_tell, 0, MEMORY_COUNT);
	tcase_add_test(tcase, saturates);
	tcase_add_loop_test(tcase, after_reset, 0, MEMORY_COUNT);
	return suite;
}
