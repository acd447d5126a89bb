/* SPDX-License-Identifier: 0BSD */
/*
 * The file: there whole or not at all, nothing in its way is hurt, nothing is
 * left over, and every failure is one line.
 */
#include "gmon/output.h"
#include "tests/harness.h"
#include "tests/suites.h"
#include "tests/unit/tools.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static void begin(void)
{
	directory_enter();
	output_start();
	saying_begin();
}

static void make_file(const char *name, const char *contents)
{
	FILE *file = fopen(name, "w");

	ck_assert_ptr_nonnull(file);
	fputs(contents, file);
	fclose(file);
}

static void make_directory(const char *name)
{
	ck_assert_int_eq(mkdir(name, 0777), 0);
}

static void assert_file(const char *name, const char *contents)
{
	char *found = file_read(name, NULL);

	ck_assert_ptr_nonnull(found);
	ck_assert_str_eq(found, contents);
}

/* Write some text under a name. */
static bool put_text(const char *name, const char *string)
{
	struct sink *sink = output_open(name);

	if (!sink)
		return false;
	sink_put(sink, string, strlen(string));
	return output_close();
}

START_TEST(new_file)
{
	begin();
	ck_assert(put_text("gmon.out", "profile"));
	assert_file("gmon.out", "profile");
	ck_assert_str_eq(output_path(), "gmon.out");
	ck_assert_str_eq(directory_names("."), "gmon.out ");
	ck_assert_int_eq(lines_said(), 0);
}
END_TEST

/* Until it is closed the old one is there, whole; then the new one. */
START_TEST(replaced_at_once)
{
	struct sink *sink;
	struct stat before, after;

	begin();
	make_file("gmon.out", "an old profile, longer than the new one");
	stat("gmon.out", &before);
	sink = output_open("gmon.out");
	sink_put(sink, "new", 3);
	assert_file("gmon.out", "an old profile, longer than the new one");
	ck_assert(output_close());
	assert_file("gmon.out", "new");
	stat("gmon.out", &after);
	ck_assert_uint_ne(before.st_ino, after.st_ino);
	ck_assert_str_eq(directory_names("."), "gmon.out ");
	ck_assert_int_eq(lines_said(), 0);
}
END_TEST

/* More than one buffer, in pieces of every size. */
START_TEST(many_pieces)
{
	static char all[300000];
	struct sink *sink;
	size_t size = 0;
	char *found;

	begin();
	for (size_t i = 0; i < sizeof all; i++)
		all[i] = (char)(i * 31 + i / 251);
	sink = output_open("gmon.out");
	for (size_t piece = 1; size + piece <= sizeof all; piece += 7) {
		sink_put(sink, all + size, piece % 600);
		size += piece % 600;
	}
	ck_assert(output_close());
	found = file_read("gmon.out", &size);
	ck_assert_uint_gt(size, 16384);
	ck_assert_int_eq(memcmp(found, all, size), 0);
}
END_TEST

START_TEST(no_descriptor_is_left)
{
	int before, after;

	begin();
	before = dup(0);
	close(before);
	put_text("gmon.out", "x");
	put_text("missing/gmon.out", "x");
	make_directory("gmon.dir");
	put_text("gmon.dir", "x");
	after = dup(0);
	ck_assert_int_eq(before, after);
}
END_TEST

static void make_link(const char *name)
{
	make_file("precious", "data");
	ck_assert_int_eq(symlink("precious", name), 0);
}

static void make_dangling_link(const char *name)
{
	ck_assert_int_eq(symlink("not there", name), 0);
}

static void make_fifo(const char *name)
{
	ck_assert_int_eq(mkfifo(name, 0666), 0);
}

static void make_two_names(const char *name)
{
	make_file("precious", "data");
	ck_assert_int_eq(link("precious", name), 0);
}

static void make_device(const char *name)
{
	if (mknod(name, S_IFCHR | 0666, 1 << 8 | 7) == 0) /* /dev/full */
		return;
	skip("unit_output: a device in the way (mknod: %s)", strerror(errno));
	make_fifo(name);
}

static void make_others_file(const char *name)
{
	make_file(name, "data");
	if (chown(name, 12345, 12345) == 0)
		return;
	skip("unit_output: another user's file (chown: %s)", strerror(errno));
	ck_assert_int_eq(remove(name), 0);
	make_fifo(name);
}

