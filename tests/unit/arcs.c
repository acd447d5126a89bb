/* SPDX-License-Identifier: 0BSD */
/*
 * Arc tables against a model that cannot be wrong: an array of arcs, each with
 * the number of times it was taken.
 */
#include "mcount/arcs.h"
#include "tests/harness.h"
#include "tests/suites.h"
#include "tests/unit/chain.h"
#include "tests/unit/tools.h"

#include <stdlib.h>
#include <string.h>

struct expected {
	uintptr_t frompc, selfpc;
	uint64_t count;
};

static void take(struct chain *chain, struct expected *arc)
{
	chain_take(chain, arc->frompc, arc->selfpc);
	arc->count++;
}

static void assert_counts(const struct chain *chain,
			  const struct expected *arcs, size_t count)
{
	uint64_t total = 0;

	for (size_t i = 0; i < count; i++) {
		ck_assert_uint_eq(
			chain_read(chain, arcs[i].frompc, arcs[i].selfpc),
			arcs[i].count);
		total += arcs[i].count;
	}
	ck_assert_uint_eq(chain_logged_total(chain), total);
}

static struct expected *make_arcs(size_t count)
{
	struct expected *arcs = calloc(count, sizeof *arcs);

	ck_assert_ptr_nonnull(arcs);
	return arcs;
}

START_TEST(random_arcs)
{
	enum { ARC_COUNT = 5000, CALL_COUNT = 300000 };
	struct expected *arcs = make_arcs(ARC_COUNT);
	struct chain chain;
	uint64_t seed = (uint64_t)_i;

	for (size_t i = 0; i < ARC_COUNT; i++) {
		arcs[i].frompc = random_next(&seed) >> 17;
		arcs[i].selfpc = (random_next(&seed) >> 17) | 1;
	}
	chain_open(&chain, 128);
	for (size_t i = 0; i < CALL_COUNT; i++) {
		/* a few arcs are hot, most are rare, as in programs */
		size_t limit = random_below(&seed, ARC_COUNT) + 1;

		take(&chain, &arcs[random_below(&seed, limit)]);
	}
	assert_counts(&chain, arcs, ARC_COUNT);
	chain_close(&chain);
	free(arcs);
}
END_TEST

START_TEST(hundred_thousand_arcs)
{
	enum { ARC_COUNT = 100000 };
	struct expected *arcs = make_arcs(ARC_COUNT);
	struct chain chain;

	chain_open(&chain, 128);
	for (size_t i = 0; i < ARC_COUNT; i++) {
		arcs[i].frompc = 0x555555554000 + 5 * i;
		arcs[i].selfpc = 0x555555700000 + i % 977 * 32;
	}
	for (int round = 0; round < 3; round++)
		for (size_t i = 0; i < ARC_COUNT; i++)
			take(&chain, &arcs[i]);
	assert_counts(&chain, arcs, ARC_COUNT);
	ck_assert_uint_ge(chain.newest->arc_max, ARC_COUNT);
	ck_assert_int_le(chain_length(&chain), 9);
	chain_close(&chain);
	free(arcs);
}
END_TEST

/* The worst that can be asked: every arc wants the same bucket. */
START_TEST(one_bucket_for_all)
{
	enum { ARC_COUNT = 400 };
	struct expected *arcs = make_arcs(ARC_COUNT);
	struct chain chain;

	for (size_t i = 0; i < ARC_COUNT; i++) {
		uint64_t key = (uint64_t)(i + 1) << 32 | 0x1230;

		arcs[i].frompc = 0x400000 + 7 * i;
		arcs[i].selfpc = key - arcs_key(arcs[i].frompc, 0);
		ck_assert_uint_eq(arcs_hash(arcs_key(arcs[i].frompc,
						     arcs[i].selfpc)),
				  0x1230);
	}
	chain_open(&chain, 64);
	for (size_t i = 0; i < 20 * ARC_COUNT; i++)
		take(&chain, &arcs[i * 13 % ARC_COUNT]);
	assert_counts(&chain, arcs, ARC_COUNT);
	chain_close(&chain);
	free(arcs);
}
END_TEST

/* Nothing of an old table is moved: what it counted is read from there. */
START_TEST(full_table)
{
	struct arc_table *table = chain_table(64, NULL);
	uint32_t max = table->arc_max;

	for (uint32_t i = 0; i < max; i++)
		*arcs_enter(table, 0x1000 + i, 0x9000) += i;
	for (int again = 0; again < 3; again++) {
		ck_assert_ptr_null(arcs_enter(table, 0x5000, 0x9000));
		ck_assert_uint_eq(arcs_logged(table), max);
		ck_assert_uint_eq(arcs_read(table, 0x5000, 0x9000), 0);
	}
	for (uint32_t i = 0; i < max; i++) {
		ck_assert_ptr_nonnull(arcs_enter(table, 0x1000 + i, 0x9000));
		ck_assert_uint_eq(arcs_read(table, 0x1000 + i, 0x9000), i);
		ck_assert_uint_eq(table->log[i].frompc, 0x1000 + i);
		ck_assert_uint_eq(table->log[i].selfpc, 0x9000);
	}
	free(table);
}
END_TEST

