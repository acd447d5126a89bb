/* SPDX-License-Identifier: 0BSD */
/* The histogram: any address, any thread, nothing lost. */
#include "profil/histogram.h"
#include "tests/harness.h"
#include "tests/suites.h"
#include "tests/unit/tools.h"

#include <pthread.h>
#include <sys/resource.h>

static uint64_t bin_of(const struct histogram *histogram, uintptr_t pc)
{
	_Atomic uint64_t *leaf = histogram_leaf(histogram, pc);

	return leaf ? leaf[pc % LEAF_SIZE / PC_BIN_SIZE] : 0;
}

#define TOP UINTPTR_MAX
#define HALF ((uintptr_t)1 << (8 * sizeof(uintptr_t) - 1))

static const uintptr_t pcs[] = {
	0, 1, 2, 4094, 4095, 4096, 0x401000, 0x555555554000, 0x7ffff7ffdfff,
	HALF - 1, HALF, HALF + 2, TOP - 0x9fffff, TOP - 4097, TOP - 4096,
	TOP - 4095, TOP - 1, TOP,
};
enum { PC_COUNT = sizeof pcs / sizeof *pcs };

static void add_all(struct histogram *histogram, size_t count)
{
	for (size_t i = 0; i < count; i++)
		ck_assert(histogram_add(histogram, pcs[i], 1u << i));
}

/* What all pcs that share pcs[i]'s bin weigh. */
static uint64_t weight_at(size_t i, size_t count)
{
	uint64_t weight = 0;

	for (size_t k = 0; k < count; k++)
		if (pcs[k] / PC_BIN_SIZE == pcs[i] / PC_BIN_SIZE)
			weight += 1u << k;
	return weight;
}

START_TEST(any_address)
{
	struct histogram histogram = {0};

	for (size_t i = 0; i < PC_COUNT; i++)
		ck_assert_ptr_null(histogram_leaf(&histogram, pcs[i]));
	add_all(&histogram, PC_COUNT);
	for (size_t i = 0; i < PC_COUNT; i++)
		ck_assert_uint_eq(bin_of(&histogram, pcs[i]),
				  weight_at(i, PC_COUNT));
	ck_assert_uint_eq(bin_of(&histogram, 0x402000), 0);
}
END_TEST

/* Every page that was hit, in order and once, and then no more. */
START_TEST(next_page)
{
	struct histogram histogram = {0};
	uintptr_t page, pc = 0, before = 0;
	size_t pages = 0, i = 0;

	ck_assert(!histogram_next(&histogram, 0, &page));
	add_all(&histogram, PC_COUNT);
	while (histogram_next(&histogram, pc, &page)) {
		ck_assert_uint_eq(page % LEAF_SIZE, 0);
		ck_assert(pages == 0 || page > before);
		while (i < PC_COUNT && pcs[i] - page < LEAF_SIZE)
			i++;
		pages++;
		before = page;
		pc = page + LEAF_SIZE;
		if (!pc)
			break;
	}
	ck_assert_uint_eq(i, PC_COUNT);
	ck_assert_uint_eq(page, TOP & ~(LEAF_SIZE - 1));
	ck_assert(histogram_next(&histogram, 0x401fff, &page));
	ck_assert_uint_eq(page, 0x401000);
}
END_TEST

START_TEST(sums)
{
	struct histogram histogram = {0};
	size_t low = PC_COUNT - 3; /* the last page stands in the next test */

	ck_assert_uint_eq(histogram_sum(&histogram, 0, 0x1000), 0);
	add_all(&histogram, low);
	ck_assert_uint_eq(histogram_sum(&histogram, 0, 0), (1u << low) - 1);
	ck_assert_uint_eq(histogram_sum(&histogram, 0, 0x1000), 31);
	ck_assert_uint_eq(histogram_sum(&histogram, 0x1000, 0x401000), 32);
	ck_assert_uint_eq(histogram_sum(&histogram, 0x1000, 0x402000), 96);
	ck_assert_uint_eq(histogram_sum(&histogram, 0x402000, 0x500000), 0);
	histogram_reset(&histogram);
	ck_assert_uint_eq(histogram_sum(&histogram, 0, 0), 0);
	ck_assert(histogram_add(&histogram, 0x401000, 5));
	ck_assert_uint_eq(histogram_sum(&histogram, 0, 0), 5);
}
END_TEST

/* The page behind which there is none: a walk must end there. */
START_TEST(last_page)
{
	struct histogram histogram = {0};

	ck_assert(histogram_add(&histogram, TOP, 3));
	ck_assert(histogram_add(&histogram, 0x1000, 4));
	ck_assert_uint_eq(histogram_sum(&histogram, 0, 0), 7);
	ck_assert_uint_eq(histogram_sum(&histogram, TOP - 4095, 0), 3);
	histogram_reset(&histogram);
	ck_assert_uint_eq(histogram_sum(&histogram, 0, 0), 0);
}
END_TEST

START_TEST(beyond_32_bits)
{
	struct histogram histogram = {0};

	ck_assert(histogram_add(&histogram, 0x1000, UINT32_MAX));
	ck_assert(histogram_add(&histogram, 0x1001, UINT32_MAX));
	ck_assert_uint_eq(bin_of(&histogram, 0x1000), 2ull * UINT32_MAX);
}
END_TEST

enum { THREAD_COUNT = 4, TICK_COUNT = 200000, PAGE_COUNT = 300 };

static struct histogram contended;

/* All threads want the same new pages at the same time. */
static void *tick_often(void *unused)
{
	(void)unused;
	for (uintptr_t i = 0; i < TICK_COUNT; i++) {
		uintptr_t page = i * PAGE_COUNT / TICK_COUNT;

		histogram_add(&contended, (page << 30) + i % 64 * 64, 1);
	}
	return NULL;
}

START_TEST(many_threads)
{
	pthread_t threads[THREAD_COUNT];

	for (int i = 0; i < THREAD_COUNT; i++)
		pthread_create(&threads[i], NULL, tick_often, NULL);
	for (int i = 0; i < THREAD_COUNT; i++)
		pthread_join(threads[i], NULL);
	ck_assert_uint_eq(histogram_sum(&contended, 0, 0),
			  THREAD_COUNT * TICK_COUNT);
}
END_TEST

/* Refused memory is told, and what was there goes on counting. */
START_TEST(no_memory)
{
	struct histogram histogram = {0};
	struct rlimit none = {0, RLIM_INFINITY};

	ck_assert(histogram_add(&histogram, 0x1000, 1));
	setrlimit(RLIMIT_AS, &none);
	ck_assert(!histogram_add(&histogram, HALF, 1));
	ck_assert(!histogram_add(&histogram, 0x2000, 1));
	ck_assert(histogram_add(&histogram, 0x1004, 1));
	none.rlim_cur = RLIM_INFINITY;
	setrlimit(RLIMIT_AS, &none);
	ck_assert_uint_eq(histogram_sum(&histogram, 0, 0), 2);
	ck_assert(histogram_add(&histogram, HALF, 1));
	ck_assert_uint_eq(histogram_sum(&histogram, 0, 0), 3);
}
END_TEST

Suite *unit_histogram_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_histogram", &tcase);

	tcase_add_test(tcase, any_address);
	tcase_add_test(tcase, next_page);
	tcase_add_test(tcase, sums);
	tcase_add_test(tcase, last_page);
	tcase_add_test(tcase, beyond_32_bits);
	tcase_add_loop_test(tcase, many_threads, 0, 3);
	tcase_add_test(tcase, no_memory);
	tcase_set_timeout(tcase, 60);
	return suite;
}
