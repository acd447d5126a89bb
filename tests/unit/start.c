/* SPDX-License-Identifier: 0BSD */
/*
 * The start object's hooks, which the C library has run in this very program:
 * before its constructors and, when a process exits, after its destructors.
 */
#include "gmon/life.h"
#include "tests/harness.h"
#include "tests/suites.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* How profiling was begun, each time. */
static struct {
	char *const *environment;
	const char *name;
} begins[8];
static int begun;

/* As the first constructor of the program found it. */
static int begun_before;
static char **environment_before;

/* What happened at the end of a process, where a test looks. */
static char *order;

static void add_to_order(const char *what)
{
	if (order)
		strcat(order, what);
}

void life_begin(char *const *environment, const char *name)
{
	if (begun < 8) {
		begins[begun].environment = environment;
		begins[begun].name = name;
	}
	begun++;
}

void ends_hook(void)
{
	add_to_order("hook ");
}

/* 101: before it come those of the C library and of compilers alone. */
__attribute__((constructor(101))) static void construct(void)
{
	begun_before = begun;
	environment_before = environ;
}

__attribute__((destructor(101))) static void destroy(void)
{
	add_to_order("destructor ");
}

static void at_exit(void)
{
	add_to_order("atexit ");
}

/* glibc runs both of the hooks, musl the second alone; no other one is here. */
START_TEST(before_constructors)
{
#ifdef __GLIBC__
	ck_assert_int_eq(begun, 2);
#else
	ck_assert_int_ge(begun, 1);
#endif
	ck_assert_int_eq(begun_before, begun);
	for (int i = 0; i < begun; i++) {
		ck_assert_ptr_eq(begins[i].environment, environment_before);
		ck_assert_str_eq(begins[i].name, program_invocation_name);
	}
}
END_TEST

typedef void start_hook(int argc, char **argv, char **environment);
extern start_hook *const __preinit_array_start[], *const __preinit_array_end[];

/* All of the program's: the others do no harm. */
static void call_hooks(int count, char **arguments, char **environment)
{
	begun = 0;
	for (start_hook *const *hook = __preinit_array_start;
	     hook < __preinit_array_end; hook++)
		(*hook)(count, arguments, environment);
	ck_assert_int_eq(begun, 1);
}

/* With `environ` set it holds; else there are the arguments, if any. */
START_TEST(environment)
{
	char *arguments[] = {"./name", NULL}, *given[] = {"A=B", NULL};

	call_hooks(1, arguments, given);
	ck_assert_ptr_eq(begins[0].environment, environ);
	ck_assert_str_eq(begins[0].name, program_invocation_name);
	environ = NULL;
	call_hooks(1, arguments, given);
	ck_assert_ptr_eq(begins[0].environment, given);
	ck_assert_str_eq(begins[0].name, "./name");
	call_hooks(0, NULL, given);
	ck_assert_ptr_eq(begins[0].environment, given);
	ck_assert_ptr_null(begins[0].name);
}
END_TEST

START_TEST(last_of_all)
{
	pid_t child;
	int status;

	order = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	child = fork();
	if (child == 0) {
		atexit(at_exit);
		exit(7);
	}
	waitpid(child, &status, 0);
	ck_assert_int_eq(WEXITSTATUS(status), 7);
	ck_assert_str_eq(order, "atexit destructor hook ");
	order = NULL;
}
END_TEST

Suite *unit_start_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_start", &tcase);

	tcase_add_test(tcase, before_constructors);
	tcase_add_test(tcase, environment);
	tcase_add_test(tcase, last_of_all);
	return suite;
}
