/* SPDX-License-Identifier: 0BSD */
/*
 * `make install` and `make uninstall`: files go below DESTDIR, by rename, where
 * no compiler finds them by itself, and exactly they go away again.
 */
#include "tests/harness.h"
#include "tests/suites.h"
#include "tests/ways/prefix.h"

#include <string.h>

/* All files below a folder, one a line, in order. */
static char *files_of(const char *directory)
{
	return command_output(directory, "find . ! -type d | sort");
}

static void make(const char *target, const char *destdir)
{
	command_output("/", "%s",
		       make_command("PREFIX=/opt/gcrt DESTDIR=%s %s", destdir,
				    target));
}

static void make_musl(const char *target, const char *destdir)
{
	command_output("/", "%s",
		       make_musl_command(text("PREFIX=/opt/gcrt DESTDIR=%s %s",
					      destdir, target)));
}

START_TEST(all_below_destdir)
{
	char *directory = directory_make(), *files;

	make("install", directory);
	files = files_of(directory);
	ck_assert_int_eq(text_count(files, "\n./opt/gcrt/") + 1,
			 text_count(files, "\n"));
	ck_assert_ptr_nonnull(strstr(files, "/gcrt1.o\n"));
	ck_assert_ptr_nonnull(strstr(files, "/bin/gcrt-c++\n"));
	ck_assert_ptr_nonnull(strstr(files, "/pkgconfig/gcrt.pc\n"));
	ck_assert_ptr_nonnull(strstr(files, "/man7/gcrt.7\n"));
	ck_assert_ptr_null(strstr(files, ".new\n"));
	/* DESTDIR is not where it will be */
	ck_assert_str_eq(command(directory, "grep -rlI %s .", directory).out,
			 "");
	ck_assert_str_ne(command_output(directory, "grep -rlI /opt/gcrt ."),
			 "");
}
END_TEST

/* What is found without being asked for must not have the C library's names. */
START_TEST(shadows_nothing)
{
	char *directory = directory_make();

	make("install", directory);
	ck_assert_str_eq(
		command_output(directory,
			       "find . -name '*.o' -o -name '*.a' | "
			       "grep -v '^./opt/gcrt/lib/gcrt/[^/]*/[^/]*$' || "
			       ":"),
		"");
	ck_assert_str_eq(
		command_output(directory,
			       "find . -name 'crt[1in].o' -o -name 'crt[be]*' "
			       "-o -name 'libc.*' -o -name 'Scrt*'"),
		"");
}
END_TEST

/* A second name keeps the old file; the new one is another file. */
START_TEST(by_rename)
{
	char *directory = directory_make();

	make("install", directory);
	command_output(directory,
		       "cp -r . ../before && find . -type f | while read f; "
		       "do ln $f $f.old; done");
	make("install", directory);
	ck_assert_str_eq(
		command_output(directory,
			       "find . -name '*.old' | while read f; do "
			       "test $f -ef ${f%%.old} && echo $f; done; :"),
		"");
}
END_TEST

START_TEST(uninstalls_exactly)
{
	char *directory = directory_make(), *before, *folders;

	command_output(directory, "mkdir -p opt/gcrt/share/man opt/gcrt/bin opt/gcrt/include "
				  "opt/gcrt/lib/gcrt && touch opt/gcrt/bin/x "
				  "opt/gcrt/include/gcrt.h opt/gcrt/lib/gcrt/y");
	before = files_of(directory);
	folders = command_output(directory, "find . -type d | sort");
	make("install", directory);
	ck_assert_str_ne(files_of(directory), before);
	make("uninstall", directory);
	ck_assert_str_eq(files_of(directory), before);
	ck_assert_str_eq(command_output(directory, "find . -type d | sort"),
			 folders);
	command_output(directory, "rm opt/gcrt/lib/gcrt/y");
	make("install", directory);
	make("uninstall", directory);
	ck_assert(!file_exists(text("%s/opt/gcrt/lib/gcrt", directory)));
}
END_TEST

/* Both C libraries beside one another, and either removes all. */
START_TEST(uninstalls_both)
{
	char *directory = directory_make();

	if (!prefix_has_glibc() || !prefix_has_musl())
		return;
	make("install", directory);
	make_musl("install", directory);
	ck_assert_int_eq(text_count(files_of(directory), "/libgmon.a\n"), 2);
	(_i ? make_musl : make)("uninstall", directory);
	/* no folder either: none was there before */
	ck_assert_str_eq(directory_names(directory), "");
	make("uninstall", directory); /* nothing is left to do, nor an error */
}
END_TEST

/* Every name that a manual gives can be asked for. */
START_TEST(manuals_are_there)
{
	static const char *const pages[] = {
		"man1/gcrt-cc.1",	"man1/gcrt-c++.1",
		"man3/moncontrol.3",	"man3/monstartup.3",
		"man3/mondump.3",	"man3/monreset.3",
		"man3/_mcleanup.3",	"man3/profil.3gcrt",
		"man3/sprofil.3gcrt",	"man5/gmon.out.5",
		"man7/gcrt.7",
	};
	char *directory = directory_make();

	make("install", directory);
	for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
		command_output(directory, "test -s opt/gcrt/share/man/%s",
			       pages[i]);
}
END_TEST

Suite *install_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("install", &tcase);

	tcase_add_test(tcase, all_below_destdir);
	tcase_add_test(tcase, shadows_nothing);
	tcase_add_test(tcase, by_rename);
	tcase_add_test(tcase, uninstalls_exactly);
	tcase_add_loop_test(tcase, uninstalls_both, 0, 2);
	tcase_add_test(tcase, manuals_are_there);
	return suite;
}