/* Counters wrap nowhere near 32 bits. */
START_TEST(count_of_64_bits)
{
	struct arc_table *table = chain_table(64, NULL);

	*arcs_enter(table, 1, 2) += UINT64_C(0xfffffffffffffff0);
	*arcs_enter(table, 1, 2) += 15;
	ck_assert_uint_eq(arcs_read(table, 1, 2), UINT64_MAX);
	free(table);
}
END_TEST

/*
 * A handler that leaves the slow path by siglongjmp leaves a place in the log
 * whose arc has no entry; later the arc is logged again.
 */
START_TEST(abandoned_place)
{
	struct arc_table *table = chain_table(64, NULL);

	table->log[table->arc_count++] = (struct arc){0x1111, 0x2222};
	table->arc_count++; /* abandoned before anything was written */
	ck_assert_uint_eq(arcs_read(table, 0x1111, 0x2222), 0);
	*arcs_enter(table, 0x1111, 0x2222) += 3;
	ck_assert_uint_eq(arcs_logged(table), 3);
	ck_assert_uint_eq(table->log[1].selfpc, 0);
	ck_assert_uint_eq(arcs_read(table, 0x1111, 0x2222), 3);
	free(table);
}
END_TEST

START_TEST(reset_subtracts)
{
	struct arc_table *table = chain_table(64, NULL);

	*arcs_enter(table, 0x10, 0x20) += 5;
	*arcs_enter(table, 0x11, 0x20) += 1;
	table->before = calloc(1, arcs_reset_size(table));
	arcs_reset(table);
	ck_assert_uint_eq(arcs_read(table, 0x10, 0x20), 0);
	*arcs_enter(table, 0x10, 0x20) += 2;
	*arcs_enter(table, 0x12, 0x20) += 9;
	ck_assert_uint_eq(arcs_read(table, 0x10, 0x20), 2);
	ck_assert_uint_eq(arcs_read(table, 0x11, 0x20), 0);
	ck_assert_uint_eq(arcs_read(table, 0x12, 0x20), 9);
	arcs_reset(table);
	ck_assert_uint_eq(arcs_read(table, 0x12, 0x20), 0);
	free(table->before);
	free(table);
}
END_TEST

/* What a fork left in an empty entry is taken off once. */
START_TEST(reset_of_strays)
{
	struct arc_table *table = chain_table(64, NULL);
	_Atomic uint64_t *count = arcs_enter(table, 0x10, 0x20);
	struct arc_entry *entry =
		(void *)((char *)count - offsetof(struct arc_entry, count));

	entry->key = 0;
	entry->count = 1;
	table->before = calloc(1, arcs_reset_size(table));
	arcs_reset(table);
	*arcs_enter(table, 0x10, 0x20) += 1000;
	ck_assert_uint_eq(arcs_read(table, 0x10, 0x20), 1000);
	free(table->before);
	free(table);
}
END_TEST

/* The table lies inside the memory it asked for, and its parts apart. */
START_TEST(layout)
{
	uint32_t entry_count = UINT32_C(64) << _i;
	struct arc_table *table = chain_table(entry_count, NULL);
	char *start = (char *)table;
	char *end = start + arcs_size(entry_count);
	char *log_end = (char *)(table->log + table->arc_max);
	char *entries_end = (char *)(table->entries + entry_count + ARCS_NEAR);

	ck_assert((char *)table->entries >= start + sizeof *table);
	ck_assert(entries_end <= (char *)table->log);
	ck_assert(log_end <= end);
	ck_assert_uint_eq((uintptr_t)table->entries % 64, 0);
	ck_assert_uint_le(table->arc_max, entry_count / 2);
	ck_assert_uint_ge(table->arc_max, entry_count / 4);
	ck_assert_uint_eq(table->mask, (entry_count - 1) * 16);
	ck_assert_uint_gt(arcs_next_entry_count(entry_count), entry_count);
	free(table);
}
END_TEST

Suite *unit_arcs_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_arcs", &tcase);

	tcase_add_loop_test(tcase, random_arcs, 1, 6);
	tcase_add_test(tcase, hundred_thousand_arcs);
	tcase_add_test(tcase, one_bucket_for_all);
	tcase_add_test(tcase, full_table);
	tcase_add_test(tcase, count_of_64_bits);
	tcase_add_test(tcase, abandoned_place);
	tcase_add_test(tcase, reset_subtracts);
	tcase_add_test(tcase, reset_of_strays);
	tcase_add_loop_test(tcase, layout, 0, 12);
	return suite;
}
