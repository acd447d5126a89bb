/* SPDX-License-Identifier: 0BSD */
/* Thread tables: one owner at a time, and no more of them than needed. */
#include "mcount/threads.h"
#include "gmon/kernel.h"
#include "tests/harness.h"
#include "tests/suites.h"

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>

static struct threads threads;
static _Atomic int ended;

static void on_end(struct thread_table *table)
{
	ck_assert_int_eq(table->owner, kernel_gettid());
	ended++;
}

static struct thread_table *claim(void)
{
	return threads_claim(&threads, kernel_getpid(), kernel_gettid());
}

static int table_count(void)
{
	const struct thread_table *table;
	int count = 0;

	for (table = threads.newest; table; table = table->next)
		count++;
	return count;
}

/* Count calls of one arc as the recorder does. */
static void count_calls(struct thread_table *table, uintptr_t frompc, int calls)
{
	_Atomic uint64_t *count;

	while (calls--) {
		while (!(count = arcs_enter(table->arcs, frompc, 0x9000)))
			ck_assert(threads_grow(table));
		++*count;
	}
}

static uint64_t calls_of(uintptr_t frompc)
{
	const struct thread_table *table;
	const struct arc_table *arcs;
	uint64_t sum = 0;

	for (table = threads.newest; table; table = table->next)
		for (arcs = table->arcs; arcs; arcs = arcs->older)
			sum += arcs_read(arcs, frompc, 0x9000);
	return sum;
}

START_TEST(claim_and_fork)
{
	struct thread_table *table = claim();

	ck_assert_ptr_nonnull(table);
	ck_assert_ptr_eq(claim(), table);
	ck_assert_ptr_eq(threads_find(&threads, kernel_gettid()), table);
	ck_assert_ptr_eq(threads_mine.table, table);
	ck_assert_ptr_eq(threads_mine.entries, table->arcs->entries);
	ck_assert_uint_eq(threads_mine.mask, table->arcs->mask);
	ck_assert_int_eq(table->stage, THREAD_LIVING);
	count_calls(table, 0x1000, 3);
	threads_fork(&threads, true);
	ck_assert_uint_eq(calls_of(0x1000), 3);
	threads_fork(&threads, false);
	ck_assert_ptr_eq(claim(), table);
	ck_assert_int_eq(table_count(), 1);
	ck_assert_uint_eq(calls_of(0x1000), 0);
	count_calls(table, 0x1000, 2);
	ck_assert_uint_eq(calls_of(0x1000), 2);
}
END_TEST

/* DESIGN: at most 16 KiB touched for a thread that takes ten arcs. */
START_TEST(grows)
{
	struct thread_table *table = claim();
	uint32_t mask = 0;

	ck_assert_uint_ge(table->arcs->arc_max, 10);
	for (uintptr_t i = 0; i < 5000; i++) {
		count_calls(table, 0x1000 + i, 1);
		ck_assert_uint_ge(threads_mine.mask, mask);
		ck_assert_ptr_eq(threads_mine.entries, table->arcs->entries);
		mask = (uint32_t)threads_mine.mask;
	}
	for (uintptr_t i = 0; i < 5000; i++)
		ck_assert_uint_eq(calls_of(0x1000 + i), 1);
	ck_assert_uint_ge(table->arcs->arc_max, 4000);
}
END_TEST

static void *short_life(void *calls)
{
	struct thread_table *table = claim();

	ck_assert_ptr_nonnull(table);
	count_calls(table, 0x1000, (int)(intptr_t)calls);
	return NULL;
}

/*
 * One after the other.  The kernel may take a moment to forget a thread that
 * has been joined, so two tables, or a few, may be in turn.
 */
static void run_short_lives(int count, int tables_max)
{
	for (int i = 0; i < count; i++) {
		pthread_t thread;

		pthread_create(&thread, NULL, short_life, (void *)3);
		pthread_join(thread, NULL);
	}
	ck_assert_int_le(table_count(), tables_max);
	ck_assert_uint_eq(calls_of(0x1000), 3 * (uint64_t)count);
}

