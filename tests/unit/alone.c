/* SPDX-License-Identifier: 0BSD */
/* What gcrt0.o gives where nobody else does, and only there. */
#include "tests/harness.h"
#include "tests/suites.h"

#include <string.h>

extern void *__dso_handle;
void _init(void);
void _fini(void);

static int called;

/* As crti.o's: it comes before the weak one. */
void _fini(void)
{
	called++;
}

START_TEST(gives_what_is_missing)
{
	_init();
	ck_assert_int_eq(called, 0);
	ck_assert_ptr_null(__dso_handle); /* the program's own atexit() */
}
END_TEST

START_TEST(gives_way)
{
	char *names = command_output(setting("BUILD"),
				     "nm test/crt/alone.o | cut -d' ' -f2-");

	_fini();
	ck_assert_int_eq(called, 1);
	ck_assert_ptr_nonnull(strstr(names, "W _init\n"));
	ck_assert_ptr_nonnull(strstr(names, "W _fini\n"));
	ck_assert_ptr_nonnull(strstr(names, "V __dso_handle\n"));
}
END_TEST

Suite *unit_alone_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_alone", &tcase);

	tcase_add_test(tcase, gives_what_is_missing);
	tcase_add_test(tcase, gives_way);
	return suite;
}
