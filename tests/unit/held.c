/* SPDX-License-Identifier: 0BSD */
/* open=start: the file that is held, and what the program may do to it. */
#include "gmon/held.h"
#include "tests/harness.h"
#include "tests/suites.h"
#include "tests/unit/tools.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static void put(const char *string)
{
	int file = held_take();

	ck_assert_int_ge(file, 0);
	ck_assert_int_eq((int)write(file, string, strlen(string)),
			 (int)strlen(string));
	close(file);
}

/* Each taking begins at the front of an empty file. */
START_TEST(taken_again)
{
	int lowest;

	directory_enter();
	ck_assert_int_eq(held_take(), -EBADF);
	lowest = dup(0);
	close(lowest);
	ck_assert_int_eq(held_open("gmon.out"), 0);
	ck_assert_int_eq(dup(0), lowest);
	put("a longer text");
	put("short");
	ck_assert_str_eq(file_read("gmon.out", NULL), "short");
	held_close();
	ck_assert_int_eq(held_take(), -EBADF);
}
END_TEST

/* A daemon that closes everything, and opens a file of its own. */
START_TEST(closed_by_the_program)
{
	struct rlimit limit;
	int other;

	directory_enter();
	if (_i) /* so that its file gets the very number */
		getrlimit(RLIMIT_NOFILE, &limit), limit.rlim_cur = 16,
			setrlimit(RLIMIT_NOFILE, &limit);
	ck_assert_int_eq(held_open("gmon.out"), 0);
	for (int file = 3; file < 4096; file++)
		close(file);
	ck_assert_int_eq(held_take(), -ESTALE);
	other = open("precious", O_RDWR | O_CREAT, 0600);
	ck_assert_int_eq((int)write(other, "data", 4), 4);
	ck_assert_int_eq(held_take(), -ESTALE);
	held_close();
	ck_assert_int_ge(fcntl(other, F_GETFD), 0);
	ck_assert_str_eq(file_read("precious", NULL), "data");
}
END_TEST

START_TEST(refused)
{
	directory_enter();
	ck_assert_int_eq(symlink("x", "link"), 0);
	ck_assert_int_eq(mkfifo("fifo", 0600), 0);
	ck_assert_int_eq(mkdir("dir", 0700), 0);
	ck_assert_int_lt(held_open("link"), 0);
	ck_assert_int_lt(held_open("fifo"), 0);
	ck_assert_int_lt(held_open("dir"), 0);
	ck_assert_int_lt(held_open("/dev/full"), 0);
	ck_assert_int_eq(held_open("missing/file"), -ENOENT);
	ck_assert_int_eq(held_take(), -EBADF);
	ck_assert(!file_exists("x"));
}
END_TEST

Suite *unit_held_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_held", &tcase);

	tcase_add_test(tcase, taken_again);
	tcase_add_loop_test(tcase, closed_by_the_program, 0, 2);
	tcase_add_test(tcase, refused);
	return suite;
}
