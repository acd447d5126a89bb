/* SPDX-License-Identifier: 0BSD */
/* Which files may be overwritten, and in which folders. */
#include "gmon/owned.h"
#include "tests/harness.h"
#include "tests/suites.h"
#include "tests/unit/tools.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static const struct {
	mode_t mode;
	nlink_t links;
	int user; /* over ours */
	const char *what;
} files[] = {
	{S_IFREG | 0644, 1, 0, NULL},
	/* looked at while another process renamed its profile over it */
	{S_IFREG | 0644, 0, 0, NULL},
	{S_IFREG | 0644, 2, 0, "a file with several names"},
	{S_IFREG | 0644, 1, 1, "another user's file"},
	{S_IFLNK | 0777, 1, 0, "a symbolic link"},
	{S_IFDIR | 0755, 2, 0, "a directory"},
	{S_IFIFO | 0644, 1, 0, "not a regular file"},
	{S_IFCHR | 0666, 1, 0, "not a regular file"},
	{S_IFSOCK | 0666, 1, 0, "not a regular file"},
};

START_TEST(what_is_ours)
{
	struct stat status = {
		.st_mode = files[_i].mode,
		.st_nlink = files[_i].links,
		.st_uid = geteuid() + (uid_t)files[_i].user,
	};
	const char *what;

	ck_assert_int_eq(owned_file(&status, &what), !files[_i].what);
	ck_assert_pstr_eq(what, files[_i].what);
}
END_TEST

static void make(const char *name)
{
	close(open(name, O_CREAT | O_WRONLY, 0644));
}

/* The errno with which a name is refused, or 0. */
static int refusal(int at, const char *name)
{
	int file = owned_open(at, name);

	if (file < 0)
		return -file;
	ck_assert_int_eq(fcntl(file, F_GETFD), FD_CLOEXEC);
	ck_assert_int_eq(fcntl(file, F_GETFL) & O_ACCMODE, O_WRONLY);
	close(file);
	return 0;
}

START_TEST(names)
{
	int at;

	directory_enter();
	make("plain");
	make("linked");
	link("linked", "other");
	symlink("plain", "symbolic");
	mkfifo("fifo", 0600);
	at = open(".", O_PATH | O_DIRECTORY);
	ck_assert_int_eq(refusal(AT_FDCWD, "plain"), 0);
	ck_assert_int_eq(refusal(AT_FDCWD, "./plain"), 0);
	ck_assert_int_eq(refusal(at, "plain"), 0);
	ck_assert_int_eq(refusal(AT_FDCWD, "linked"), EACCES);
	ck_assert_int_eq(refusal(AT_FDCWD, "symbolic"), ELOOP);
	ck_assert_int_eq(refusal(AT_FDCWD, "fifo"), ENXIO); /* no reader */
	ck_assert_int_eq(refusal(AT_FDCWD, "none"), ENOENT);
	ck_assert_int_eq(refusal(AT_FDCWD, "none/plain"), ENOENT);
	ck_assert_int_eq(refusal(AT_FDCWD, text("%05000d/plain", 0)),
			 ENAMETOOLONG);
	/* what is in it stays, and no descriptor is left */
	ck_assert_int_eq(open(".", O_PATH | O_DIRECTORY), at + 1);
}
END_TEST

/* Where others can change names, only a sticky folder will do. */
START_TEST(folders)
{
	directory_enter();
	mkdir("here", 0755);
	make("here/plain");
	ck_assert_int_eq(refusal(AT_FDCWD, "here/plain"), 0);
	chmod("here", 0777);
	ck_assert_int_eq(refusal(AT_FDCWD, "here/plain"), EACCES);
	chmod("here", 0775);
	ck_assert_int_eq(refusal(AT_FDCWD, "here/plain"), EACCES);
	chmod("here", 01777);
	ck_assert_int_eq(refusal(AT_FDCWD, "here/plain"), 0);
}
END_TEST

Suite *unit_owned_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_owned", &tcase);

	tcase_add_loop_test(tcase, what_is_ours, 0,
			    sizeof files / sizeof *files);
	tcase_add_test(tcase, names);
	tcase_add_test(tcase, folders);
	return suite;
}
