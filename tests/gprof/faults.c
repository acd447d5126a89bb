/* SPDX-License-Identifier: 0BSD */
/*
 * The kernel refuses the n-th call of one kind, for n = 1, 2, 3 ... until
 * there are no more.  The program ends as ever, and there is a readable
 * profile with all calls, or one line.  (mmap is refusal.c's.)
 */
#include "tests/gprof/unharmed.h"
#include "tests/suites.h"
#include "tests/ways/sides.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static const struct fault {
	const char *call, *error;
	const char *options;
	int least; /* times that the call is made */
} faults[] = {
	{"openat", "EMFILE", "", 1},
	{"openat", "EACCES", "", 1},
	{"openat", "EIO", "open=start", 1},
	{"write", "ENOSPC", "", 1},
	{"write", "EDQUOT", "", 1},
	{"write", "EIO", "open=start", 1},
	{"write", "EINTR", "", 1},
	{"write", "EPIPE", "", 1},
	{"renameat2", "EACCES", "", 1},
	{"renameat2", "EIO", "", 1},
	{"close", "EIO", "", 1},
	{"newfstatat", "EIO", "", 1},
	{"newfstatat", "EIO", "open=start", 1},
	{"ftruncate", "EIO", "open=start", 1},
	{"lseek", "EIO", "open=start", 1},
	{"fcntl", "EMFILE", "open=start", 1},
	{"getcwd", "ERANGE", "", 1},
	{"uname", "EFAULT", "file=%h", 1},
	{"timer_create", "EAGAIN", "", 1},
	{"timer_settime", "EINVAL", "", 1},
	{"rt_sigaction", "EINVAL", "fatal=1:dump=USR1", 20},
	{"sigaltstack", "ENOMEM", "fatal=1", 1},
	{"madvise", "EINVAL", "", 1},
	{"getdents64", "ENOENT", "", 1},
	{"perf_event_open", "EACCES", "engine=perf", 1},
	{"munmap", "EINVAL", "", 1},
};
enum { FAULT_COUNT = sizeof faults / sizeof *faults };

/* Null if system calls can be made to fail here. */
static const char *complaint(const struct fault *fault)
{
	struct outcome outcome;

	if (*setting("RUN"))
		return "the program runs under an emulator";
	outcome = command(directory_make(),
			  "strace -qq -o log -e trace=%s "
			  "-e inject=%s:error=%s:when=1000 true",
			  fault->call, fault->call, fault->error);
	return outcome.status ? "strace cannot do it here" : NULL;
}

/* The file that a held descriptor shows may be broken, but that is said. */
static bool may_be_broken(const struct fault *fault)
{
	return strstr(fault->options, "open=start") != NULL;
}

static void check_profile(const struct fault *fault, const char *program,
			  const struct outcome *outcome, const char *names)
{
	char *name = text("%.*s", (int)strcspn(names, " "), names);
	struct profile profile;

	if (strcmp(file_read(text("%s/%s", outcome->directory, name), NULL),
		   "old\n") == 0 ||
	    (may_be_broken(fault) && *outcome->err)) {
		ck_assert_msg(text_count(outcome->err, "gcrt: ") == 1,
			      "%s: an old file, and not one line: %s",
			      outcome->command, outcome->err);
		return;
	}
	profile = profile_read(outcome->directory, program, name);
	ck_assert_msg(profile_calls(&profile, "work") == 1000, "%s: %.1000s",
		      outcome->command, profile.text);
}

static void check(const struct fault *fault, const char *program,
		  const struct outcome *outcome)
{
	char *names;
	int said = text_count(outcome->err, "\n");

	ck_assert_msg(outcome_exit(outcome) == 3, "%s: %#x %s",
		      outcome->command, outcome->status, outcome->err);
	ck_assert_msg(said <= 1 && said == text_count(outcome->err, "gcrt: "),
		      "%s: %s", outcome->command, outcome->err);
	command(outcome->directory, "mv log ../log.last");
	names = directory_names(outcome->directory);
	ck_assert_msg(text_count(names, " ") <= 1, "%s: %s", outcome->command,
		      names);
	if (*names)
		check_profile(fault, program, outcome, names);
	else
		ck_assert_msg(said == 1, "%s: no file and no line",
			      outcome->command);
}

/* False if there were not so many calls. */
static bool refused_at(const struct fault *fault, const char *program, int n,
		       bool old)
{
	char *directory = directory_make();
	struct outcome outcome;
	char *log;

	if (old)
		command_output(directory, "echo old >gmon.out");
	outcome = command(directory,
			  "GMON_OPTIONS=%s exec strace -f -qq -o log "
			  "-e trace=%s -e inject=%s:error=%s:when=%d %s return",
			  fault->options, fault->call, fault->call,
			  fault->error, n, program);
	log = file_read(text("%s/log", directory), NULL);
	check(fault, program, &outcome);
	return strstr(log, "INJECTED") != NULL;
}

START_TEST(refused_call)
{
	const struct fault *fault = &faults[_i];
	const char *reason = complaint(fault);
	char *program;
	int n = 1;

	if (reason) {
		skip("%s refused at the n-th call: %s", fault->call, reason);
		return;
	}
	if (!side_is_here(&sides[1]))
		return;
	program = side_build(&sides[1], "ends.c", false);
	while (refused_at(fault, program, n,
			  n % 2 && !strstr(fault->options, "file=")))
		ck_assert_msg(n++ < 300, "no end of %s", fault->call);
	ck_assert_msg(n > fault->least, "%s was called %d times", fault->call,
		      n - 1);
}
END_TEST

/* A signal that ends the process beside snapshots on a slow disk waits. */
START_TEST(slow_disk)
{
	static const struct fault write_fault = {"write", "EIO", "", 1};
	char *program, *directory = directory_make();
	const char *reason = complaint(&write_fault);
	struct outcome outcome;

	if (reason) {
		skip("a slow disk: %s", reason);
		return;
	}
	if (!side_is_here(&sides[1]))
		return;
	program = side_build(&sides[1], "snapshots.c", false);
	outcome = command(directory,
			  "GMON_OPTIONS=dump=USR1:fatal=1 exec strace -f -qq "
			  "-o ../log.slow -e trace=write -e inject=write:"
			  "delay_enter=50000 %s abort-beside", program);
	ck_assert_msg(WIFSIGNALED(outcome.status) &&
			      WTERMSIG(outcome.status) == SIGABRT,
		      "%#x %s", outcome.status, outcome.err);
	command(directory, "rm -f core*");
	ck_assert_str_eq(directory_names(directory), "gmon.out ");
	ck_assert_str_eq(outcome.err, "");
}
END_TEST

Suite *faults_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("faults", &tcase);

	tcase_add_loop_test(tcase, refused_call, 0, FAULT_COUNT);
	tcase_add_test(tcase, slow_disk);
	return suite;
}