static void (*const in_the_way[])(const char *name) = {
	make_link,   make_dangling_link, make_fifo,	  make_directory,
	make_device, make_two_names,	 make_others_file,
};
enum { IN_THE_WAY_COUNT = sizeof in_the_way / sizeof *in_the_way };

/* It is neither opened (a FIFO would hang) nor replaced. */
START_TEST(left_alone)
{
	struct stat before, after;
	char *names;

	begin();
	in_the_way[_i]("gmon.out");
	ck_assert_int_eq(lstat("gmon.out", &before), 0);
	names = directory_names(".");
	alarm(20);
	ck_assert(!put_text("gmon.out", "profile"));
	alarm(0);
	ck_assert_int_eq(lstat("gmon.out", &after), 0);
	ck_assert_uint_eq(before.st_ino, after.st_ino);
	ck_assert_uint_eq(before.st_mode, after.st_mode);
	ck_assert_int_eq((int)before.st_size, (int)after.st_size);
	if (file_exists("precious"))
		assert_file("precious", "data");
	ck_assert_str_eq(directory_names("."), names);
	ck_assert_int_eq(lines_said(), 1);
}
END_TEST

/* A device by its own name, and the one that stands for nothing. */
START_TEST(devices)
{
	struct stat before, after;

	begin();
	ck_assert(!put_text("/dev/null", "profile"));
	ck_assert_int_eq(lines_said(), 0);
	stat("/dev/full", &before);
	ck_assert(!put_text("/dev/full", "profile"));
	ck_assert_int_eq(lines_said(), 1);
	stat("/dev/full", &after);
	ck_assert_uint_eq(before.st_ino, after.st_ino);
	ck_assert(S_ISCHR(after.st_mode));
}
END_TEST

static void seen(int signal)
{
	(void)signal;
	_exit(9); /* which fails the test */
}

/*
 * A file that may not grow: the old one stays, and no signal is seen.  Check
 * writes files, too, so nothing is asserted under the limit.
 */
START_TEST(file_size_limit)
{
	struct rlimit limit = {_i / 2 ? 20000 : 3, RLIM_INFINITY};
	static char bytes[1000];
	struct sink *sink;
	bool closed = true;

	begin();
	make_file("gmon.out", "old");
	signal(SIGXFSZ, _i % 2 ? SIG_DFL : seen);
	setrlimit(RLIMIT_FSIZE, &limit);
	sink = output_open("gmon.out");
	for (int i = 0; sink && i < 40; i++)
		sink_put(sink, bytes, sizeof bytes);
	if (sink)
		closed = output_close();
	limit.rlim_cur = RLIM_INFINITY;
	setrlimit(RLIMIT_FSIZE, &limit);
	ck_assert(!closed);
	assert_file("gmon.out", "old");
	ck_assert_str_eq(directory_names("."), "gmon.out ");
	if (_i / 2) { /* else stderr may not grow either */
		ck_assert_int_eq(lines_said(), 1);
		ck_assert_ptr_nonnull(strstr(said(), "File too large"));
	}
	ck_assert(put_text("gmon.out", "as if nothing had been"));
}
END_TEST

/* The device is full: where a small file system may be mounted. */
START_TEST(full_disk)
{
	static char bytes[1000];
	struct sink *sink;

	begin();
	make_directory("disk");
	if (unshare(CLONE_NEWNS) != 0 ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
	    mount("tmpfs", "disk", "tmpfs", 0, "size=64k") != 0) {
		skip("unit_output: a full disk (mount: %s)", strerror(errno));
		return;
	}
	make_file("disk/gmon.out", "old");
	sink = output_open("disk/gmon.out");
	for (int i = 0; i < 200; i++)
		sink_put(sink, bytes, sizeof bytes);
	ck_assert(!output_close());
	assert_file("disk/gmon.out", "old");
	ck_assert_str_eq(directory_names("disk"), "gmon.out ");
	ck_assert_int_eq(lines_said(), 1);
	ck_assert_ptr_nonnull(strstr(said(), "No space left on device"));
}
END_TEST

