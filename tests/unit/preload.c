/* SPDX-License-Identifier: 0BSD */
/*
 * libgmon.so's start: nothing begins before there is use for it, and then
 * with what was there at the start.
 */
#include "gmon/life.h"
#include "gmon/state.h"
#include "mcount/shared.h"
#include "tests/harness.h"
#include "tests/suites.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct state state;
void (*state_starter)(void);

static bool is_started, is_used;
static int begun, *ended;
static char *const *environment_begun;
static const char *name_begun;

bool state_started(void)
{
	return is_started;
}

bool shared_is_used(void)
{
	return is_used;
}

void life_begin(char *const *environment, const char *argv0)
{
	begun++;
	environment_begun = environment;
	name_begun = argv0;
}

/* Called at the end of every check, too: only where a test looks. */
void ends_hook(void)
{
	if (ended)
		++*ended;
}

void gcrt_loaded(int argc, char **argv, char **environment);

static char *arguments[] = {"./name", "more", NULL};
static char *environment_given[] = {"A=B", NULL};

/* As the dynamic linker calls it, before or after `environ` is set. */
static void load(int count, bool has_environ)
{
	char **saved = environ;

	if (!has_environ)
		environ = NULL;
	gcrt_loaded(count, arguments, environment_given);
	environ = saved;
}

START_TEST(waits_for_use)
{
	load(2, true);
	ck_assert_int_eq(begun, 0);
	ck_assert_ptr_nonnull(state_starter);
	state_starter();
	ck_assert_int_eq(begun, 1);
	ck_assert(!state.forked);
}
END_TEST

/* A resolver has counted already. */
START_TEST(begins_at_once)
{
	is_used = true;
	load(2, true);
	ck_assert_int_eq(begun, 1);
	ck_assert(!state.forked);
}
END_TEST

START_TEST(environment)
{
	load(2, true);
	state_starter();
	ck_assert_ptr_eq(environment_begun, environ);
	ck_assert_str_eq(name_begun, program_invocation_name);
	load(2, false);
	state_starter();
	ck_assert_ptr_eq(environment_begun, environment_given);
	ck_assert_str_eq(name_begun, "./name");
	load(0, false);
	state_starter();
	ck_assert_ptr_eq(environment_begun, environment_given);
	ck_assert_ptr_null(name_begun);
}
END_TEST

/* Forked before its first call; or before that of a child that has begun. */
START_TEST(forked_before)
{
	pid_t child;
	int status;

	load(2, true);
	is_started = _i;
	child = fork();
	if (child == 0) {
		state_starter();
		_exit(begun == 1 && state.forked == !_i ? 0 : 1);
	}
	waitpid(child, &status, 0);
	ck_assert_int_eq(status, 0);
	ck_assert_int_eq(begun, 0);
	ck_assert(!state.forked);
}
END_TEST

START_TEST(ends)
{
	pid_t child;
	int status;

	ended = mmap(NULL, sizeof *ended, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	child = fork();
	if (child == 0)
		exit(7);
	waitpid(child, &status, 0);
	ck_assert_int_eq(WEXITSTATUS(status), 7);
	ck_assert_int_eq(*ended, 1);
	ended = NULL;
}
END_TEST

Suite *unit_preload_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_preload", &tcase);

	tcase_add_test(tcase, waits_for_use);
	tcase_add_test(tcase, begins_at_once);
	tcase_add_test(tcase, environment);
	tcase_add_loop_test(tcase, forked_before, 0, 2);
	tcase_add_test(tcase, ends);
	return suite;
}
