/* SPDX-License-Identifier: 0BSD */
/*
 * A program of its own, for the thread sanitizer (races.c): threads that come
 * and go, count, grow and tick, while one reads, adds up and sums.  Ends with
 * 0 if every count is exact.
 *
 * What the sanitizer cannot see: the stub, which is assembly (it adds with one
 * instruction to words that only its own thread writes; a reader sees the old
 * or the new one), and that a thread which the kernel has forgotten writes no
 * more (threads.c asks it before a table changes hands).
 */
#include "gmon/kernel.h"
#include "gmon/merge.h"
#include "mcount/shared.h"
#include "mcount/threads.h"
#include "profil/histogram.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { AT_ONCE = 6, ROUNDS = 12, CALLS = 3000, ARCS = 700 };

static struct threads threads;
static struct histogram histogram;
static _Atomic uint64_t refused;
static _Atomic int stop;

static void call(struct thread_table *table, uintptr_t number)
{
	uintptr_t frompc = 0x401000 + number % ARCS * 5;
	_Atomic uint64_t *count;

	while (!(count = arcs_enter(table->arcs, frompc, 0x900000)))
		if (!threads_grow(table))
			abort();
	atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
}

static void *work(void *first)
{
	struct thread_table *table =
		threads_claim(&threads, kernel_getpid(), kernel_gettid());

	for (uintptr_t i = 0; i < CALLS; i++) {
		call(table, (uintptr_t)first + i);
		if (!histogram_add(&histogram, i * 4096 * 512 + i % 4096, 1))
			abort();
		if (i % 8 == 0 && !shared_add(1 + i % 100, 0x900000))
			refused++;
		table->ticks.taken++;
	}
	return NULL;
}

static void add(void *context, const struct arc *arc, uint64_t count)
{
	(void)arc;
	*(uint64_t *)context += count;
}

static uint64_t merged(void)
{
	enum { SIZE = 1 << 20 };
	void *memory = calloc(1, SIZE);
	uint64_t sum = 0;

	merge_arcs(&threads, memory, SIZE, add, &sum);
	free(memory);
	return sum;
}

/* Sums never fall while everybody counts on. */
static void *read_on(void *unused)
{
	uint64_t calls = 0, ticks = 0, before;

	while (!stop) {
		before = calls;
		if ((calls = merged()) < before)
			abort();
		before = ticks;
		if ((ticks = histogram_sum(&histogram, 0, 0)) < before)
			abort();
	}
	return unused;
}

static int expect(const char *what, uint64_t found, uint64_t expected)
{
	if (found == expected)
		return 0;
	printf("%s: %lu, not %lu\n", what, (unsigned long)found,
	       (unsigned long)expected);
	return 1;
}

static void on_end(struct thread_table *table)
{
	table->entries_into_c = 0;
}

int main(void)
{
	const uint64_t all = (uint64_t)AT_ONCE * ROUNDS * CALLS;
	pthread_t crowd[AT_ONCE], reader;

	threads_start(on_end);
	pthread_create(&reader, NULL, read_on, NULL);
	for (int round = 0; round < ROUNDS; round++) {
		for (uintptr_t i = 0; i < AT_ONCE; i++)
			pthread_create(&crowd[i], NULL, work, (void *)(i * 50));
		for (int i = 0; i < AT_ONCE; i++)
			pthread_join(crowd[i], NULL);
	}
	stop = 1;
	pthread_join(reader, NULL);
	return expect("calls", merged(), all + all / 8 - refused) |
	       expect("ticks", histogram_sum(&histogram, 0, 0), all);
}
