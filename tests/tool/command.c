/* SPDX-License-Identifier: 0BSD */
/* The command line of gmon: options, statuses, words, files it finds. */
#include "tests/harness.h"
#include "tests/suites.h"
#include "tests/tool/maker.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SCREEN_LINES = 24, SCREEN_COLUMNS = 79 };

static const char *const verbs[] = {"report", "sum",   "show",
				    "symbols", "graph", "callgrind"};
enum { VERB_COUNT = sizeof verbs / sizeof *verbs };

static struct outcome gmon(const char *folder, const char *words)
{
	return command(folder, "G='%s/gmon'; $G %s", setting("BUILD"), words);
}

static void make_small(const char *folder, const char *name, uint32_t rate)
{
	struct maker maker = {.width = sizeof(void *)};

	make_header(&maker);
	make_histogram(&maker, 0x1000, 0x1004, 2, rate);
	make_bytes(&maker, "\1\0\0\0", 4);
	make_arc(&maker, 0x1001, 0x1002, 5);
	make_file(&maker, text("%s/%s", folder, name));
}

/* Each in a folder with good, other (of another rate), and bad. */
static const struct {
	const char *words;
	int status;
	const char *out, *err; /* what is in it; all of it if "" */
} lines[] = {
	{"--version", 0, "gmon (gcrt) ", ""},
	{"-V", 0, "gmon (gcrt) ", ""},
	{"", 2, "", "gmon: no verb given; see `gmon --help'\n"},
	{"sums", 2, "", "gmon: there is no verb `sums'; see"},
	{"-x", 2, "", "gmon: there is no verb `-x'"},
	{"sum", 1, "", "gmon: gmon.out: No such file or directory\n"},
	{"sum -T /dev/null", 2, "", "gmon: sum: no files given; see "},
	{"sum -x good", 2, "", "gmon: sum: there is no option -x"},
	{"sum --nope good", 2, "", "there is no option --nope"},
	{"sum good -o", 2, "", "gmon: sum: option -o needs a value"},
	{"sum --jobs", 2, "", "option --jobs needs a value"},
	{"sum -j 0 good", 2, "", "gmon: sum: -j wants a number"},
	{"sum -j x good", 2, "", "-j wants a number"},
	{"graph -m 101 good", 2, "", "-m wants a percentage"},
	{"graph -n -1 good", 2, "", "-n wants a number"},
	{"show nowhere", 1, "", "gmon: nowhere: No such file or directory\n"},
	{"show .", 1, "", "gmon: .: not a regular file\n"},
	{"show /dev/zero", 1, "", "gmon: /dev/zero: not a regular file\n"},
	{"show bad", 1, "", "gmon: bad: offset 20: there is no record"},
	{"show", 1, "", "gmon: gmon.out: No such file or directory\n"},
	{"show bad good", 1, "arc 1001 1002 5\n", "gmon: bad: "},
	{"show good", 0, "arc 1001 1002 5\n", ""},
	{"show - <good", 0, "arc 1001 1002 5\n", ""},
	{"show -- good", 0, "arc 1001 1002 5\n", ""},
	{"show <good -", 0, "little standard input\n", ""},
	{"show - </dev/null", 1, "", "standard input: not a regular"},
	{"show good >/dev/full", 1, "", "gmon: standard output: No space left on "},
	{"show good >&-", 1, "", "gmon: standard output: Bad file descriptor"},
	{"symbols /bin/sh good 2>&1 >/dev/full | tail -n 1", 0,
	 "gmon: standard output: No space left on device\n", ""},
	{"report --help >/dev/full", 1, "", "gmon: standard output: No space"},
	{"report /bin/sh good 2>&1 >/dev/full | tail -n 1", 0,
	 "gmon: standard output: No space left on device\n", ""},
	{"report /bin/sh good 2>&1 >&- | tail -n 1", 0,
	 "gmon: standard output: Bad file descriptor\n", ""},
	{"show -p /bin/sh good", 0, "arc 1001 1002 5\n", ""},
	{"show -p good good", 1, "", "gmon: good: not an ELF file\n"},
	{"sum -o - good | $G show -", 0, "arc 1001 1002 5\n", ""},
	{"sum -o - good good | $G show -", 0, "arc 1001 1002 10\n", ""},
	{"sum -j 2 -o - good good | $G show -", 0, "bin 1000 2\n", ""},
	{"sum --output=- -q good|cat >x; cmp x good", 0, "", ""},
	{"sum -j 1 good other", 1, "", "gmon: other: offset 20: its rate is 7, that "
				  "of good is 100\n"},
	{"sum good bad", 1, "", "gmon: bad: "},
	{"sum -o no/where good", 1, "", "gmon: no/where: No such file"},
	{"sum -o /dev/full good", 1, "", "gmon: /dev/full: "},
	{"sum -T list && $G show gmon.sum", 0, "arc 1001 1002 15\n", ""},
	{"sum -o - -T - good <list | $G show -", 0, "arc 1001 1002 20\n", ""},
	{"sum -T nowhere", 1, "", "gmon: nowhere: No such file"},
	{"report", 1, "", "gmon: gmon.out: No such file"},
	{"report script good", 1, "", "gmon: script: a script; libtool "},
	{"report good", 1, "", "gmon: good: does not say which program"},
	{"report /bin/sh good", 0, "Flat profile",
	 "good: has a histogram of 1000-1004, where /bin/sh has no code"},
	{"report -- -prog -good", 0, "Flat profile", "note: -good: has a"},
	{"report -i libx /bin/sh good", 1, "", "gmon: no image is called libx; "
					       "there are: sh\n"},
	{"graph -o no/where /bin/sh good 2>&1 | tail -n 1", 0,
	 "gmon: no/where: No", ""},
};

