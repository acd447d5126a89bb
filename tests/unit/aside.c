/* SPDX-License-Identifier: 0BSD */
/* Counts of an unloaded library: taken out, kept, and nothing else touched. */
#include "gmon/aside.h"
#include "tests/harness.h"
#include "tests/suites.h"
#include "tests/unit/chain.h"

#include <stdlib.h>

enum { INSIDE = 0x701000, OUTSIDE = 0x401000 };
#define BASE ((uintptr_t)1 << 46)

static const struct image library = {
	.lowpc = 0x1000, .highpc = 0x3000, .bias = 0x700000, .base = BASE,
};

static struct threads threads;
static struct histogram histogram;
static struct aside aside;

/* Somewhere there is no image. */
enum { NOWHERE = 0x501000, STAND_IN = 0x400008 };

static uintptr_t place(void *context, uintptr_t pc, bool is_callee)
{
	(void)context;
	if (pc >= NOWHERE && pc < NOWHERE + 0x1000)
		return is_callee ? 0 : STAND_IN;
	return image_holds(&library, pc) ? pc - library.bias + BASE : pc;
}

static struct chain *add_thread(void)
{
	struct thread_table *table = calloc(1, sizeof *table);
	struct chain *chain = calloc(1, sizeof *chain);

	chain_open(chain, 128);
	table->arcs = chain->newest;
	table->next = threads.newest;
	threads.newest = table;
	return chain;
}

static uint64_t aside_count(uintptr_t frompc, uintptr_t selfpc)
{
	const struct arc_table *table = aside.arcs;
	uint64_t sum = 0;

	for (; table; table = table->older)
		sum += arcs_read(table, frompc, selfpc);
	return sum;
}

START_TEST(arcs)
{
	struct chain *first = add_thread(), *second = add_thread();
	const uintptr_t in = INSIDE - 0x700000 + BASE;

	*arcs_enter(first->newest, OUTSIDE + 1, INSIDE + 16) += 5;
	*arcs_enter(second->newest, OUTSIDE + 1, INSIDE + 16) += 6;
	*arcs_enter(second->newest, INSIDE + 1, OUTSIDE) += 7;
	*arcs_enter(second->newest, INSIDE + 1, INSIDE) += 8;
	*arcs_enter(second->newest, OUTSIDE + 1, OUTSIDE) += 9;
	for (int again = 0; again < 2; again++) {
		ck_assert(aside_set(&aside, &threads, &histogram, &library,
				    place, NULL));
		ck_assert_uint_eq(aside_count(OUTSIDE, in + 16), 11);
		ck_assert_uint_eq(aside_count(in, OUTSIDE), 7);
		ck_assert_uint_eq(aside_count(in, in), 8);
		ck_assert_uint_eq(chain_logged_total(first), 0);
		ck_assert_uint_eq(chain_logged_total(second), 9);
	}
	/* another library at the same address begins from zero */
	*arcs_enter(first->newest, OUTSIDE + 1, INSIDE + 16) += 2;
	ck_assert_uint_eq(chain_read(first, OUTSIDE + 1, INSIDE + 16), 2);
	ck_assert_uint_eq(chain_logged_total(second), 9);
}
END_TEST

/* A caller in no image has a stand-in; calls of one are outside the file. */
START_TEST(ends_in_no_image)
{
	struct chain *chain = add_thread();
	const uintptr_t in = INSIDE - 0x700000 + BASE;

	*arcs_enter(chain->newest, NOWHERE + 1, INSIDE) += 5;
	*arcs_enter(chain->newest, INSIDE + 1, NOWHERE) += 6;
	ck_assert(aside_set(&aside, &threads, &histogram, &library, place,
			    NULL));
	ck_assert_uint_eq(aside_count(STAND_IN, in), 5);
	ck_assert_uint_eq(aside.outside, 6);
	ck_assert_uint_eq(arcs_logged(aside.arcs), 1);
	ck_assert_uint_eq(chain_logged_total(chain), 0);
	aside_reset(&aside);
	ck_assert_uint_eq(aside.outside, 0);
}
END_TEST

