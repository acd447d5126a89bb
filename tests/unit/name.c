/* SPDX-License-Identifier: 0BSD */
/* What the file is called: every rule, and names that are too long. */
#include "gmon/name.h"
#include "tests/harness.h"
#include "tests/suites.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/utsname.h>

static const struct {
	const char *profdir, *prefix, *file;
	int pid;
	bool child;
	const char *name; /* null: no file */
	bool has_pid;
} rules[] = {
	{NULL, NULL, NULL, 77, false, "gmon.out", false},
	{NULL, NULL, NULL, 77, true, "gmon.out.77", false},
	{NULL, "p", NULL, 77, false, "p.77", true},
	{NULL, "p", NULL, 77, true, "p.77", true},
	{NULL, "/tmp/x/p", NULL, 4194304, false, "/tmp/x/p.4194304", true},
	{"dir", NULL, NULL, 77, false, "dir/77.prog", true},
	{"dir", NULL, NULL, 77, true, "dir/77.prog", true},
	{"/d/e/", NULL, NULL, 1, false, "/d/e//1.prog", true},
	{"dir", "p", NULL, 77, false, "dir/77.prog", true},
	{"dir", NULL, NULL, INT_MAX, false, "dir/2147483647.prog", true},
	/* an empty PROFDIR means nothing, whatever else is said */
	{"", NULL, NULL, 77, false, NULL, true},
	{"", "p", "f", 77, true, NULL, true},
	/* file= is the strongest of the others */
	{"dir", "p", "f", 77, false, "f", false},
	{"dir", "p", "f", 77, true, "f.77", false},
	{NULL, NULL, "%p", 77, true, "77", true},
	{NULL, NULL, "%n.%p.x", 77, false, "prog.77.x", true},
	{NULL, NULL, "%n.%r", 77, false, "prog.12", false},
	{NULL, NULL, "%n.%r", 77, true, "prog.12.77", false},
	{NULL, NULL, "100%%p", 77, false, "100%p", false},
	{NULL, NULL, "100%%%p", 77, false, "100%77", true},
	{NULL, NULL, "a%:b%:%%%:c", 77, false, "a:b:%:c", false},
	{NULL, NULL, "%:%p%:x%p", 5, false, ":5:x5", true},
};
enum { RULE_COUNT = sizeof rules / sizeof *rules };

static int make(char name[PATH_MAX], const char *profdir, const char *prefix,
		const char *file, int pid, bool child)
{
	struct options options = {.profdir = profdir, .prefix = prefix,
				  .file = file, .rank = "12"};

	memset(name, 'x', PATH_MAX);
	return name_make(name, &options, pid, child);
}

START_TEST(every_rule)
{
	struct options options = {.profdir = rules[_i].profdir,
				  .prefix = rules[_i].prefix,
				  .file = rules[_i].file};
	char name[PATH_MAX];
	int result;

	name_start("/usr/bin/prog");
	result = make(name, rules[_i].profdir, rules[_i].prefix, rules[_i].file,
		      rules[_i].pid, rules[_i].child);
	if (!rules[_i].name) {
		ck_assert_int_eq(result, 1);
		return;
	}
	ck_assert_int_eq(result, 0);
	ck_assert_str_eq(name, rules[_i].name);
	ck_assert_int_eq(name_has_pid(&options), rules[_i].has_pid);
}
END_TEST

static const struct {
	const char *argv0, *program;
} programs[] = {
	{"prog", "prog"},	 {"./a/prog", "prog"}, {"/prog", "prog"},
	{"-sh", "-sh"},		 {"", "a.out"},	       {NULL, "a.out"},
	{"dir/", "a.out"},	 {"a b\tc", "a b\tc"}, {"//x//y", "y"},
};

START_TEST(program_names)
{
	char name[PATH_MAX];

	name_start(programs[_i].argv0);
	ck_assert_int_eq(make(name, NULL, NULL, "%n", 1, false), 0);
	ck_assert_str_eq(name, programs[_i].program);
}
END_TEST

/* Values that come from elsewhere cannot lead into another folder. */
START_TEST(slashes)
{
	struct options options = {.file = "d/%r.x", .rank = "../../etc/9"};
	char name[PATH_MAX];

	ck_assert_int_eq(name_make(name, &options, 1, false), 0);
	ck_assert_str_eq(name, "d/.._.._etc_9.x");
}
END_TEST

START_TEST(host)
{
	char name[PATH_MAX];
	struct utsname names;

	uname(&names);
	ck_assert_int_eq(make(name, NULL, NULL, "%h-%h", 1, false), 0);
	ck_assert_str_eq(name, text("%s-%s", names.nodename, names.nodename));
}
END_TEST

/* The longest path and one more, by every way that makes a name. */
START_TEST(too_long)
{
	static const struct {
		const char *rest;
		int way;
	} ways[] = {{"/77.prog", 0}, {".77", 1}, {"", 2}, {".77", 3}};
	size_t room = PATH_MAX - 1 - strlen(ways[_i].rest);
	char part[PATH_MAX + 2] = "", name[PATH_MAX];
	int way = ways[_i].way;

	name_start("prog");
	for (size_t size = room - 1; size <= room + 2; size++) {
		int result;

		memset(part, 'a', size);
		part[size] = '\0';
		result = make(name, way == 0 ? part : NULL,
			      way == 1 ? part : NULL, way > 1 ? part : NULL, 77,
			      way == 3);
		if (size > room) {
			ck_assert_int_eq(result, -ENAMETOOLONG);
			continue;
		}
		ck_assert_int_eq(result, 0);
		ck_assert_str_eq(name, text("%s%s", part, ways[_i].rest));
	}
}
END_TEST

/* A program's name of any length is cut at what a file's may have. */
START_TEST(long_program)
{
	char argv0[2000] = "", name[PATH_MAX];

	memset(argv0, 'b', sizeof argv0 - 1);
	name_start(argv0);
	ck_assert_int_eq(make(name, NULL, NULL, "%n", 1, false), 0);
	ck_assert_uint_eq(strlen(name), NAME_MAX);
	ck_assert_uint_eq(strspn(name, "b"), NAME_MAX);
	name_start("short");
	make(name, NULL, NULL, "%n", 1, false);
	ck_assert_str_eq(name, "short");
}
END_TEST

Suite *unit_name_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_name", &tcase);

	tcase_add_loop_test(tcase, every_rule, 0, RULE_COUNT);
	tcase_add_loop_test(tcase, program_names, 0,
			    sizeof programs / sizeof *programs);
	tcase_add_test(tcase, slashes);
	tcase_add_test(tcase, host);
	tcase_add_loop_test(tcase, too_long, 0, 4);
	tcase_add_test(tcase, long_program);
	return suite;
}
