/* SPDX-License-Identifier: 0BSD */
/*
 * gcrt-cc beyond the matrix: lines that it must let pass, and whose compiler it
 * calls.  A compiler that prints its words stands in for the real one.
 */
#include "tests/harness.h"
#include "tests/suites.h"
#include "tests/ways/prefix.h"

#include <stdlib.h>
#include <string.h>

static bool is_here(void)
{
	return prefix_has_glibc();
}

/* Says which machine it is for, as gcc does, or what it was called with. */
static const char *compiler_make(const char *directory, const char *name)
{
	command_output(directory,
		       "{ echo '#!/bin/sh'; echo 'case \"$*\" in'; "
		       "echo '*-print-target-triple*) exit 1;;'; "
		       "echo '*-print-multiarch*) gcc -print-multiarch;;'; "
		       "echo '*) echo ${0##*/} \"$@\";; esac'; } > %s; "
		       "chmod +x %s",
		       name, name);
	return text("%s/%s", directory, name);
}

static char *words(const char *variables, const char *line)
{
	return command_output("/", "%s %s/bin/%s", variables, prefix_path(),
			      line);
}

START_TEST(lets_pass)
{
	static const char *const lines[] = {
		"-pg -c x.c",	   "-O2 x.c -o x", "-pg -shared x.o -o x.so",
		"-pg -E x.c",	   "--version",	   "-pg -v",
		"-pg -S x.c -o x", "-pg -r x.o",   "-M -pg x.c",
	};
	char *variables;

	if (!is_here())
		return;
	variables = text("CC=%s", compiler_make(directory_make(), "my-gcc"));
	ck_assert_str_eq(words(variables, text("gcrt-cc %s", lines[_i])),
			 text("my-gcc %s\n", lines[_i]));
}
END_TEST

START_TEST(adds_what_is_needed)
{
	char *variables;

	if (!is_here())
		return;
	variables = text("CC=%s", compiler_make(directory_make(), "my-gcc"));
	ck_assert_str_eq(words(variables, "gcrt-cc -pg 'a b.c' -o x"),
			 text("my-gcc -B%s/ -pg a b.c -o x\n",
			      prefix_objects(false)));
	ck_assert_str_eq(words(variables, "gcrt-cc -pg -static x.c"),
			 text("my-gcc -Wl,--eh-frame-hdr -B%s/ -pg -static "
			      "x.c\n", prefix_objects(false)));
	ck_assert_str_eq(
		words(variables, "gcrt-cc -finstrument-functions x.c"),
		text("my-gcc -nostartfiles %s/gcrt0.o -finstrument-functions "
		     "x.c\n", prefix_objects(false)));
	ck_assert_str_eq(words(variables, "gcrt-cc -pg -nostartfiles y.o x.c"),
			 text("my-gcc -B%s/ -pg -nostartfiles y.o x.c\n",
			      prefix_objects(false)));
}
END_TEST

/* GCRT_CC before CC before cc; and never itself, however it is spelled. */
START_TEST(chooses_compiler)
{
	char *directory = directory_make(), *one, *two;

	if (!is_here())
		return;
	one = text("%s", compiler_make(directory, "one-gcc"));
	two = text("%s", compiler_make(directory, "two-gcc"));
	ck_assert_str_eq(words(text("CC=%s GCRT_CC='%s -m64'", one, two),
			       "gcrt-cc -c x.c"),
			 "two-gcc -m64 -c x.c\n");
	ck_assert_str_eq(words(text("CXX=%s CC=%s", one, two),
			       "gcrt-c++ -c x.c"),
			 "one-gcc -c x.c\n");
	ck_assert_ptr_nonnull(
		strstr(words("CC='gcrt-cc -pg'", "gcrt-cc --version"), "\n"));
	ck_assert_ptr_nonnull(
		strstr(words("CC='/usr/bin/ccache /x/gcrt-cc -pg'",
			     "gcrt-cc --version"), "\n"));
}
END_TEST

START_TEST(says_what_is_missing)
{
	struct outcome outcome;

	if (!is_here())
		return;
	outcome = command("/", "GCRT_ROOT=/nowhere %s/bin/gcrt-cc -pg x.c",
			  prefix_path());
	ck_assert_int_eq(outcome_exit(&outcome), 1);
	ck_assert_ptr_nonnull(strstr(outcome.err, "gcrt-cc: gcrt is not "
						  "installed for "));
}
END_TEST

/* Words arrive as they are, blanks and quotes too. */
START_TEST(keeps_words)
{
	char *directory = directory_make();

	if (!is_here())
		return;
	command_output(directory,
		       "echo 'int main(void) { return WORD[2] != 0x27; }' "
		       "> 'a b.c'; CC=gcc %s/bin/gcrt-cc -pg "
		       "'-DWORD=\"a '\\''b\"' 'a b.c' -o 'c d' && './c d'",
		       prefix_path());
	ck_assert(file_exists(text("%s/gmon.out", directory)));
}
END_TEST

Suite *wrapper_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("wrapper", &tcase);

	tcase_add_loop_test(tcase, lets_pass, 0, 9);
	tcase_add_test(tcase, adds_what_is_needed);
	tcase_add_test(tcase, chooses_compiler);
	tcase_add_test(tcase, says_what_is_missing);
	tcase_add_test(tcase, keeps_words);
	return suite;
}