/* Its place in the file is another's, whom its ticks must not become. */
START_TEST(left_out)
{
	struct image image = library;

	image.is_left_out = true;
	add_thread();
	histogram_add(&histogram, INSIDE, 5);
	ck_assert(aside_set(&aside, &threads, &histogram, &image, place,
			    NULL));
	ck_assert_uint_eq(histogram_sum(&histogram, 0, 0), 0);
	ck_assert_uint_eq(histogram_sum(&aside.histogram, 0, 0), 0);
}
END_TEST

/* Another has its addresses: only who is unloading has counted for this one. */
START_TEST(contested)
{
	struct image image = library;
	struct chain *other = add_thread(), *unloading = add_thread();
	const uintptr_t in = INSIDE - 0x700000 + BASE;

	image.is_contested = true;
	threads.newest->unloads = 1;
	*arcs_enter(other->newest, OUTSIDE + 1, INSIDE) += 5;
	*arcs_enter(unloading->newest, OUTSIDE + 1, INSIDE) += 6;
	histogram_add(&histogram, INSIDE, 7);
	ck_assert(aside_set(&aside, &threads, &histogram, &image, place,
			    NULL));
	ck_assert_uint_eq(aside_count(OUTSIDE, in), 6);
	ck_assert_uint_eq(chain_logged_total(other), 5);
	ck_assert_uint_eq(chain_logged_total(unloading), 0);
	ck_assert_uint_eq(histogram_bin(&histogram, INSIDE), 7);
}
END_TEST

/* More than a table holds. */
START_TEST(many_arcs)
{
	struct chain *chain = add_thread();

	for (uintptr_t i = 0; i < 5000; i++)
		chain_take(chain, OUTSIDE + i, INSIDE);
	threads.newest->arcs = chain->newest;
	ck_assert(aside_set(&aside, &threads, &histogram, &library, place,
			    NULL));
	for (uintptr_t i = 1; i < 5000; i++)
		ck_assert_uint_eq(aside_count(OUTSIDE + i - 1,
					      INSIDE - 0x700000 + BASE), 1);
	ck_assert_uint_eq(chain_logged_total(chain), 0);
}
END_TEST

START_TEST(ticks)
{
	add_thread();
	histogram_add(&histogram, INSIDE, 5);
	histogram_add(&histogram, INSIDE + 0x1ffe, 6);
	histogram_add(&histogram, INSIDE + 0x2000, 7);
	histogram_add(&histogram, INSIDE - 2, 8);
	ck_assert(aside_set(&aside, &threads, &histogram, &library, place,
			    NULL));
	ck_assert_uint_eq(histogram_sum(&histogram, 0, 0), 15);
	ck_assert_uint_eq(histogram_bin(&aside.histogram, BASE + 0x1000), 5);
	ck_assert_uint_eq(histogram_bin(&aside.histogram, BASE + 0x2ffe), 6);
	ck_assert_uint_eq(histogram_sum(&aside.histogram, 0, 0), 11);
}
END_TEST

/* A bin beyond 32 bits keeps all of it. */
START_TEST(many_ticks)
{
	add_thread();
	for (int i = 0; i < 3; i++)
		histogram_add(&histogram, INSIDE, UINT32_MAX);
	ck_assert(aside_set(&aside, &threads, &histogram, &library, place,
			    NULL));
	ck_assert_uint_eq(histogram_bin(&aside.histogram, BASE + 0x1000),
			  3ull * UINT32_MAX);
}
END_TEST

Suite *unit_aside_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_aside", &tcase);

	tcase_add_test(tcase, arcs);
	tcase_add_test(tcase, ends_in_no_image);
	tcase_add_test(tcase, left_out);
	tcase_add_test(tcase, contested);
	tcase_add_test(tcase, many_arcs);
	tcase_add_test(tcase, ticks);
	tcase_add_test(tcase, many_ticks);
	return suite;
}