static void check_text(const char *words, const char *expected,
		       const char *got)
{
	if (*expected)
		ck_assert_msg(strstr(got, expected) != NULL,
			      "gmon %s: no \"%s\" in \"%s\"", words, expected,
			      got);
	else
		ck_assert_msg(*got == '\0', "gmon %s: \"%s\"", words, got);
}

START_TEST(lines_do_what_they_say)
{
	char *folder = directory_make();
	struct outcome outcome;

	make_small(folder, "good", 100);
	make_small(folder, "other", 7);
	command_output(folder, "head -c 20 good >bad; echo nonsense >>bad; "
			       "printf 'good\\n\\ngood\\ngood' >list; "
			       "echo '#!/bin/sh of libtool' >script; "
			       "cp /bin/sh ./-prog; cp good ./-good");
	outcome = gmon(folder, lines[_i].words);
	ck_assert_msg(outcome_exit(&outcome) == lines[_i].status,
		      "gmon %s: status %d: %s", lines[_i].words,
		      outcome.status, outcome.err);
	check_text(lines[_i].words, lines[_i].out, outcome.out);
	check_text(lines[_i].words, lines[_i].err, outcome.err);
	ck_assert_int_eq(text_count(outcome.err, "\n"), *outcome.err != '\0');
}
END_TEST

/* Help is for a terminal; each verb has its own, and says --help. */
START_TEST(help_fits_a_screen)
{
	char *help = _i < VERB_COUNT ? text("%s --help", verbs[_i]) : "--help";
	struct outcome outcome = gmon("/", help);
	size_t width = 0;

	ck_assert_int_eq(outcome_exit(&outcome), 0);
	ck_assert_str_eq(outcome.err, "");
	ck_assert_int_eq(strncmp(outcome.out, "Usage: gmon ", 12), 0);
	ck_assert_ptr_nonnull(strstr(outcome.out, "-h, --help"));
	ck_assert_int_le(text_count(outcome.out, "\n"), SCREEN_LINES);
	for (const char *c = outcome.out; *c; c++) {
		width = *c == '\n' ? 0 : width + 1;
		ck_assert_uint_le(width, SCREEN_COLUMNS);
	}
	if (_i < VERB_COUNT)
		ck_assert_str_eq(gmon("/", text("help %s", verbs[_i])).out,
				 outcome.out);
}
END_TEST