START_TEST(tables_are_used_again)
{
	threads_start(on_end);
	run_short_lives(300, 4);
	ck_assert_int_eq(ended, 300);
}
END_TEST

/* Threads that ended without destructors are found in the end. */
START_TEST(without_destructors)
{
	run_short_lives(300, 32);
}
END_TEST

/*
 * Later destructors still count: an ending thread's table is its own until
 * the kernel has forgotten it.
 */
START_TEST(ending_is_not_gone)
{
	struct thread_table *table = claim();
	pthread_t thread;

	table->stage = THREAD_ENDING;
	pthread_create(&thread, NULL, short_life, (void *)1);
	pthread_join(thread, NULL);
	ck_assert_int_eq(table_count(), 2);
	ck_assert_int_eq(table->owner, kernel_gettid());
	table->owner = INT32_MAX; /* no such thread */
	pthread_create(&thread, NULL, short_life, (void *)1);
	pthread_join(thread, NULL);
	ck_assert_int_eq(table_count(), 2);
	ck_assert_uint_eq(calls_of(0x1000), 2);
}
END_TEST

enum { CROWD = 64, CROWD_CALLS = 300 };

static pthread_barrier_t barrier;

static void *in_the_crowd(void *number)
{
	uintptr_t frompc = 0x1000 + 1000 * (uintptr_t)number;
	struct thread_table *table = claim();

	ck_assert_ptr_nonnull(table);
	pthread_barrier_wait(&barrier);
	for (uintptr_t i = 0; i < CROWD_CALLS; i++)
		count_calls(table, frompc + i, 2);
	pthread_barrier_wait(&barrier);
	return NULL;
}

/* Many at once: each has its own; the next crowd needs no more. */
START_TEST(crowds)
{
	pthread_t crowd[CROWD];

	threads_start(on_end);
	pthread_barrier_init(&barrier, NULL, CROWD);
	for (int round = 1; round <= 3; round++) {
		for (uintptr_t i = 0; i < CROWD; i++)
			pthread_create(&crowd[i], NULL, in_the_crowd,
				       (void *)i);
		for (int i = 0; i < CROWD; i++)
			pthread_join(crowd[i], NULL);
		ck_assert_int_ge(table_count(), CROWD);
		ck_assert_int_le(table_count(), CROWD + 16);
		for (uintptr_t i = 0; i < CROWD * 1000; i++)
			ck_assert_uint_eq(calls_of(0x1000 + i),
					  i % 1000 < CROWD_CALLS ? 2 * round
								 : 0);
	}
}
END_TEST

static void *takes_hold(void *unused)
{
	for (int i = 0; i < 20; i++) {
		struct thread_table *table = claim();
		uint32_t *holders = &table->entries_into_c;

		ck_assert_uint_eq(__atomic_exchange_n(holders, 1,
						      __ATOMIC_SEQ_CST), 0);
		count_calls(table, 0x1000, 1);
		__atomic_store_n(holders, 0, __ATOMIC_SEQ_CST);
	}
	return unused;
}

/* Threads that end while others look for a table: never two owners. */
START_TEST(never_two_owners)
{
	enum { AT_ONCE = 8, ROUNDS = 200 };
	pthread_t crowd[AT_ONCE];

	threads_start(on_end);
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < AT_ONCE; i++)
			pthread_create(&crowd[i], NULL, takes_hold, NULL);
		for (int i = 0; i < AT_ONCE; i++)
			pthread_join(crowd[i], NULL);
	}
	ck_assert_uint_eq(calls_of(0x1000), AT_ONCE * ROUNDS * 20);
	ck_assert_int_le(table_count(), AT_ONCE + 16);
}
END_TEST

static pthread_barrier_t claimed, counted;

static void *late_caller(void *tid)
{
	*(int *)tid = kernel_gettid();
	pthread_barrier_wait(&claimed);
	pthread_barrier_wait(&counted);
	return claim();
}

