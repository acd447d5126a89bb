/* SPDX-License-Identifier: 0BSD */
/*
 * The perf engine: a ring that the test fills by hand in the kernel's place,
 * and one that the kernel fills, where it lets us have one.
 */
#include "gmon/kernel.h"
#include "gmon/state.h"
#include "gmon/warn.h"
#include "profil/engine.h"
#include "tests/harness.h"
#include "tests/suites.h"
#include "tests/unit/calls.h"
#include "tests/unit/tools.h"

#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>

enum { RING_SIZE = 32768, EVENT = 777, OWNER = 4242 };

struct sampler sampler = {.rate = 1000, .period = NS_PER_S / 1000};
struct state state;
static struct thread_table table;
static struct thread_ticks *const ticks = &table.ticks;

static unsigned long page_size = 4096;

unsigned long getauxval(unsigned long type)
{
	ck_assert_uint_eq(type, AT_PAGESZ);
	return page_size;
}

static int lines;
static int64_t error_said;

void warn(const char *format, ...)
{
	va_list list;

	va_start(list, format);
	ck_assert_ptr_nonnull(strstr(format, "refused a ring: %e"));
	error_said = va_arg(list, int);
	va_end(list);
	lines++;
}

/* What was delivered: how many, their sum, and the last one. */
static int delivered;
static uintptr_t last_pc;
static void (*in_deliver)(void);

void sampler_deliver(struct thread_ticks *to, uintptr_t pc, uint32_t weight)
{
	ck_assert_ptr_nonnull(to);
	ck_assert_uint_eq(weight, 1);
	ck_assert_int_eq(signal_is_blocked(SIGTERM), 1);
	delivered++;
	last_pc = pc;
	if (in_deliver)
		in_deliver();
}

/* What the kernel says to each call, and how often it was asked. */
static long open_result = EVENT, map_result;
static int asked, opened, mapped, closed, unmapped, yielded;
static struct perf_event_attr event;

static bool is_map(long number)
{
#ifdef SYS_mmap2
	if (number == SYS_mmap2)
		return true;
#endif
	return number == SYS_mmap;
}

static bool answer(long number, const long *arguments, long *result)
{
	asked++;
	*result = 0;
	if (number == SYS_perf_event_open) {
		opened++;
		event = *(const struct perf_event_attr *)arguments[0];
		ck_assert_int_eq((int)arguments[1], OWNER);
		ck_assert_int_eq((int)arguments[2], -1);
		ck_assert_int_eq((int)arguments[3], -1);
		ck_assert_int_eq((int)arguments[4], PERF_FLAG_FD_CLOEXEC);
		*result = open_result;
	} else if (is_map(number)) {
		mapped++;
		*result = map_result;
	} else if (number == SYS_close) {
		closed++;
		ck_assert_int_eq((int)arguments[0], EVENT);
	} else if (number == SYS_munmap) {
		unmapped++;
		ck_assert_int_eq(arguments[0], map_result);
		ck_assert_uint_eq((unsigned long)arguments[1],
				  page_size + RING_SIZE);
	} else if (number == SYS_sched_yield) {
		yielded++;
		ticks->ring_busy = yielded < 3; /* now the other one is done */
	} else {
		return false;
	}
	return true;
}

/* A ring at `tail`, in memory that ends where it ends. */
static struct perf_event_mmap_page *begin(uint64_t tail)
{
	char *ring = mmap(NULL, 2 * page_size + RING_SIZE,
			  PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			  -1, 0);
	struct perf_event_mmap_page *page = (void *)ring;

	mprotect(ring + page_size + RING_SIZE, page_size, PROT_NONE);
	page->data_head = page->data_tail = tail;
	map_result = (long)ring;
	calls_answer = answer;
	table.owner = OWNER;
	state.threads.newest = &table;
	ck_assert(perf_attach(&table));
	ck_assert_ptr_eq(ticks->ring, ring);
	return page;
}

/* As the kernel: word by word, round the end of the ring. */
static void put(struct perf_event_mmap_page *page, const void *words, int count)
{
	char *data = (char *)page + page_size;

	for (int i = 0; i < count; i++, page->data_head += 8)
		memcpy(data + page->data_head % RING_SIZE,
		       (const char *)words + 8 * i, 8);
}

static void put_record(struct perf_event_mmap_page *page, uint32_t type,
		       const uint64_t *words, int count)
{
	struct perf_event_header header = {
		.type = type, .size = (uint16_t)(8 + 8 * count)};

	put(page, &header, 1);
	put(page, words, count);
}

