/* SPDX-License-Identifier: 0BSD */
/* Every end of a process writes, in whatever order it calls the hooks. */
#include "gmon/life.h"
#include "tests/harness.h"
#include "tests/suites.h"
#include "tests/unit/tools.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int __cxa_atexit(void (*function)(void *), void *argument, void *dso);
int __cxa_at_quick_exit(void (*function)(void *), void *dso);
void ends_start_musl(void);

/* What exit() would call: the newest first. */
enum { HANDLERS = 9 }; /* one for each thread in exit() */

static void (*handlers[HANDLERS])(void *);
static int handler_count, quick_count;
static void (*quick_abi)(void *);
static void (*quick_c)(void);

int __cxa_atexit(void (*function)(void *), void *argument, void *dso)
{
	ck_assert(!argument && !dso);
	ck_assert_int_lt(handler_count, HANDLERS);
	handlers[handler_count++] = function;
	return 0;
}

int __cxa_at_quick_exit(void (*function)(void *), void *dso)
{
	ck_assert(!dso);
	quick_abi = function;
	quick_count++;
	return 0;
}

int at_quick_exit(void (*function)(void))
{
	quick_c = function;
	quick_count++;
	return 0;
}

void life_end(enum life_end end)
{
	note("end(%d)", end);
}

static void call_handler(void)
{
	ck_assert_int_gt(handler_count, 0);
	handlers[--handler_count](NULL);
}

static void start(bool before_environment)
{
	char **saved = environ;

	if (before_environment)
		environ = NULL;
	ends_start();
	environ = saved;
	ck_assert_int_eq(handler_count, HANDLERS);
	notes();
}

/* glibc, dynamic: all destructors have run when the first handler does. */
START_TEST(destructors_first)
{
	start(false);
	ends_hook();
	ck_assert_str_eq(notes(), "");
	call_handler();
	ck_assert_str_eq(notes(), "end(0)");
	call_handler();
	/* for a second thread: it would wait here, or find all written */
	ck_assert_str_eq(notes(), "end(0)");
}
END_TEST

/* musl, and static programs: more is to be counted in the destructors. */
START_TEST(handlers_first)
{
	start(false);
	call_handler();
	call_handler();
	ck_assert_str_eq(notes(), "");
	ends_hook();
	ck_assert_str_eq(notes(), "end(0)");
}
END_TEST

/* Loaded before the C library: no destructor comes after a handler. */
START_TEST(handlers_last)
{
	start(true);
	if (_i)
		ends_hook();
	call_handler();
	ck_assert_str_eq(notes(), _i ? "end(0)" : "");
	call_handler();
	ck_assert_str_eq(notes(), "end(0)");
}
END_TEST

/* While one thread writes in our handler, others find one of the last. */
START_TEST(other_threads_in_exit)
{
	start(false);
	ends_hook();
	for (handler_count--; handler_count;) {
		call_handler();
		ck_assert_str_eq(notes(), "end(0)");
	}
}
END_TEST

/* quick_exit() promises no destructors: each hook writes at once. */
START_TEST(quick_exits)
{
	start(false);
	ck_assert(quick_abi && !quick_c);
	ck_assert_int_eq(quick_count, HANDLERS);
	quick_abi(NULL);
	ck_assert_str_eq(notes(), "end(0)");
}
END_TEST

START_TEST(quick_exits_of_musl)
{
	ends_start_musl();
	ck_assert_int_eq(handler_count, HANDLERS);
	ck_assert(!quick_abi && quick_c);
	ck_assert_int_eq(quick_count, HANDLERS);
	quick_c();
	ck_assert_str_eq(notes(), "end(0)");
}
END_TEST

static void *leave(void *unused)
{
	(void)unused;
	_exit(7);
}

/* From any thread, and for all of them. */
static void leave_in_thread(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, leave, NULL);
	for (;;)
		pause();
}

static void leave_by_c11(void)
{
	_Exit(0x107);
}

static void leave_plainly(void)
{
	_exit(7);
}

static void (*const leaves[])(void) = {leave_plainly, leave_by_c11,
				       leave_in_thread};

/* Written first; neither handlers nor destructors; the status is kept. */
START_TEST(leaves_at_once)
{
	pid_t child;
	int status;

	start(false);
	child = fork();
	if (child == 0) {
		alarm(60); /* should one thread alone have ended */
		leaves[_i]();
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), 7);
	ck_assert_str_eq(notes(), text("end(%d)", LIFE_QUICK_EXIT));
}
END_TEST

Suite *unit_ends_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_ends", &tcase);

	tcase_add_test(tcase, destructors_first);
	tcase_add_test(tcase, handlers_first);
	tcase_add_loop_test(tcase, handlers_last, 0, 2);
	tcase_add_test(tcase, other_threads_in_exit);
	tcase_add_test(tcase, quick_exits);
	tcase_add_test(tcase, quick_exits_of_musl);
	tcase_add_loop_test(tcase, leaves_at_once, 0,
			    sizeof leaves / sizeof *leaves);
	return suite;
}
