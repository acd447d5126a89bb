/* SPDX-License-Identifier: 0BSD */
/* The threads of the process: each of them, once; no descriptor is left. */
#include "profil/engine.h"
#include "tests/harness.h"
#include "tests/suites.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

/* More than one buffer of names holds. */
enum { THREADS = 100 };

static int tids[THREADS + 1], seen[THREADS + 1], others;
static pthread_barrier_t all_here, all_seen;

static void *wait_there(void *tid)
{
	*(int *)tid = gettid();
	pthread_barrier_wait(&all_here);
	pthread_barrier_wait(&all_seen);
	return NULL;
}

static void found(int tid)
{
	for (int i = 0; i <= THREADS; i++)
		if (tids[i] == tid) {
			seen[i]++;
			return;
		}
	others++;
}

START_TEST(each_once)
{
	pthread_t threads[THREADS];
	int next;

	tids[THREADS] = gettid();
	pthread_barrier_init(&all_here, NULL, THREADS + 1);
	pthread_barrier_init(&all_seen, NULL, THREADS + 1);
	for (int i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, wait_there,
						&tids[i]), 0);
	pthread_barrier_wait(&all_here);
	next = open("/dev/null", O_RDONLY);
	close(next);
	tasks_each(found);
	ck_assert_int_eq(open("/dev/null", O_RDONLY), next);
	for (int i = 0; i <= THREADS; i++)
		ck_assert_msg(seen[i] == 1, "thread %d seen %d times", i,
			      seen[i]);
	ck_assert_int_eq(others, 0);
	pthread_barrier_wait(&all_seen);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}
END_TEST

START_TEST(no_descriptor_to_be_had)
{
	struct rlimit none = {0, 0};

	setrlimit(RLIMIT_NOFILE, &none);
	tasks_each(found);
	ck_assert_int_eq(others, 0);
}
END_TEST

Suite *unit_tasks_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_tasks", &tcase);

	tcase_add_test(tcase, each_once);
	tcase_add_test(tcase, no_descriptor_to_be_had);
	return suite;
}
