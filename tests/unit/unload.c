/* SPDX-License-Identifier: 0BSD */
/* dlclose(): the C library's, and around it the counts that would be lost. */
#include "gmon/life.h"
#include "gmon/state.h"
#include "tests/harness.h"
#include "tests/suites.h"
#include "tests/unit/tools.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

int dlclose_static(void *handle);

static char handle;
static struct identity identity;
static struct link_map library = {.l_addr = 0x7000};
static int result;

/* What dlinfo says, and what there is to be found. */
static struct link_map *map;
static int dlinfo_result;
static bool has_dlinfo, has_dlclose;

static int next_dlclose(void *closed)
{
	ck_assert_ptr_eq(closed, &handle);
	note("close");
	return result;
}

static int next_dlinfo(void *asked, int request, void *answer)
{
	ck_assert_ptr_eq(asked, &handle);
	ck_assert_int_eq(request, RTLD_DI_LINKMAP);
	*(struct link_map **)answer = map;
	return dlinfo_result;
}

void *dlsym(void *where, const char *name)
{
	if (has_dlclose && strcmp(name, "dlclose") == 0 && where == RTLD_NEXT)
		return (void *)next_dlclose;
	if (has_dlinfo && strcmp(name, "dlinfo") == 0 && where == RTLD_DEFAULT)
		return (void *)next_dlinfo;
	return NULL;
}

void life_unloading(uintptr_t bias)
{
	note("unloading(%lx)", (unsigned long)bias);
}

void life_unloaded(void)
{
	note("unloaded");
}

/* All is there, and all images are counted. */
static void start(void)
{
	state.identity = &identity;
	state.options.all_images = true;
	has_dlclose = has_dlinfo = true;
	map = &library;
	dlinfo_result = 0;
}

/* The bias is asked for while there is a library; what it did is told. */
START_TEST(counts_are_taken)
{
	start();
	result = _i;
	ck_assert_int_eq(dlclose(&handle), _i);
	ck_assert_str_eq(notes(), "unloading(7000) close unloaded");
}
END_TEST

static void without_dlinfo(void)
{
	has_dlinfo = false;
}

static void failing_dlinfo(void)
{
	dlinfo_result = -1;
}

static void empty_dlinfo(void)
{
	map = NULL;
}

static void (*const unknown[])(void) = {without_dlinfo, failing_dlinfo,
					empty_dlinfo};

/* Which library it is cannot be told: it is unloaded all the same. */
START_TEST(bias_is_unknown)
{
	start();
	unknown[_i]();
	ck_assert_int_eq(dlclose(&handle), 0);
	ck_assert_str_eq(notes(), "unloading(0) close unloaded");
}
END_TEST

/* images=main, or not begun: the C library's, untouched. */
START_TEST(nothing_to_keep)
{
	start();
	result = 5;
	if (_i)
		state.identity = NULL;
	else
		state.options.all_images = false;
	ck_assert_int_eq(dlclose(&handle), 5);
	ck_assert_str_eq(notes(), "close");
}
END_TEST

/* Nobody there who could unload: the library stays, and keeps its place. */
START_TEST(nobody_unloads)
{
	start();
	has_dlclose = false;
	result = 5;
	ck_assert_int_eq(dlclose(&handle), 0);
	ck_assert_int_eq(dlclose_static(&handle), 0);
	ck_assert_str_eq(notes(), "");
}
END_TEST

Suite *unit_unload_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_unload", &tcase);

	tcase_add_loop_test(tcase, counts_are_taken, -1, 2);
	tcase_add_loop_test(tcase, bias_is_unknown, 0,
			    sizeof unknown / sizeof *unknown);
	tcase_add_loop_test(tcase, nothing_to_keep, 0, 2);
	tcase_add_test(tcase, nobody_unloads);
	return suite;
}