/* A table made for a thread that never called is the one it gets later. */
START_TEST(claimed_for_another)
{
	struct thread_table *table;
	pthread_t thread;
	void *result;
	int tid;

	pthread_barrier_init(&claimed, NULL, 2);
	pthread_barrier_init(&counted, NULL, 2);
	pthread_create(&thread, NULL, late_caller, &tid);
	pthread_barrier_wait(&claimed);
	table = threads_claim_for(&threads, kernel_getpid(), tid);
	ck_assert_ptr_nonnull(table);
	ck_assert_int_eq(table->owner, tid);
	ck_assert(!table->attached);
	ck_assert_ptr_null(threads_claim_for(&threads, kernel_getpid(), tid));
	pthread_barrier_wait(&counted);
	pthread_join(thread, &result);
	ck_assert_ptr_eq(result, table);
	ck_assert(table->attached);
	ck_assert_int_eq(table_count(), 1);
}
END_TEST

static _Atomic int racer, away;

static void *claims_at_once(void *unused)
{
	racer = kernel_gettid();
	while (!away)
		sched_yield();
	ck_assert_ptr_nonnull(claim());
	racer = 0;
	while (away)
		sched_yield();
	return unused;
}

static int tables_of(int tid)
{
	const struct thread_table *table;
	int number = 0;

	for (table = threads.newest; table; table = table->next)
		number += table->owner == tid;
	return number;
}

/*
 * A thread makes its first call while the sampler, which has just found it,
 * makes a table for it: one of two tables, each with a timer, would be a
 * thread sampled twice.
 */
START_TEST(claimed_by_both)
{
	for (int round = 0; round < 1000; round++) {
		pthread_t thread;
		int tid;

		away = 0;
		pthread_create(&thread, NULL, claims_at_once, NULL);
		while (!(tid = racer))
			sched_yield();
		away = 1;
		for (volatile int i = 0; i < round % 300; i++)
			;
		if (threads_claim_for_others(&threads)) {
			threads_claim_for(&threads, kernel_getpid(), tid);
			threads_claimed_for_others(&threads);
		}
		while (racer)
			sched_yield();
		ck_assert_int_eq(tables_of(tid), 1);
		away = 0;
		pthread_join(thread, NULL);
		while (threads.newest && threads.newest->next)
			threads.newest = threads.newest->next;
	}
}
END_TEST

START_TEST(no_memory)
{
	struct rlimit limit = {0, RLIM_INFINITY};
	struct thread_table *table;
	uintptr_t i = 0;

	setrlimit(RLIMIT_AS, &limit);
	ck_assert_ptr_null(claim());
	ck_assert_ptr_null(threads_mine.table);
	limit.rlim_cur = RLIM_INFINITY;
	setrlimit(RLIMIT_AS, &limit);
	table = claim();
	ck_assert_ptr_nonnull(table);
	while (arcs_enter(table->arcs, 0x1000 + i, 0x9000))
		i++;
	limit.rlim_cur = 0;
	setrlimit(RLIMIT_AS, &limit);
	ck_assert(!threads_grow(table));
	count_calls(table, 0x1000, 5);
	limit.rlim_cur = RLIM_INFINITY;
	setrlimit(RLIMIT_AS, &limit);
	ck_assert_uint_eq(calls_of(0x1000), 5);
	ck_assert(threads_grow(table));
	ck_assert_ptr_nonnull(arcs_enter(table->arcs, 0x1000 + i, 0x9000));
}
END_TEST

Suite *unit_threads_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_threads", &tcase);

	tcase_add_test(tcase, claim_and_fork);
	tcase_add_test(tcase, grows);
	tcase_add_test(tcase, tables_are_used_again);
	tcase_add_test(tcase, without_destructors);
	tcase_add_test(tcase, ending_is_not_gone);
	tcase_add_test(tcase, crowds);
	tcase_add_test(tcase, never_two_owners);
	tcase_add_test(tcase, claimed_for_another);
	tcase_add_loop_test(tcase, claimed_by_both, 0, 3);
	tcase_add_test(tcase, no_memory);
	return suite;
}
