/* SPDX-License-Identifier: 0BSD */
/* Writes that bring no signal, and take none of the program's away. */
#include "gmon/quiet.h"
#include "tests/harness.h"
#include "tests/suites.h"
#include "tests/unit/tools.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

static volatile sig_atomic_t seen;

static void count(int signal)
{
	(void)signal;
	seen++;
}

static int broken_pipe(void)
{
	int ends[2];

	ck_assert_int_eq(pipe(ends), 0);
	close(ends[0]);
	return ends[1];
}

static int full_file(void)
{
	directory_enter();
	return open("file", O_WRONLY | O_CREAT, 0600);
}

static const struct {
	int (*open)(void);
	int error, signal;
} cases[] = {{broken_pipe, EPIPE, SIGPIPE}, {full_file, EFBIG, SIGXFSZ}};

/* No file may grow meanwhile, those of check itself included. */
static int write_in_vain(int file)
{
	struct rlimit limit = {0, RLIM_INFINITY};
	int result;

	setrlimit(RLIMIT_FSIZE, &limit);
	result = (int)quiet_write(file, "x", 1);
	limit.rlim_cur = RLIM_INFINITY;
	setrlimit(RLIMIT_FSIZE, &limit);
	return result;
}

START_TEST(no_signal)
{
	int file = cases[_i].open();
	sigset_t before, after;

	signal(cases[_i].signal, count);
	sigprocmask(SIG_SETMASK, NULL, &before);
	ck_assert_int_eq(write_in_vain(file), -cases[_i].error);
	sigprocmask(SIG_SETMASK, NULL, &after);
	ck_assert_int_eq(seen, 0);
	ck_assert_int_eq(sigismember(&before, cases[_i].signal),
			 sigismember(&after, cases[_i].signal));
	raise(cases[_i].signal);
	ck_assert_int_eq(seen, 1);
}
END_TEST

/* One that the program has waiting, blocked, is still there afterwards. */
START_TEST(waiting_signal_stays)
{
	int file = cases[_i].open();
	sigset_t one;

	signal(cases[_i].signal, count);
	sigemptyset(&one);
	sigaddset(&one, cases[_i].signal);
	sigprocmask(SIG_BLOCK, &one, NULL);
	raise(cases[_i].signal);
	ck_assert_int_eq(write_in_vain(file), -cases[_i].error);
	ck_assert_int_eq(seen, 0);
	sigprocmask(SIG_UNBLOCK, &one, NULL);
	ck_assert_int_eq(seen, 1);
}
END_TEST

Suite *unit_quiet_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_quiet", &tcase);

	tcase_add_loop_test(tcase, no_signal, 0, 2);
	tcase_add_loop_test(tcase, waiting_signal_stays, 0, 2);
	return suite;
}
