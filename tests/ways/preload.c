/* SPDX-License-Identifier: 0BSD */
/*
 * LD_PRELOAD=libgmon.so.1 beyond the matrix: under programs that know nothing
 * of profiling, and in place of the C library's runtime.
 */
#include "tests/suites.h"
#include "tests/truth.h"
#include "tests/ways/prefix.h"

#include <string.h>

#define PRELOAD "LD_PRELOAD=%s/libgmon.so.1"

static const char *const compilers[] = {"gcc", "clang-14", "clang-19"};
static const char *const bindings[] = {"-Wl,-z,lazy", "-Wl,-z,now"};
enum { COMPILER_COUNT = 3, BINDING_COUNT = 2 };

static char *programs(const char *name)
{
	return text("%s/tests/programs/%s", setting("SOURCE"), name);
}

static bool is_here(const char *compiler)
{
	if (!prefix_has_glibc())
		return false;
	if (command("/", "command -v %s", compiler).status == 0)
		return true;
	skip("LD_PRELOAD: there is no %s", compiler);
	return false;
}

/* Only a library was compiled with -pg: 52 calls, and the host as it was. */
static void check_library(const char *compiler, const char *binding,
			  const char *options, const char *sums)
{
	char *directory = directory_make();
	struct outcome outcome;

	command_output(directory,
		       "%s -O1 -pg -shared -fPIC %s -o libplugin.so %s && "
		       "%s -O1 %s -o stranger -L. -lplugin -Wl,-rpath,. %s",
		       compiler, programs("plugin.c"), binding, compiler,
		       programs("stranger.c"), binding);
	outcome = command(directory, "GMON_OPTIONS=verbose=1%s " PRELOAD
				     " ./stranger",
			  options, prefix_library(false));
	ck_assert_int_eq(outcome_exit(&outcome), 7);
	ck_assert_str_eq(outcome.out, "done\n");
	ck_assert_msg(text_count(outcome.err, sums) == 1, "%s %s: %s",
		      compiler, binding, outcome.err);
	ck_assert(file_exists(text("%s/gmon.out", directory)));
}

START_TEST(library_only)
{
	const char *compiler = compilers[_i / BINDING_COUNT];
	const char *binding = bindings[_i % BINDING_COUNT];

	if (!is_here(compiler))
		return;
	check_library(compiler, binding, "",
		      " 0 arcs, 0 calls, 52 outside, 0 lost\n");
	check_library(compiler, binding, ":images=all",
		      " 4 arcs, 52 calls, 0 outside, 0 lost\n");
}
END_TEST

/* The variable is inherited by everything that the program starts. */
START_TEST(leaves_strangers_alone)
{
	char *directory = directory_make();
	struct outcome outcome;

	if (!is_here("gcc"))
		return;
	command_output(directory, "mkdir empty");
	outcome = command(text("%s/empty", directory),
			  "GMON_OPTIONS=verbose=1:fatal=1 " PRELOAD
			  " sh -c 'ls -l / | sort | (read x; exit 5)'",
			  prefix_library(false));
	ck_assert_int_eq(outcome_exit(&outcome), 5);
	ck_assert_str_eq(outcome.err, "");
	ck_assert_str_eq(directory_names(text("%s/empty", directory)), "");
}
END_TEST

/* Names, control and files of the C library's runtime are all ours. */
START_TEST(takes_over)
{
	const char *compiler = compilers[_i];
	char *directory = directory_make();
	struct profile profile;
	struct outcome outcome;

	if (!is_here(compiler))
		return;
	command_output(directory, "%s -O1 -pg %s -o paused", compiler,
		       programs("paused.c"));
	outcome = command(directory, "GMON_OPTIONS=verbose=1 "
				     "GMON_OUT_PREFIX=our " PRELOAD " ./paused",
			  prefix_library(false));
	ck_assert_msg(outcome.status == 0, "%s", outcome.err);
	ck_assert_int_eq(text_count(outcome.err, "gcrt: our."), 1);
	ck_assert_str_eq(command_output(directory,
					"ls | sed 's/[0-9]//g'"),
			 "our.\npaused\n");
	profile = profile_read(directory, "paused", "our.*");
	truth_check("paused.c", "", &profile, compiler);
}
END_TEST

/* Calls while it begins, in other threads; and forks before it has begun. */
START_TEST(begins_late)
{
	static const char *const kinds[] = {"middle", "forks"};
	char *directory = directory_make();
	struct profile profile;
	struct outcome outcome;

	if (!is_here("gcc"))
		return;
	command_output(directory, "gcc -O1 -pg -c %s && gcc -rdynamic "
				  "-pthread latecomers.o -ldl -o latecomers",
		       programs("latecomers.c"));
	outcome = command(directory, PRELOAD " ./latecomers %s",
			  prefix_library(false), kinds[_i]);
	ck_assert_int_eq(outcome_exit(&outcome), 0);
	ck_assert_str_eq(outcome.err, "");
	if (_i)
		ck_assert_str_eq(command_output(directory, "ls gmon.out* | "
							   "wc -l"),
				 "4\n");
	else {
		profile = profile_read(directory, "latecomers", "gmon.out");
		truth_check("latecomers.c", "", &profile, outcome.command);
	}
}
END_TEST

/* It begins with the first call, or with the first word about calls. */
START_TEST(off_before_it_has_begun)
{
	char *directory = directory_make();
	struct outcome outcome;

	if (!is_here("gcc"))
		return;
	command_output(directory,
		       "echo 'void work(void) {}' | "
		       "gcc -O1 -pg -x c -c - -o work.o && "
		       "echo 'void moncontrol(int); void work(void); "
		       "int main(void) { moncontrol(0); work(); "
		       "moncontrol(1); work(); }' | "
		       "gcc work.o -x c - -o p");
	outcome = command(directory, "GMON_OPTIONS=verbose=1 " PRELOAD " ./p",
			  prefix_library(false));
	ck_assert_msg(strstr(outcome.err, " 1 arcs, 1 calls, 0 outside"),
		      "%s", outcome.err);
}
END_TEST

/* No version would do for programs that ask for mcount@GLIBC_2.2.5. */
START_TEST(has_the_right_shape)
{
	char *dynamic, *symbols;

	if (!is_here("gcc"))
		return;
	dynamic = command_output(prefix_library(false), "%s -d libgmon.so.1",
				 setting("READELF"));
	symbols = command_output(prefix_library(false),
				 "%s -D --defined-only libgmon.so",
				 setting("NM"));
	ck_assert_ptr_nonnull(strstr(dynamic, "soname: [libgmon.so.1]"));
	ck_assert_ptr_nonnull(strstr(dynamic, "STATIC_TLS"));
	ck_assert_ptr_nonnull(strstr(symbols, " mcount\n"));
	ck_assert_ptr_null(strchr(symbols, '@'));
	command_output(prefix_library(false), "test -h libgmon.so && "
					      "test -h libgmon.so.1 && "
					      "test -f libgmon.so.1.*");
}
END_TEST

Suite *preload_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("preload", &tcase);

	tcase_add_loop_test(tcase, begins_late, 0, 2);
	tcase_add_test(tcase, off_before_it_has_begun);
	tcase_add_loop_test(tcase, library_only, 0,
			    COMPILER_COUNT * BINDING_COUNT);
	tcase_add_test(tcase, leaves_strangers_alone);
	tcase_add_loop_test(tcase, takes_over, 0, COMPILER_COUNT);
	tcase_add_test(tcase, has_the_right_shape);
	return suite;
}
