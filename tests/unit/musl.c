/* SPDX-License-Identifier: 0BSD */
/*
 * What brings musl's thread keys into a static program: a name that is asked
 * for by a symbol that is not weak, as mcount/threads.c's is.
 */
#include "tests/harness.h"
#include "tests/suites.h"

#include <pthread.h>
#include <string.h>

extern __typeof__(pthread_key_create) *const needed_of_musl;

static void ending(void *value)
{
	++*(int *)value;
}

static pthread_key_t key;

static void *use_key(void *value)
{
	pthread_setspecific(key, value);
	return NULL;
}

START_TEST(it_is_the_real_one)
{
	pthread_t thread;
	int ended = 0;

	ck_assert_int_eq(needed_of_musl(&key, ending), 0);
	pthread_create(&thread, NULL, use_key, &ended);
	pthread_join(thread, NULL);
	ck_assert_int_eq(ended, 1);
}
END_TEST

/* A linker takes a library's member for a name that is needed, no other. */
START_TEST(it_is_needed)
{
	char *weak = command_output(setting("BUILD"),
				    "nm test/mcount/threads.o");
	char *needed = command_output(setting("BUILD"), "nm test/crt/musl.o");

	ck_assert_ptr_nonnull(strstr(weak, " w pthread_key_create\n"));
	ck_assert_ptr_nonnull(strstr(needed, " U pthread_key_create\n"));
}
END_TEST

Suite *unit_musl_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_musl", &tcase);

	tcase_add_test(tcase, it_is_the_real_one);
	tcase_add_test(tcase, it_is_needed);
	return suite;
}
