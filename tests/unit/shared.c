/* SPDX-License-Identifier: 0BSD */
/* The shared arc table: exact until it is full, then honest. */
#include "mcount/shared.h"
#include "tests/harness.h"
#include "tests/suites.h"
#include "tests/unit/tools.h"

#include <pthread.h>

/* What all places together have of an arc, and of everything. */
static uint64_t sum_of(uintptr_t frompc, uintptr_t selfpc)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < shared_count(); i++) {
		struct arc arc;
		uint64_t count = shared_read(i, &arc);

		if (arc.frompc == frompc && arc.selfpc == selfpc)
			sum += count;
	}
	return sum;
}

static uint64_t sum_of_all(void)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < shared_count(); i++) {
		struct arc arc;

		sum += shared_read(i, &arc);
	}
	return sum;
}

START_TEST(counts_exactly)
{
	shared_clear();
	ck_assert(!shared_is_used());
	for (uintptr_t i = 0; i < 500; i++)
		for (uintptr_t k = 0; k <= i % 7; k++)
			ck_assert(shared_add(0x1000 + i % 50, 0x9000 + 16 * i));
	for (uintptr_t i = 0; i < 500; i++)
		ck_assert_uint_eq(sum_of(0x1000 + i % 50, 0x9000 + 16 * i),
				  i % 7 + 1);
	ck_assert(shared_is_used());
	shared_clear();
	ck_assert_uint_eq(sum_of_all(), 0);
	ck_assert(!shared_is_used());
}
END_TEST

/* A full table refuses new arcs only, and every refusal is told. */
START_TEST(full)
{
	uint64_t kept = 0;

	shared_clear();
	for (uintptr_t i = 0; i < 2 * shared_count(); i++)
		kept += shared_add(0x1000 + i, 0x9000);
	ck_assert_uint_eq(kept, shared_count());
	ck_assert_uint_eq(sum_of_all(), kept);
	ck_assert(shared_add(0x1000, 0x9000));
	ck_assert(!shared_add(0x1000, 0x9001));
	ck_assert_uint_eq(sum_of(0x1000, 0x9000), 2);
}
END_TEST

/*
 * A caller at address 0, as at the bottom of a thread without a C library,
 * and another one whose search begins at the same place.
 */
START_TEST(caller_at_zero)
{
	shared_clear();
	for (uintptr_t i = 0; i < 64; i++) {
		uintptr_t zero = 0x90000 + 16 * i;
		uintptr_t other =
			0x90000 + ((zero - arcs_key(0x100, 0)) & 0x3fff);

		for (int k = 0; k < 3; k++) {
			ck_assert(shared_add(0, zero));
			ck_assert(shared_add(0x100, other));
		}
		ck_assert_uint_eq(sum_of(0x100, other), 3);
		/* told as one at 1, which is in no image either */
		ck_assert_uint_eq(sum_of(1, zero), 3);
	}
}
END_TEST

enum { THREAD_COUNT = 4, CALL_COUNT = 10000 };

static void *count_calls(void *seed)
{
	uint64_t kept = 0;

	for (uintptr_t i = 0; i < CALL_COUNT; i++)
		kept += shared_add(0x1000 + i % 3,
				   0x9000 + random_below(seed, 600));
	return (void *)(uintptr_t)kept;
}

START_TEST(many_threads)
{
	pthread_t threads[THREAD_COUNT];
	uint64_t seeds[THREAD_COUNT];
	uint64_t kept = 0;

	shared_clear();
	for (int i = 0; i < THREAD_COUNT; i++) {
		seeds[i] = (uint64_t)(_i * THREAD_COUNT + i);
		pthread_create(&threads[i], NULL, count_calls, &seeds[i]);
	}
	for (int i = 0; i < THREAD_COUNT; i++) {
		void *result;

		pthread_join(threads[i], &result);
		kept += (uintptr_t)result;
	}
	ck_assert_uint_eq(sum_of_all(), kept);
	ck_assert_uint_ge(kept, THREAD_COUNT * CALL_COUNT / 3);
}
END_TEST

Suite *unit_shared_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_shared", &tcase);

	tcase_add_test(tcase, counts_exactly);
	tcase_add_test(tcase, full);
	tcase_add_test(tcase, caller_at_zero);
	tcase_add_loop_test(tcase, many_threads, 0, 3);
	return suite;
}