/* Every option of every --help is in the manual, and that is well-formed. */
START_TEST(manual_is_complete)
{
	char *folder = directory_make();
	char *page = text("%s/gmon/tool/gmon.1", setting("SOURCE"));
	char *manual = file_read(page, NULL);
	struct outcome outcome = command(
		folder, "for v in report sum show symbols graph callgrind; do "
			"'%s/gmon' $v --help; done | "
			"sed -n 's/^ .*--\\([a-z-]*\\).*/\\1/p' | sort -u",
		setting("BUILD"));
	int count = 0;

	for (char *name = strtok(outcome.out, "\n"); name;
	     name = strtok(NULL, "\n"), count++)
		ck_assert_msg(strstr(manual, text("-%s", name)) != NULL,
			      "--%s is not in gmon.1", name);
	ck_assert_int_ge(count, 12);
	outcome = command(folder, "mandoc -Tlint -Wwarning '%s'", page);
	if (outcome_exit(&outcome) == 127)
		skip("no mandoc: gmon.1 is not checked");
	else
		ck_assert_msg(outcome_exit(&outcome) == 0, "%s", outcome.out);
}
END_TEST

/* A file is replaced as a whole, or not touched. */
START_TEST(sums_appear_whole)
{
	char *folder = directory_make();
	struct outcome outcome;
	struct stat status;

	make_small(folder, "good", 100);
	make_small(folder, "other", 7);
	command_output(folder, "echo before >gmon.sum");
	outcome = gmon(folder, "sum good other");
	ck_assert_int_eq(outcome_exit(&outcome), 1);
	ck_assert_str_eq(file_read(text("%s/gmon.sum", folder), NULL),
			 "before\n");
	outcome = command(folder, "(ulimit -f 0; trap '' XFSZ; '%s/gmon' sum "
			  "good) 2>&1 | cat", setting("BUILD"));
	ck_assert_str_eq(outcome.out, "gmon: gmon.sum: File too large\n");
	ck_assert_str_eq(directory_names(folder), "gmon.sum good other ");
	outcome = command(folder, "umask 027; '%s/gmon' sum good && cmp good "
			  "gmon.sum", setting("BUILD"));
	ck_assert_int_eq(outcome_exit(&outcome), 0);
	ck_assert_int_eq(stat(text("%s/gmon.sum", folder), &status), 0);
	ck_assert_uint_eq(status.st_mode & 0777, 0640);
	ck_assert_str_eq(directory_names(folder), "gmon.sum good other ");
}
END_TEST

/* A gprof that signals its parent, then prints more than a pipe holds. */
static const char sender[] =
	"#!/bin/sh\nkill -$SIGNAL $PPID\nexec head -c 1000000 /dev/zero\n";

static const struct {
	const char *before, *words, *after;
	int signal;
} endings[] = {
	{"SIGNAL=TERM", "report /bin/sh good", "", SIGTERM},
	{"SIGNAL=HUP", "report /bin/sh good", "", SIGHUP},
	{"SIGNAL=0", "report /bin/sh good", "| true", SIGPIPE},
	{"ulimit -f 0;", "sum good", "", SIGXFSZ},
	{"trap '' TERM; SIGNAL=TERM", "report /bin/sh good", "", 0},
};

/* A signal that ends it leaves no file, and is what its parent sees. */
START_TEST(signals_leave_nothing)
{
	char *folder = directory_make(), *status;
	FILE *file = fopen(text("%s/gprof", folder), "w");

	ck_assert_ptr_nonnull(file);
	fputs(sender, file);
	ck_assert_int_eq(fclose(file), 0);
	make_small(folder, "good", 100);
	if (endings[_i].signal) /* nohup, for one, ignores some */
		signal(endings[_i].signal, SIG_DFL);
	command(folder, "chmod +x gprof; mkdir tmp; export TMPDIR=$PWD/tmp "
			"GPROF=./gprof; { (%s exec '%s/gmon' %s); "
			"echo $? >&2; } 2>status %s >/dev/null",
		endings[_i].before, setting("BUILD"), endings[_i].words,
		endings[_i].after);
	ck_assert_str_eq(directory_names(text("%s/tmp", folder)), "");
	ck_assert_str_eq(directory_names(folder), "good gprof status tmp ");
	status = command_output(folder, "tail -n 1 status");
	ck_assert_int_eq(atoi(status), endings[_i].signal
					       ? 128 + endings[_i].signal : 0);
}
END_TEST