static void put_sample(struct perf_event_mmap_page *page, uint64_t pc)
{
	put_record(page, PERF_RECORD_SAMPLE, &pc, 1);
}

static void put_lost(struct perf_event_mmap_page *page, uint64_t lost)
{
	uint64_t words[] = {99, lost};

	put_record(page, PERF_RECORD_LOST, words, 2);
}

START_TEST(attaches)
{
	sampler.period = 123456;
	begin(0);
	ck_assert_uint_eq(event.type, PERF_TYPE_SOFTWARE);
	ck_assert_uint_eq(event.config, PERF_COUNT_SW_TASK_CLOCK);
	ck_assert_uint_eq(event.size, sizeof event);
	ck_assert_uint_eq(event.sample_period, 123456);
	ck_assert_uint_eq(event.sample_type, PERF_SAMPLE_IP);
	ck_assert(event.exclude_kernel && event.exclude_hv);
	ck_assert(!event.inherit && !event.disabled && !event.freq);
	ck_assert_int_eq(closed, 1); /* the ring needs no descriptor */
	ck_assert_int_eq(lines, 0);
}
END_TEST

/* One line, however many threads; no descriptor is left. */
START_TEST(refused)
{
	calls_answer = answer;
	table.owner = OWNER;
	errno = 4711;
	if (_i)
		map_result = -EPERM;
	else
		open_result = -EACCES;
	ck_assert(!perf_attach(&table));
	ck_assert(!perf_attach(&table));
	ck_assert_int_eq(opened, 2);
	ck_assert_int_eq(mapped, _i ? 2 : 0);
	ck_assert_int_eq(closed, _i ? 2 : 0);
	ck_assert_ptr_null(ticks->ring);
	ck_assert_int_eq(lines, 1);
	ck_assert_int_eq(error_said, _i ? EPERM : EACCES);
	ck_assert_int_eq(errno, 4711);
}
END_TEST

static const struct {
	int64_t period, drain;
	unsigned long page_size;
} periods[] = {
	{NS_PER_S, NS_PER_S, 4096},	 /* no sooner than a sample comes */
	{NS_PER_S / 100, NS_PER_S / 10, 4096}, /* who looks sees bins move */
	{NS_PER_S / 10000, NS_PER_S / 10, 4096},
	{NS_PER_S / 20000, 51200000, 4096}, /* half a ring of 2048 */
	{NS_PER_S / 20000, NS_PER_S / 10, 65536}, /* a ring is a page */
	{NS_PER_S / 50000, 40960000, 65536},
};

START_TEST(how_often)
{
	sampler.period = periods[_i].period;
	page_size = periods[_i].page_size;
	ck_assert_int_eq(perf_drain_period(), periods[_i].drain);
}
END_TEST

/* From each place of the ring, so that each word is the one that wraps. */
START_TEST(drains)
{
	uint64_t tail = 5 * (uint64_t)RING_SIZE - 8 * (uint64_t)_i;
	struct perf_event_mmap_page *page = begin(tail);
	uint64_t other[] = {1, 2, 3};

	perf_drain();
	ck_assert_int_eq(delivered, 0);
	put_sample(page, 0x1111);
	put_lost(page, 7);
	put_record(page, PERF_RECORD_THROTTLE, other, 3);
	put_sample(page, 0x2222);
	perf_drain();
	ck_assert_int_eq(delivered, 2);
	ck_assert_uint_eq(last_pc, 0x2222);
	ck_assert_uint_eq(ticks->held, 7);
	ck_assert_uint_eq(page->data_tail, tail + 16 + 24 + 32 + 16);
	ck_assert_int_eq(signal_is_blocked(SIGTERM), 0);
	perf_drain();
	ck_assert_int_eq(delivered, 2);
	put_sample(page, 0x3333);
	perf_visit(&table);
	ck_assert_int_eq(delivered, 3);
	ck_assert_uint_eq(last_pc, 0x3333);
	ck_assert_uint_eq(page->data_tail, page->data_head);
}
END_TEST

START_TEST(full_ring)
{
	struct perf_event_mmap_page *page = begin(RING_SIZE / 2 + 8);

	for (int i = 0; i < RING_SIZE / 16; i++)
		put_sample(page, 0x4000);
	perf_drain();
	ck_assert_int_eq(delivered, RING_SIZE / 16);
	ck_assert_uint_eq(page->data_tail, page->data_head);
}
END_TEST

