/* SPDX-License-Identifier: 0BSD */
/* Where the file goes: PROFDIR, GMON_OUT_PREFIX, file=, gmon.out. */
#include "tests/gprof/unharmed.h"
#include "tests/suites.h"

#include <stdlib.h>
#include <string.h>

/* One run; in `files` and `in_d` P stands for the process's number. */
struct naming {
	const char *environment; /* words of the shell */
	int lines;
	const char *files; /* all in the folder, beside d and plain */
	const char *in_d;  /* all in d */
};

static const struct naming namings[] = {
	{"", 0, "gmon.out", ""},
	{"PROFDIR=d", 0, "", "P.odd"},
	{"PROFDIR=./d/", 0, "", "P.odd"},
	{"PROFDIR=", 0, "", ""},
	{"PROFDIR= GMON_OUT_PREFIX=p GMON_OPTIONS=file=x", 0, "", ""},
	{"PROFDIR=nowhere", 1, "", ""},
	{"PROFDIR=plain", 1, "", ""},
	{"PROFDIR=$(printf %05000d 0)", 1, "", ""},
	{"GMON_OUT_PREFIX=p", 0, "p.P", ""},
	{"GMON_OUT_PREFIX=", 0, "gmon.out", ""},
	{"GMON_OUT_PREFIX= PROFDIR=d", 0, "", "P.odd"},
	{"GMON_OUT_PREFIX=d/p", 0, "", "p.P"},
	{"GMON_OUT_PREFIX=nowhere/p", 1, "", ""},
	{"GMON_OUT_PREFIX=p PROFDIR=d", 0, "", "P.odd"},
	{"GMON_OPTIONS=file=d/%n-%p.%%x%:y", 0, "", "odd-P.%x:y"},
	{"GMON_OPTIONS=file=one GMON_OUT_PREFIX=p PROFDIR=d", 0, "one", ""},
	{"GMON_OPTIONS=file=/dev/null", 0, "", ""},
	{"GMON_OPTIONS=file=%", 1, "gmon.out", ""},
	{"GMON_OPTIONS=file=", 1, "gmon.out", ""},
};

enum { NAMING_COUNT = sizeof namings / sizeof *namings };

/* The names with P replaced, each followed by a blank, and `more`. */
static char *names_of(const char *names, const char *pid, const char *more)
{
	const char *p = strchr(names, 'P');

	if (!*names)
		return text("%s", more);
	return p ? text("%.*s%s%s %s", (int)(p - names), names, pid, p + 1,
			more)
		 : text("%s %s", names, more);
}

static void name_is(const struct naming *naming, const struct mode *mode)
{
	char *program = program_build(mode, "tiny.c", "-O1");
	char *directory = directory_make(), *pid;
	struct outcome outcome = command(
		directory,
		"mkdir d; echo as before >plain; ln -s %s ../odd$$; "
		"mkdir ../o$$; mv ../odd$$ ../o$$/odd; echo $$ >../o$$/pid; "
		"export PATH=$PATH %s; exec %s ../o$$/odd",
		program, naming->environment, setting("RUN"));

	pid = command_output(directory, "cat ../o*/pid | tr -d '\\n'; "
					"rm -r ../o[0-9]*");
	unharmed_check(&outcome, naming->lines);
	ck_assert_str_eq(directory_names(text("%s/d", directory)),
			 names_of(naming->in_d, pid, ""));
	/* all of ours sort around "d" and "plain" */
	ck_assert_str_eq(command_output(directory,
					"ls | grep -vx 'd\\|plain' | "
					"tr '\\n' ' '"),
			 names_of(naming->files, pid, ""));
	ck_assert_str_eq(file_read(text("%s/plain", directory), NULL),
			 "as before\n");
}

START_TEST(names_hold)
{
	name_is(&namings[_i], _i % 2 ? mode_found : mode_alone);
	if (mode_is_there(mode_alone_static) && _i < 9)
		name_is(&namings[_i], mode_alone_static);
}
END_TEST

/* Any of them is a whole profile. */
START_TEST(named_file_is_whole)
{
	char *program = program_build(mode_alone, "tiny.c", "-O1");
	char *directory = directory_make();
	struct outcome outcome;
	struct profile profile;

	setenv("PROFDIR", "..", 1);
	setenv("PROFDIR", directory, 1);
	outcome = program_run(directory_make(), program, "");
	unharmed_check(&outcome, 0);
	profile = profile_read(directory, program, "[1-9]*.tiny-*");
	truth_check("tiny.c", "", &profile, "PROFDIR");
}
END_TEST

Suite *names_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("names", &tcase);

	tcase_add_loop_test(tcase, names_hold, 0, NAMING_COUNT);
	tcase_add_test(tcase, named_file_is_whole);
	return suite;
}