enum { MANY_ARCS = 40000, MANY_BINS = 50000 };

/* About a megabyte; the bins with ticks have as many as 16 bits hold. */
static void make_big(const char *path)
{
	struct maker maker = {.width = sizeof(void *)};

	make_header(&maker);
	make_histogram(&maker, 0x1000, 0x1000 + 2 * MANY_BINS, MANY_BINS, 100);
	for (unsigned i = 0; i < MANY_BINS; i++)
		make_number(&maker, i % 5000 == 0 ? 65535 : 0, 2);
	for (unsigned i = 0; i < MANY_ARCS; i++)
		make_arc(&maker, 0x1000 + i, 0x1000 + i / 8, i ? i : 0xffffffff);
	make_file(&maker, path);
}

/*
 * Four hundred files of a megabyte, by any number of threads: exact, and in
 * less memory than a quarter of them would take.
 */
START_TEST(sums_of_many_are_exact)
{
	static const char *const jobs[] = {"-j 1", "-j 2", "-j 7"};
	char *folder = directory_make();
	struct outcome outcome;

	make_big(text("%s/big", folder));
	command_output(folder, "mkdir d; seq 400 | xargs -I{} ln big d/{}");
	for (int i = 0; i < 3; i++)
		command_output(folder, "ulimit -d 100000; '%s/gmon' sum %s "
			       "-o sum%d d/*; cmp sum0 sum%d",
			       setting("BUILD"), jobs[i], i, i);
	outcome = gmon(folder, "show sum0 >text");
	ck_assert_int_eq(outcome_exit(&outcome), 0);
	ck_assert_str_eq(command_output(
		folder, "awk '$1 == \"bin\" { bins[$2] += $3 } "
			"$1 == \"arc\" { arcs[$2] += $4 } END { "
			"for (i in bins) b += bins[i] == 400 * 65535; "
			"for (i in arcs) { sum += arcs[i]; a++ } "
			"printf \"%%d %%d %%.0f\", b, a, sum }' text"),
		text("10 %d %.0f", MANY_ARCS,
		     400 * (4294967295.0 +
			    (MANY_ARCS - 1.0) * MANY_ARCS / 2)));
}
END_TEST

/* Which files are found: those that this environment would have written. */
static const struct {
	const char *environment, *words;
	int files; /* so many are added up; 0: none is found */
} searches[] = {
	{"", "prog", 1},
	{"PROFDIR=d", "prog", 2},
	{"PROFDIR=d/", "./prog", 2},
	{"PROFDIR=d GMON_OUT_PREFIX=p", "prog", 2},
	{"PROFDIR=d", "other", 0},
	{"PROFDIR=d", "", 0}, /* of two programs */
	{"PROFDIR=nowhere", "prog", 0},
	{"PROFDIR=", "prog", 1},
	{"GMON_OUT_PREFIX=p", "prog", 3},
	{"GMON_OUT_PREFIX=./p", "prog", 3},
	{"GMON_OUT_PREFIX=d/p", "prog", 4},
	{"GMON_OUT_PREFIX=q", "prog", 0},
	{"", "prog p.1 gmon.out p.1", 3},
};