/* Nobody could get past a record of no size: what is behind it is given up. */
START_TEST(record_of_no_size)
{
	struct perf_event_mmap_page *page = begin(0);
	uint64_t nothing = 0;

	put_sample(page, 0x1111);
	put(page, &nothing, 1);
	put_sample(page, 0x2222);
	perf_drain();
	ck_assert_int_eq(delivered, 1);
	ck_assert_uint_eq(page->data_tail, page->data_head);
}
END_TEST

static void another_drains(void)
{
	perf_drain();
	perf_visit(&table);
}

/* Who comes while somebody is at it leaves it to that one. */
START_TEST(one_at_a_time)
{
	struct perf_event_mmap_page *page = begin(0);

	put_sample(page, 0x1111);
	put_sample(page, 0x2222);
	in_deliver = another_drains;
	perf_drain();
	ck_assert_int_eq(delivered, 2);
	ck_assert_uint_eq(last_pc, 0x2222);
	in_deliver = NULL;
	put_sample(page, 0x3333);
	perf_drain();
	ck_assert_int_eq(delivered, 3);
}
END_TEST

/* The rings of all threads are emptied, by whom ever. */
START_TEST(all_rings)
{
	static struct thread_table others[3];
	struct perf_event_mmap_page *page = begin(0), *page_of_other;

	others[2].ticks.ring = begin(0);
	page_of_other = others[2].ticks.ring;
	ticks->ring = page;
	for (int i = 0; i < 2; i++)
		others[i].next = &others[i + 1];
	others[1].next = &table;
	table.next = &others[2];
	state.threads.newest = &others[0];
	put_sample(page, 0x1111);
	put_lost(page_of_other, 5);
	put_sample(page_of_other, 0x2222);
	perf_drain();
	ck_assert_int_eq(delivered, 2);
	ck_assert_uint_eq(ticks->held, 0);
	ck_assert_uint_eq(others[2].ticks.held, 5);
	asked = 0;
	perf_visit(&others[0]); /* has none, and costs nothing */
	ck_assert_int_eq(asked, 0);
}
END_TEST

START_TEST(detaches)
{
	struct perf_event_mmap_page *page = begin(8);

	put_sample(page, 0x1111);
	ticks->ring_busy = true; /* another thread is at it */
	perf_detach(&table);
	ck_assert_int_eq(yielded, 3);
	ck_assert_int_eq(delivered, 1);
	ck_assert_int_eq(unmapped, 1);
	ck_assert_ptr_null(ticks->ring);
	ck_assert(!ticks->ring_busy);
	ck_assert_int_eq(signal_is_blocked(SIGTERM), 0);
	perf_detach(&table);
	perf_drain();
	ck_assert_int_eq(unmapped, 1);
	ck_assert_int_eq(delivered, 1);
}
END_TEST

/* Burn CPU time until so many samples have come, or 20 s of it. */
static void burn_until(int count)
{
	struct timespec now;

	do {
		for (volatile int i = 0; i < 100000; i++)
			;
		perf_drain();
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	} while (delivered < count && now.tv_sec < 20);
}

/* From the kernel itself: more samples than a ring holds. */
START_TEST(ring_of_the_kernel)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE) + RING_SIZE;
	unsigned char there;
	void *ring;

	page_size = (unsigned long)sysconf(_SC_PAGESIZE);
	if (page_size > RING_SIZE)
		size = 2 * page_size;
	sampler.period = NS_PER_S / 10000;
	table.owner = kernel_gettid();
	state.threads.newest = &table;
	if (!perf_attach(&table)) {
		ck_assert_int_eq(lines, 1);
		skip("unit_perf: the kernel's ring: %s",
		     strerror((int)error_said));
		return;
	}
	ring = ticks->ring;
	burn_until(5000);
	ck_assert_int_ge(delivered, 5000);
	ck_assert_uint_ne(last_pc, 0);
	perf_detach(&table);
	ck_assert_int_eq(mincore(ring, size, &there), -1);
	ck_assert_int_eq(errno, ENOMEM);
}
END_TEST

Suite *unit_perf_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_perf", &tcase);

	tcase_add_test(tcase, attaches);
	tcase_add_loop_test(tcase, refused, 0, 2);
	tcase_add_loop_test(tcase, how_often, 0,
			    sizeof periods / sizeof *periods);
	tcase_add_loop_test(tcase, drains, 0, 13);
	tcase_add_test(tcase, full_ring);
	tcase_add_test(tcase, record_of_no_size);
	tcase_add_test(tcase, one_at_a_time);
	tcase_add_test(tcase, all_rings);
	tcase_add_test(tcase, detaches);
	tcase_add_test(tcase, ring_of_the_kernel);
	return suite;
}
