/* SPDX-License-Identifier: 0BSD */
/*
 * The slow path of a call: where each call is counted, when a thread gets its
 * table, and what happens on the way.
 */
#include "gmon/fatal.h"
#include "gmon/kernel.h"
#include "gmon/pages.h"
#include "gmon/state.h"
#include "mcount/mcount.h"
#include "mcount/shared.h"
#include "profil/sampler.h"
#include "tests/harness.h"
#include "tests/suites.h"
#include "tests/unit/calls.h"
#include "tests/unit/tools.h"

#include <pthread.h>
#include <stdlib.h>

enum { SELF = 0x9000 };

static struct identity identity;
struct state state = {.identity = &identity};

static bool starts, is_child, is_borrowed, is_refusing;
static int lost, asked_to_begin, pages_asked;
static _Atomic int visits;

bool state_begin(void)
{
	asked_to_begin++;
	if (starts) {
		mcount_turn(1);
		mcount_start();
	}
	return starts;
}

bool state_adopt(void)
{
	bool is_new = is_child;

	is_child = false;
	return is_new;
}

bool state_is_borrowed(void)
{
	return is_borrowed;
}

void state_lose_call(void)
{
	lost++;
}

void fatal_attach(void **memory)
{
	ck_assert_ptr_eq(memory, &threads_mine.table->signal_stack);
	note("stack");
}

/* Nothing of the program can come between; what waited may come after. */
void sampler_attach(struct thread_table *table, struct kernel_sigset *mask)
{
	ck_assert_ptr_eq(table, threads_mine.table);
	ck_assert_int_eq(signal_is_blocked(SIGUSR1), 1);
	ck_assert_int_eq(signal_is_blocked(SIGTERM), 1);
	ck_assert_int_eq(kernel_sigset_has(mask, SIGUSR1), 1);
	ck_assert_int_eq(kernel_sigset_has(mask, SIGTERM), 0);
	kernel_sigset_remove(mask, SIGUSR1);
	note("sampler");
}

void sampler_fork(void)
{
	note("fork");
}

void sampler_visit(struct thread_table *table)
{
	ck_assert_ptr_eq(table, threads_mine.table);
	visits++;
}

void *pages_map(size_t size, enum pages_in_child in_child)
{
	(void)in_child;
	pages_asked++;
	return is_refusing ? NULL
			   : kernel_map(size, MAP_PRIVATE | MAP_ANONYMOUS, -1);
}

void pages_unmap(void *start, size_t size)
{
	munmap(start, size);
}

void pages_clear(void *start, size_t size)
{
	(void)start;
	(void)size;
}

/* Calls of an arc in the tables of threads, and in the shared one. */
static uint64_t in_tables(uintptr_t frompc)
{
	const struct thread_table *table;
	const struct arc_table *arcs;
	uint64_t sum = 0;

	for (table = state.threads.newest; table; table = table->next)
		for (arcs = table->arcs; arcs; arcs = arcs->older)
			sum += arcs_read(arcs, frompc, SELF);
	return sum;
}

static uint64_t in_shared(uintptr_t frompc)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < shared_count(); i++) {
		struct arc arc;
		uint64_t count = shared_read(i, &arc);

		if (arc.frompc == frompc && arc.selfpc == SELF)
			sum += count;
	}
	return sum;
}

static void record(uintptr_t frompc)
{
	mcount_record(frompc, SELF);
}

/* SIGUSR1 is the ticks' signal, and programs may block that. */
static void prepare(void)
{
	sigset_t blocked;

	sigemptyset(&blocked);
	sigaddset(&blocked, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &blocked, NULL);
	identity.pid = kernel_getpid();
}

static void begin(void)
{
	prepare();
	mcount_turn(1);
	mcount_start();
}

START_TEST(before_start)
{
	uint32_t room = shared_count();

	errno = 4711;
	record(1);
	record(1);
	ck_assert_int_eq(asked_to_begin, 2);
	ck_assert_uint_eq(in_shared(1), 2);
	ck_assert_ptr_null(threads_mine.table);
	/* a full table: each call that has no place is told */
	for (uintptr_t i = 2; i <= room; i++)
		record(i);
	ck_assert_int_eq(lost, 0);
	record(room + 1);
	record(1);
	ck_assert_int_eq(lost, 1);
	ck_assert_uint_eq(in_shared(1), 3);
	ck_assert_int_eq(errno, 4711);
}
END_TEST

