/* SPDX-License-Identifier: 0BSD */
/* Pages: zeroed, apart, refused politely, and what a forked child finds. */
#include "gmon/pages.h"
#include "tests/harness.h"
#include "tests/suites.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const size_t sizes[] = {1, 64, 4096, 4097, 65536, (size_t)1 << 26};

START_TEST(zeroed)
{
	size_t size = sizes[_i];
	unsigned char *first, *second;

	errno = 4711;
	for (int round = 0; round < 3; round++) {
		first = pages_map(size, PAGES_KEPT);
		second = pages_map(size, PAGES_FORGOTTEN);
		ck_assert_ptr_nonnull(first);
		ck_assert_ptr_nonnull(second);
		ck_assert_uint_eq((uintptr_t)first % 4096, 0);
		ck_assert(first + size <= second || second + size <= first);
		for (size_t i = 0; i < size; i += size / 64 + 1)
			ck_assert_int_eq(first[i] | second[i], 0);
		memset(first, 1, size);
		memset(second, 2, size);
		ck_assert_int_eq(first[size - 1], 1);
		pages_unmap(first, size);
		pages_unmap(second, size);
	}
	ck_assert_int_eq(errno, 4711);
}
END_TEST

/* Also where the kernel will not: it keeps locked pages. */
START_TEST(cleared)
{
	char *pages = pages_map(8192, PAGES_COUNTS);

	ck_assert_ptr_nonnull(pages);
	ck_assert_int_eq(_i ? mlock(pages, 8192) : 0, 0);
	pages[0] = pages[8191] = 1;
	pages_clear(pages, 8192);
	ck_assert_int_eq(pages[0] | pages[8191], 0);
}
END_TEST

START_TEST(refused)
{
	struct rlimit none = {0, RLIM_INFINITY};
	void *pages;

	errno = 4711;
	ck_assert_ptr_null(pages_map(SIZE_MAX / 2, PAGES_KEPT));
	setrlimit(RLIMIT_AS, &none);
	ck_assert_ptr_null(pages_map(4096, PAGES_KEPT));
	ck_assert_ptr_null(pages_map(1, PAGES_FORGOTTEN));
	ck_assert_int_eq(errno, 4711);
	none.rlim_cur = RLIM_INFINITY;
	setrlimit(RLIMIT_AS, &none);
	pages = pages_map(4096, PAGES_KEPT);
	ck_assert_ptr_nonnull(pages);
}
END_TEST

/* What a forked child finds where its parent has written 1. */
static int in_child(enum pages_in_child kind)
{
	unsigned char *byte = pages_map(8192, kind);
	int status;
	pid_t child;

	byte[0] = byte[8191] = 1;
	child = fork();
	if (child == 0)
		_exit(byte[0] * 2 + byte[8191]);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(byte[0], 1);
	return WEXITSTATUS(status);
}

START_TEST(forked)
{
	ck_assert_int_eq(in_child(PAGES_KEPT), 3);
	ck_assert_int_eq(in_child(PAGES_FORGOTTEN), 0);
	ck_assert_int_eq(in_child(PAGES_COUNTS), 0);
	pages_inherit_counts();
	ck_assert_int_eq(in_child(PAGES_COUNTS), 3);
	ck_assert_int_eq(in_child(PAGES_FORGOTTEN), 0);
}
END_TEST

Suite *unit_pages_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_pages", &tcase);

	tcase_add_loop_test(tcase, zeroed, 0, sizeof sizes / sizeof *sizes);
	tcase_add_loop_test(tcase, cleared, 0, 2);
	tcase_add_test(tcase, refused);
	tcase_add_test(tcase, forked);
	return suite;
}
