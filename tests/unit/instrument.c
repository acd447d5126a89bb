/* SPDX-License-Identifier: 0BSD */
/* -finstrument-functions: what is counted on the spot, and what is not. */
#include "mcount/mcount.h"
#include "mcount/threads.h"
#include "tests/harness.h"
#include "tests/suites.h"

enum { ENTRIES = 64, FROM = 0x4000, SELF = 0x9350 };

uintptr_t mcount_multiplier = ARCS_MULTIPLIER;
uint8_t mcount_early;

static struct arc_entry entries[ENTRIES + ARCS_NEAR];
THREADS_TLS struct threads_mine threads_mine = {
	.mask = (ENTRIES - 1) * sizeof *entries, .entries = entries};

static int recorded;

void mcount_record(uintptr_t frompc, uintptr_t selfpc)
{
	ck_assert_uint_eq(frompc, FROM);
	ck_assert_uint_eq(selfpc, SELF);
	recorded++;
}

void __cyg_profile_func_enter(void *function, void *call_site);
void __cyg_profile_func_exit(void *function, void *call_site);

static void enter(void)
{
	__cyg_profile_func_enter((void *)SELF, (void *)FROM);
}

/* The arc's bucket, or an entry so far behind it. */
static struct arc_entry *entry_behind(int distance)
{
	uint32_t bucket = arcs_hash(arcs_key(FROM, SELF)) / sizeof *entries;

	return &entries[bucket % ENTRIES + (uint32_t)distance];
}

/* The entries behind the bucket are taken by others, as they may be. */
static void occupy(void)
{
	for (int i = 0; i < ENTRIES + ARCS_NEAR; i++)
		entries[i] = (struct arc_entry){.key = 77, .count = 5};
}

static void check_others(const struct arc_entry *but)
{
	for (int i = 0; i < ENTRIES + ARCS_NEAR; i++)
		if (&entries[i] != but)
			ck_assert_uint_eq(entries[i].count, 5);
}

START_TEST(near_is_counted_here)
{
	struct arc_entry *entry = entry_behind(_i);

	occupy();
	entry->key = arcs_key(FROM, SELF);
	enter();
	enter();
	ck_assert_uint_eq(entry->count, 7);
	ck_assert_int_eq(recorded, 0);
	check_others(entry);
	__cyg_profile_func_exit((void *)SELF, (void *)FROM);
	ck_assert_uint_eq(entry->count, 7);
}
END_TEST

START_TEST(others_are_recorded)
{
	enter(); /* all are empty */
	ck_assert_int_eq(recorded, 1);
	occupy();
	enter();
	ck_assert_int_eq(recorded, 2);
	/* the recorder itself looks so far */
	entry_behind(ARCS_NEAR + 1)->key = arcs_key(FROM, SELF);
	enter();
	ck_assert_int_eq(recorded, 3);
	check_others(NULL);
}
END_TEST

/* Without counting there is nothing to look at: the table may not be there. */
START_TEST(off)
{
	occupy();
	entry_behind(0)->key = arcs_key(FROM, SELF);
	threads_mine.entries = NULL;
	mcount_multiplier = 0;
	enter();
	ck_assert_int_eq(recorded, 0);
	mcount_early = 1; /* not started yet */
	enter();
	ck_assert_int_eq(recorded, 1);
	check_others(NULL);
}
END_TEST

Suite *unit_instrument_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_instrument", &tcase);

	tcase_add_loop_test(tcase, near_is_counted_here, 0, ARCS_NEAR + 1);
	tcase_add_test(tcase, others_are_recorded);
	tcase_add_test(tcase, off);
	return suite;
}