/* The folder is gone or takes nothing: the one at start is next. */
START_TEST(start_directory)
{
	char *start;

	begin();
	start = getcwd(NULL, 0);
	make_directory("other");
	ck_assert_int_eq(chdir("other"), 0);
	ck_assert_int_eq(rmdir("../other"), 0);
	ck_assert(put_text("gmon.out", "profile"));
	assert_file(text("%s/gmon.out", start), "profile");
	ck_assert_str_eq(output_path(), text("%s/gmon.out", start));
	ck_assert_int_eq(lines_said(), 1);
	ck_assert_ptr_nonnull(strstr(said(), output_path()));
}
END_TEST

/* The root's name ends in a slash already. */
START_TEST(start_at_root)
{
	begin();
	ck_assert(chdir("/") == 0 && output_start());
	ck_assert_int_eq(chdir("/dev"), 0);
	ck_assert(!put_text("proc/gmon.out", "profile"));
	ck_assert_str_eq(output_path(), "/proc/gmon.out");
	ck_assert_ptr_nonnull(strstr(said(), " /proc/gmon.out: "));
}
END_TEST

/* What is in the way is left alone, and nothing is written elsewhere. */
START_TEST(no_way_round)
{
	begin();
	make_directory("other");
	ck_assert_int_eq(chdir("other"), 0);
	make_fifo("gmon.out");
	ck_assert(!put_text("gmon.out", "profile"));
	ck_assert_str_eq(directory_names(".."), "other ");
	ck_assert_int_eq(lines_said(), 1);
}
END_TEST

/* Both take nothing; an absolute name has one try only. */
START_TEST(nowhere)
{
	begin();
	ck_assert(!put_text("missing/gmon.out", "profile"));
	ck_assert_int_eq(lines_said(), 1);
	ck_assert(!put_text("/proc/gmon.out", "profile"));
	ck_assert_int_eq(lines_said(), 2);
	ck_assert(!put_text("/dev/null/gmon.out", "profile"));
	ck_assert_int_eq(lines_said(), 3);
	ck_assert_str_eq(directory_names("."), "");
}
END_TEST

/* An old file in a folder that takes no new ones is written in place. */
START_TEST(in_place)
{
	struct stat before, after;

	begin();
	become_nobody();
	make_file("gmon.out", "an old profile, longer than the new one");
	ck_assert_int_eq(chmod(".", 0555), 0);
	stat("gmon.out", &before);
	ck_assert(put_text("gmon.out", "new"));
	stat("gmon.out", &after);
	ck_assert_uint_eq(before.st_ino, after.st_ino);
	assert_file("gmon.out", "new");
	ck_assert_int_eq(lines_said(), 1);
	ck_assert(!put_text("another", "new"));
	ck_assert_int_eq(lines_said(), 2);
	ck_assert_int_eq(chmod("gmon.out", 0444), 0);
	ck_assert(!put_text("gmon.out", "newer"));
	assert_file("gmon.out", "new");
	ck_assert_int_eq(lines_said(), 3);
}
END_TEST

/* A name of any length is an answer, never an overflow. */
START_TEST(long_names)
{
	static char name[PATH_MAX];
	size_t size = (size_t)(PATH_MAX - 1 - _i * 7);

	begin();
	memset(name, 'a', size);
	for (size_t i = 200; i < size && _i % 2; i += 200)
		name[i] = '/';
	ck_assert(!put_text(name, "profile"));
	ck_assert_int_eq(lines_said(), 1);
	memset(name, 'b', 255);
	name[255] = '\0';
	ck_assert(put_text(name, "profile"));
	assert_file(name, "profile");
}
END_TEST

Suite *unit_output_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_output", &tcase);

	tcase_add_test(tcase, new_file);
	tcase_add_test(tcase, replaced_at_once);
	tcase_add_test(tcase, many_pieces);
	tcase_add_test(tcase, no_descriptor_is_left);
	tcase_add_loop_test(tcase, left_alone, 0, IN_THE_WAY_COUNT);
	tcase_add_test(tcase, devices);
	tcase_add_loop_test(tcase, file_size_limit, 0, 4);
	tcase_add_test(tcase, full_disk);
	tcase_add_test(tcase, start_directory);
	tcase_add_test(tcase, start_at_root);
	tcase_add_test(tcase, no_way_round);
	tcase_add_test(tcase, nowhere);
	tcase_add_test(tcase, in_place);
	tcase_add_loop_test(tcase, long_names, 0, 8);
	return suite;
}