/* Started with profiling off: what was counted is forgotten, and no more is. */
START_TEST(starts_off)
{
	record(1);
	if (_i)
		mcount_turn(0);
	mcount_start();
	ck_assert_uint_eq(in_shared(1), 0);
	record(1);
	ck_assert_uint_eq(in_shared(1), 0);
	ck_assert_int_eq(asked_to_begin, 1);
	ck_assert_int_eq(lost, 0);
}
END_TEST

/* Started with it on: what was counted before stays. */
START_TEST(starts_on)
{
	record(1);
	begin();
	/* a stub may have seen it off, and look now whether that was early */
	ck_assert_uint_eq(mcount_early, 1);
	ck_assert_uint_eq(mcount_multiplier, ARCS_MULTIPLIER);
	record(1);
	ck_assert_uint_eq(in_shared(1), 1);
	ck_assert_uint_eq(in_tables(1), 1);
	ck_assert_int_eq(asked_to_begin, 1);
	mcount_turn(0);
	ck_assert_uint_eq(mcount_multiplier, 0);
	ck_assert_uint_eq(mcount_early, 0);
	record(1);
	ck_assert_int_eq(asked_to_begin, 1);
	mcount_turn(1);
	record(1);
	ck_assert_uint_eq(in_shared(1), 1);
	ck_assert_uint_eq(in_tables(1), 2);
}
END_TEST

/* In libgmon.so the first call starts, and is counted as any other. */
START_TEST(starts_by_itself)
{
	prepare();
	starts = true;
	record(1);
	ck_assert_int_eq(asked_to_begin, 1);
	ck_assert_uint_eq(in_tables(1), 1);
	ck_assert_uint_eq(in_shared(1), 0);
}
END_TEST

START_TEST(attaches)
{
	begin();
	errno = 4711;
	record(1);
	ck_assert_str_eq(notes(), "stack sampler");
	ck_assert_ptr_eq(threads_mine.table, state.threads.newest);
	ck_assert_int_eq(threads_mine.table->owner, kernel_gettid());
	ck_assert_int_eq(signal_is_blocked(SIGUSR1), 0);
	ck_assert_int_eq(signal_is_blocked(SIGTERM), 0);
	record(1);
	record(2);
	ck_assert_str_eq(notes(), "");
	ck_assert_uint_eq(in_tables(1), 2);
	ck_assert_uint_eq(in_tables(2), 1);
	ck_assert_int_eq(errno, 4711);
}
END_TEST

START_TEST(attaches_without_a_call)
{
	begin();
	mcount_attach();
	ck_assert_str_eq(notes(), "stack sampler");
	ck_assert_ptr_nonnull(threads_mine.table);
	record(1);
	ck_assert_str_eq(notes(), "");
	ck_assert_uint_eq(in_tables(1), 1);
}
END_TEST

/* Refused memory: the shared table counts, and few calls ask again. */
START_TEST(no_memory)
{
	begin();
	is_refusing = true;
	for (int i = 0; i < 256; i++)
		record(1);
	ck_assert_int_eq(pages_asked, 1);
	record(1);
	ck_assert_int_eq(pages_asked, 2);
	ck_assert_str_eq(notes(), "");
	is_refusing = false;
	for (int i = 1; i < 256; i++)
		record(1);
	ck_assert_int_eq(pages_asked, 2);
	ck_assert_uint_eq(in_shared(1), 512);
	record(1);
	ck_assert_str_eq(notes(), "stack sampler");
	ck_assert_uint_eq(in_shared(1), 512);
	ck_assert_uint_eq(in_tables(1), 1);
}
END_TEST

/* What was refused once does not hold for ever. */
START_TEST(memory_again)
{
	begin();
	is_refusing = true;
	record(1);
	is_refusing = false;
	while (!threads_mine.table)
		record(1);
	notes();
	/* as a new thread would be */
	prepare();
	threads_mine.table = NULL;
	record(4711);
	ck_assert_str_eq(notes(), "stack sampler");
	ck_assert_uint_eq(in_shared(4711), 0);
}
END_TEST

