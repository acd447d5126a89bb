/* SPDX-License-Identifier: 0BSD */
/* sigaltstack(2) as the C library has it; the sampler hears of small ones. */
#include "tests/harness.h"
#include "tests/suites.h"
#include "tests/unit/fakes.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

enum { BIG = 65536, SMALL = 2048 };

static stack_t stack_of(size_t size)
{
	return (stack_t){.ss_sp = malloc(size), .ss_size = size};
}

START_TEST(is_the_system_call)
{
	stack_t stack = stack_of(BIG), none = {.ss_flags = SS_DISABLE}, old;

	ck_assert_int_eq(sigaltstack(&stack, NULL), 0);
	ck_assert_int_eq(sigaltstack(NULL, &old), 0);
	ck_assert_ptr_eq(old.ss_sp, stack.ss_sp);
	ck_assert_uint_eq(old.ss_size, BIG);
	ck_assert_int_eq(sigaltstack(&none, &old), 0);
	ck_assert_ptr_eq(old.ss_sp, stack.ss_sp);
	ck_assert_int_eq(fake_leaves, 0);
	stack.ss_size = 1;
	errno = 0;
	ck_assert_int_eq(sigaltstack(&stack, NULL), -1);
	ck_assert_int_eq(errno, ENOMEM);
}
END_TEST

START_TEST(small_ones_are_told)
{
	stack_t stack = stack_of(SMALL);
	int result = sigaltstack(&stack, NULL);

	/* some CPUs' kernels have a higher least */
	ck_assert(result == 0 || errno == ENOMEM);
	ck_assert_int_eq(fake_leaves, 1);
}
END_TEST

Suite *unit_altstack_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_altstack", &tcase);

	tcase_add_test(tcase, is_the_system_call);
	tcase_add_test(tcase, small_ones_are_told);
	return suite;
}