/* A program in which main called f twice, by each of these files. */
static void make_called(const char *folder)
{
	static const char *const files[] = {
		"gmon.out", "d/1.prog", "d/22.prog", "d/x.prog", "d/3.prog.x",
		"d/4.aprog", "p.1",	"p.2",	     "p.33",	 "p.x",
		"p.1.x",     "d/p.1",	"d/p.1000",  "d/p.100000", "d/p.2"};
	struct maker maker = {.width = sizeof(void *)};
	unsigned long long start, callee;

	command_output(folder, "mkdir d; printf 'int f(void) { return 1; } "
			       "int main(void) { return f(); }' >prog.c; "
			       "cc -O0 prog.c -o prog; cp prog other");
	ck_assert_int_eq(sscanf(command_output(folder, "nm prog | sed -n "
					       "'s/ T main$//p; s/ T f$//p' | "
					       "tr '\n' ' '"),
				"%llx %llx", &callee, &start), 2);
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		make_header(&maker);
		make_arc(&maker, start + 1, callee, 2);
		make_file(&maker, text("%s/%s", folder, files[i]));
	}
}

START_TEST(profiles_are_found)
{
	char *folder = directory_make();
	struct outcome outcome;

	make_called(folder);
	outcome = command(folder, "%s '%s/gmon' callgrind %s",
			  searches[_i].environment, setting("BUILD"),
			  searches[_i].words);
	if (searches[_i].files) {
		ck_assert_msg(outcome_exit(&outcome) == 0, "%s", outcome.err);
		ck_assert_str_eq(outcome.err, "");
		check_text(searches[_i].environment,
			   text("\ncalls=%d 0\n", 2 * searches[_i].files),
			   outcome.out);
	} else {
		ck_assert_int_eq(outcome_exit(&outcome), 1);
		ck_assert_str_eq(outcome.out, "");
		ck_assert_int_eq(text_count(outcome.err, "\n"), 1);
	}
}
END_TEST

/* By every verb; show and sum have the program's name behind -p. */
START_TEST(every_verb_finds_them)
{
	static const char *const words[] = {
		"report -bq prog", "graph prog", "callgrind prog",
		"symbols prog", "show -p prog", "sum -p prog"};
	char *folder = directory_make();
	struct outcome outcome;

	make_called(folder);
	command_output(folder, "rm gmon.out");
	outcome = command(folder, "PROFDIR=d '%s/gmon' %s", setting("BUILD"),
			  words[_i]);
	ck_assert_msg(outcome_exit(&outcome) == 0, "%s", outcome.err);
	if (strncmp(words[_i], "show", 4) == 0)
		ck_assert_int_eq(text_count(outcome.out, "\narc "), 2);
	if (strncmp(words[_i], "sum", 3) == 0)
		check_text(words[_i], " 4\n", gmon(folder, "show gmon.sum").out);
}
END_TEST

/* Calls without a clock: gprof alone asks for a histogram. */
START_TEST(arcs_alone_are_reported)
{
	char *folder = directory_make();
	struct outcome outcome;

	make_called(folder);
	for (int i = 0; i < 2; i++) {
		outcome = gmon(folder, i ? "report -b prog p.1 p.2"
					 : "report -b -p prog gmon.out");
		ck_assert_int_eq(outcome_exit(&outcome), 0);
		ck_assert_str_eq(outcome.err, "");
		check_text("report", " no time accumulated", outcome.out);
		check_text("report", i ? "       4/4           main ["
				       : "0.00      0.00     0.00        2  ",
			   outcome.out);
	}
}
END_TEST

Suite *tool_command_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("tool_command", &tcase);

	tcase_add_loop_test(tcase, lines_do_what_they_say, 0,
			    sizeof lines / sizeof *lines);
	tcase_add_loop_test(tcase, help_fits_a_screen, 0, VERB_COUNT + 1);
	tcase_add_test(tcase, manual_is_complete);
	tcase_add_test(tcase, sums_appear_whole);
	tcase_add_loop_test(tcase, signals_leave_nothing, 0,
			    sizeof endings / sizeof *endings);
	tcase_add_test(tcase, sums_of_many_are_exact);
	tcase_add_loop_test(tcase, profiles_are_found, 0,
			    sizeof searches / sizeof *searches);
	tcase_add_test(tcase, arcs_alone_are_reported);
	tcase_add_loop_test(tcase, every_verb_finds_them, 0, VERB_COUNT);
	return suite;
}