START_TEST(grows)
{
	begin();
	for (uintptr_t i = 1; i <= 5000; i++)
		record(i);
	for (uintptr_t i = 1; i <= 5000; i++) {
		record(i);
		ck_assert_uint_eq(in_tables(i), 2);
	}
	ck_assert_ptr_eq(threads_mine.entries,
			 threads_mine.table->arcs->entries);
	ck_assert_ptr_nonnull(threads_mine.table->arcs->older);
	ck_assert_uint_eq(in_shared(1), 0);
	ck_assert_int_eq(lost, 0);
}
END_TEST

/* A full table that cannot grow: new arcs are shared ones, known ones its. */
START_TEST(cannot_grow)
{
	uintptr_t room;

	begin();
	record(1);
	room = threads_mine.table->arcs->arc_max;
	is_refusing = true;
	for (uintptr_t i = 2; i <= room + 3; i++)
		record(i);
	record(1);
	ck_assert_uint_eq(in_tables(1), 2);
	ck_assert_uint_eq(in_tables(room), 1);
	for (uintptr_t i = room + 1; i <= room + 3; i++) {
		ck_assert_uint_eq(in_tables(i), 0);
		ck_assert_uint_eq(in_shared(i), 1);
	}
	ck_assert_int_eq(signal_is_blocked(SIGTERM), 0);
	is_refusing = false;
	record(room + 1);
	ck_assert_uint_eq(in_tables(room + 1), 1);
}
END_TEST

/* A handler of the thread, just before its signals are blocked. */
static bool handler_comes(long number, const long *arguments, long *result)
{
	(void)arguments;
	(void)result;
	if (number == SYS_rt_sigprocmask) {
		calls_answer = NULL;
		record(4711);
	}
	return false;
}

START_TEST(grown_meanwhile)
{
	struct arc_table *full;

	begin();
	record(1);
	full = threads_mine.table->arcs;
	for (uintptr_t i = 2; i <= full->arc_max; i++)
		record(i);
	ck_assert_ptr_eq(threads_mine.table->arcs, full);
	visits = 0;
	threads_mine.table->entries_into_c = 65; /* a visit would be a call */
	calls_answer = handler_comes;
	record(4712);
	ck_assert_uint_eq(in_tables(4711), 1);
	ck_assert_uint_eq(in_tables(4712), 1);
	ck_assert_ptr_eq(threads_mine.table->arcs->older, full);
	ck_assert_int_eq(lost, 0);
}
END_TEST

START_TEST(visits_at_times)
{
	begin();
	for (int call = 1; call <= 1000; call++) {
		int before = visits;

		record(1);
		ck_assert_int_eq(visits - before,
				 call <= 64 || call % 64 == 0);
	}
}
END_TEST

/* A child whose first call comes before the atfork handler. */
START_TEST(adopts)
{
	begin();
	record(1);
	ck_assert_str_eq(notes(), "stack sampler");
	is_child = true;
	prepare();
	record(1);
	ck_assert_str_eq(notes(), "fork stack sampler");
	record(1);
	ck_assert_str_eq(notes(), "");
	ck_assert_uint_eq(in_tables(1), 3); /* state.c would have wiped it */
}
END_TEST

/* A vfork child's thread is its parent's: it gets no table of its own. */
START_TEST(borrowed)
{
	begin();
	is_borrowed = true;
	record(1);
	ck_assert_str_eq(notes(), "");
	ck_assert_int_eq(pages_asked, 0);
	ck_assert_uint_eq(in_shared(1), 1);
	is_borrowed = false;
	record(1);
	ck_assert_uint_eq(in_tables(1), 1);
	is_borrowed = true; /* the table of the parent's thread will do */
	record(1);
	ck_assert_uint_eq(in_tables(1), 2);
}
END_TEST

Suite *unit_record_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_record", &tcase);

	tcase_add_test(tcase, before_start);
	tcase_add_loop_test(tcase, starts_off, 0, 2);
	tcase_add_test(tcase, starts_on);
	tcase_add_test(tcase, starts_by_itself);
	tcase_add_test(tcase, attaches);
	tcase_add_test(tcase, attaches_without_a_call);
	tcase_add_test(tcase, no_memory);
	tcase_add_test(tcase, memory_again);
	tcase_add_test(tcase, grows);
	tcase_add_test(tcase, cannot_grow);
	tcase_add_test(tcase, grown_meanwhile);
	tcase_add_test(tcase, visits_at_times);
	tcase_add_test(tcase, adopts);
	tcase_add_test(tcase, borrowed);
	return suite;
}
