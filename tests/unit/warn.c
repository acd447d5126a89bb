/* SPDX-License-Identifier: 0BSD */
/* The one line: its form, its length, and when nothing may be said. */
#include "gmon/warn.h"
#include "tests/harness.h"
#include "tests/suites.h"
#include "tests/unit/tools.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

START_TEST(conversions)
{
	saying_begin();
	errno = 4711;
	warn("%s|%u|%u|%d|%t|%t|%t|%e|%e", "text", UINT64_C(0), UINT64_MAX, 42,
	     UINT64_C(0), UINT64_C(1234), UINT64_C(61995), ENOSPC, 12345);
	ck_assert_int_eq(errno, 4711);
	ck_assert_str_eq(said(), "gcrt: text|0|18446744073709551615|42|0.00|"
				 "1.23|62.00|No space left on device|"
				 "error 12345\n");
}
END_TEST

/* As strerror says it in the C locale, for every error that has a text. */
START_TEST(errors_as_strerror)
{
	static const int errors[] = {
		EACCES, EAGAIN, EBADF,	EDQUOT, EEXIST, EFBIG,	      EINVAL,
		EIO,	EISDIR, ELOOP,	EMFILE, ENFILE, ENAMETOOLONG, ENOENT,
		ENOMEM, ENOSPC, ENOSYS, EPERM,	EROFS,	ENOTDIR,
	};

	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
		saying_begin();
		warn("%e", errors[i]);
		ck_assert_str_eq(said(),
				 text("gcrt: %s\n", strerror(errors[i])));
	}
}
END_TEST

/* 512 bytes with the newline, which a pipe takes in one piece. */
START_TEST(cut_at_512)
{
	char *line = text("%*s", 490 + _i, "");

	memset(line, 'a', strlen(line));
	saying_begin();
	warn("%s", line);
	if (490 + _i <= 505)
		ck_assert_str_eq(said(), text("gcrt: %s\n", line));
	ck_assert_uint_le(strlen(said()), 512);
	ck_assert_int_eq(said()[strlen(said()) - 1], '\n');
	ck_assert_int_eq(lines_said(), 1);
}
END_TEST

/* A name cannot start a line of its own, or command a terminal. */
START_TEST(unprintable)
{
	saying_begin();
	warn("%s", "a\nb\033[2Jc\tgcrt: \303\244\177~ ");
	ck_assert_str_eq(said(), "gcrt: a?b?[2Jc?gcrt: ???~ \n");
}
END_TEST

START_TEST(not_our_stderr)
{
	int other = memfd_create("other", 0);
	char byte;

	saying_begin();
	ck_assert_int_eq(dup2(other, STDERR_FILENO), STDERR_FILENO);
	warn("not for you");
	ck_assert_int_eq((int)pread(other, &byte, 1, 0), 0);
	close(STDERR_FILENO);
	errno = 3;
	warn("nobody there");
	ck_assert_int_eq(errno, 3);
	ck_assert_str_eq(said(), "");
}
END_TEST

START_TEST(closed_from_the_start)
{
	int other = memfd_create("other", 0);
	char byte;

	close(STDERR_FILENO);
	warn_start();
	warn("nobody there");
	ck_assert_int_eq(dup2(other, STDERR_FILENO), STDERR_FILENO);
	warn("not for you");
	ck_assert_int_eq((int)pread(other, &byte, 1, 0), 0);
}
END_TEST

/* Nobody reads any more: the program is not killed for our line. */
START_TEST(closed_pipe)
{
	int ends[2];

	ck_assert_int_eq(pipe(ends), 0);
	dup2(ends[1], STDERR_FILENO);
	close(ends[0]);
	warn_start();
	warn("to nobody");
	raise(SIGCHLD); /* what waits behind the mask would come now */
}
END_TEST

Suite *unit_warn_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_warn", &tcase);

	tcase_add_test(tcase, conversions);
	tcase_add_test(tcase, errors_as_strerror);
	tcase_add_loop_test(tcase, cut_at_512, 0, 30);
	tcase_add_test(tcase, unprintable);
	tcase_add_test(tcase, not_our_stderr);
	tcase_add_test(tcase, closed_from_the_start);
	tcase_add_test(tcase, closed_pipe);
	return suite;
}
