/* SPDX-License-Identifier: 0BSD */
/* Clocks and timers: whose clock, whose signal, when, and when not. */
#include "profil/clocks.h"
#include "tests/harness.h"
#include "tests/suites.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { MS = NS_PER_S / 1000 };

static volatile int caught, caught_by;
static void *volatile caught_cookie;
static char cookie;

static void catch(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)context;
	caught_cookie = info->si_value.sival_ptr;
	caught_by = gettid();
	caught++;
}

static void take_signal(void)
{
	struct sigaction action = {.sa_sigaction = catch,
				   .sa_flags = SA_SIGINFO};

	caught = 0;
	sigaction(SIGUSR1, &action, NULL);
}

/* A clock of this thread, of which time goes on until there is a signal. */
static void burn_until(int count, int64_t end)
{
	while (caught < count && clock_now(CLOCK_OF_THREAD(gettid())) < end)
		;
}

START_TEST(clocks_go)
{
	int mine = CLOCK_OF_THREAD(gettid());
	int64_t start = clock_now(mine), elapsed = clock_elapsed();
	struct timespec now;

	errno = 4711;
	while (clock_now(mine) < start + 20 * MS)
		;
	ck_assert_int_ge(clock_elapsed() - elapsed, 20 * MS);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	/* the same clock as the C library's, read just before */
	ck_assert_int_ge(now.tv_sec * (int64_t)NS_PER_S + now.tv_nsec,
			 start + 20 * MS);
	ck_assert_int_ge(clock_kernel_tick(), NS_PER_S / 1000);
	ck_assert_int_le(clock_kernel_tick(), NS_PER_S / 100);
	ck_assert_int_eq(errno, 4711);
}
END_TEST

static void *say_tid(void *tid)
{
	*(int *)tid = gettid();
	return NULL;
}

/* errno is the program's, also when the kernel says no. */
START_TEST(ended_threads_have_none)
{
	pthread_t thread;
	int tid, timer;

	ck_assert_int_eq(pthread_create(&thread, NULL, say_tid, &tid), 0);
	pthread_join(thread, NULL);
	errno = 4711;
	/* it may take a moment until the kernel has forgotten it */
	while (clock_now(CLOCK_OF_THREAD(tid)))
		;
	ck_assert(!clock_timer_make(CLOCK_OF_THREAD(tid), tid, SIGUSR1,
				    &cookie, &timer));
	ck_assert_int_eq(errno, 4711);
}
END_TEST

START_TEST(timers_are_refused)
{
	struct rlimit limit, none;
	int timer;

	getrlimit(RLIMIT_SIGPENDING, &limit);
	none = limit;
	none.rlim_cur = 0;
	setrlimit(RLIMIT_SIGPENDING, &none);
	errno = 4711;
	ck_assert(!clock_timer_make(CLOCK_PROCESS_CPUTIME_ID, 0, SIGUSR1,
				    &cookie, &timer));
	ck_assert_int_eq(errno, 4711);
	/* check itself makes a timer when a test ends */
	setrlimit(RLIMIT_SIGPENDING, &limit);
}
END_TEST

/* Periods after a beginning that may lie in the past, to this thread. */
START_TEST(timers_expire)
{
	int mine = CLOCK_OF_THREAD(gettid());
	int64_t now = clock_now(mine);
	int timer;

	take_signal();
	ck_assert(clock_timer_make(mine, gettid(), SIGUSR1, &cookie, &timer));
	clock_timer_arm(timer, _i ? now + 10 * MS : -5, 10 * MS);
	burn_until(3, now + 10 * (int64_t)NS_PER_S);
	ck_assert_int_ge(caught, 3);
	ck_assert_int_eq(caught_by, gettid());
	ck_assert_ptr_eq(caught_cookie, &cookie);
}
END_TEST

START_TEST(timers_stop)
{
	int mine = CLOCK_OF_THREAD(gettid());
	int64_t now = clock_now(mine);
	int timer, count;

	take_signal();
	ck_assert(clock_timer_make(mine, gettid(), SIGUSR1, &cookie, &timer));
	clock_timer_arm(timer, now + 10 * MS, 10 * MS);
	burn_until(1, now + 10 * (int64_t)NS_PER_S);
	ck_assert_int_ge(caught, 1);
	clock_timer_stop(timer);
	count = caught;
	burn_until(count + 1, clock_now(mine) + 100 * MS);
	ck_assert_int_eq(caught, count);
	/* once only, without a period */
	clock_timer_arm(timer, clock_now(mine), 0);
	burn_until(count + 2, clock_now(mine) + 100 * MS);
	ck_assert_int_eq(caught, count + 1);
}
END_TEST

Suite *unit_clocks_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_clocks", &tcase);

	tcase_add_test(tcase, clocks_go);
	tcase_add_test(tcase, ended_threads_have_none);
	tcase_add_test(tcase, timers_are_refused);
	tcase_add_loop_test(tcase, timers_expire, 0, 2);
	tcase_add_test(tcase, timers_stop);
	return suite;
}
