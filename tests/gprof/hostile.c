/* SPDX-License-Identifier: 0BSD */
/*
 * Bad input: options that mean nothing, and places where a profile must not or
 * cannot be written.  The program does its work, one line says what is wrong,
 * and what was there is as it was.
 */
#include "tests/gprof/unharmed.h"
#include "tests/suites.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
	const char *value; /* of GMON_OPTIONS */
	int lines;
} garbage[] = {
	{"", 0},
	{":", 0},
	{"::::", 0},
	{"=", 1},
	{"=:=", 2},
	{"nonsense", 1},
	{"nonsense=1", 1},
	{"rate", 1},
	{"rate=", 1},
	{"rate=0", 1},
	{"rate=-1", 1},
	{"rate=100001", 1},
	{"rate=4294967396", 1},
	{"rate=18446744073709551716", 1},
	{"rate= 100", 1},
	{"rate=0x64", 1},
	{"rate=100:rate=1e3:start=on", 1},
	{"rate=1", 0},
	{"rate=100000", -1}, /* says what cannot be reached */
	{"rate=20000:engine=perf", -1}, /* refused, perhaps */
	{"rate=100000:engine=perf", -1},
	{"engine=ptrace", 1},
	{"engine=", 1},
	{"engine=perf,timer", 1},
	{"clock=sun", 1},
	{"signal=0", 1},
	{"signal=-1", 1},
	{"signal=9", 1},
	{"signal=KILL", 1},
	{"signal=STOP", 1},
	{"signal=32", 1}, /* the C library's own */
	{"signal=65", 1},
	{"signal=4294967313", 1},
	{"signal=RTMAX+1", 1},
	{"signal=PROF", 0},
	{"signal=SIGUSR2:engine=timer", 0},
	{"signal=RTMAX-2:clock=wall", 0}, /* emulators keep two */
	{"start=maybe", 1},
	{"start=ON", 1},
	{"verbose=2", 1},
	{"verbose=yes:nothing=:rate=x", 3},
	{"%s%s%s%n%n%n=%s", 1},
	{"\001\002\033[31m\377\376=\200", 1},
	{"file=%s%n", 1},
	{"file", 1},
};

enum { GARBAGE_COUNT = sizeof garbage / sizeof *garbage };

START_TEST(garbage_is_said)
{
	char *program = program_build(mode_alone, "tiny.c", "-O1");
	char *directory = directory_make();
	struct outcome outcome;
	struct profile profile;

	setenv("GMON_OPTIONS", garbage[_i].value, 1);
	outcome = program_run(directory, program, "");
	unharmed_check(&outcome, garbage[_i].lines);
	for (const char *c = outcome.err; *c; c++)
		ck_assert_msg(*c == '\n' || (*c >= ' ' && *c <= '~'),
			      "byte %d went to the terminal", *c);
	profile = profile_read(directory, program, "gmon.out");
	truth_check("tiny.c", "", &profile, garbage[_i].value);
}
END_TEST

START_TEST(long_garbage_is_cut)
{
	char *program = program_build(mode_alone, "tiny.c", "-O1");
	struct outcome outcome;
	char *value = malloc(100001);

	memset(value, 'x', 100000);
	value[100000] = '\0';
	setenv("GMON_OPTIONS", value, 1);
	outcome = program_run(directory_make(), program, "");
	unharmed_check(&outcome, 1);
	ck_assert(strlen(outcome.err) <= 512);
}
END_TEST

/*
 * What is in the way under the name gmon.out: how it is made, and what shows
 * that nobody has touched it.
 */
static const struct {
	const char *make;
	const char *look;
	bool needs_root;
} obstacles[] = {
	{"mkfifo gmon.out", "stat -c %F gmon.out", false},
	{"mknod gmon.out c 1 3", "stat -c %F-%t-%T gmon.out", true},
	{"mknod gmon.out b 7 77", "stat -c %F-%t-%T gmon.out", true},
	{"ln -s elsewhere gmon.out", "readlink gmon.out; ls", false},
	{"echo mine >other; ln -s other gmon.out",
	 "readlink gmon.out; cat other", false},
	{"ln -s /dev/full gmon.out", "readlink gmon.out", false},
	{"mkdir gmon.out", "ls -a gmon.out", false},
	{"echo mine >other; ln other gmon.out",
	 "cat gmon.out; stat -c %i,%h gmon.out other", false},
	{"truncate -s 3G other; ln other gmon.out",
	 "stat -c %i,%h,%s gmon.out other", false},
	{"echo theirs >gmon.out; chown 12345 gmon.out",
	 "cat gmon.out; stat -c %i,%u gmon.out", true},
};

enum { OBSTACLE_COUNT = sizeof obstacles / sizeof *obstacles };

START_TEST(obstacle_stays)
{
	char *program = program_build(mode_alone, "tiny.c", "-O1");
	char *directory = directory_make();
	struct outcome outcome;
	char *before, *names;

	if (obstacles[_i].needs_root && geteuid() != 0) {
		skip("%s: only root can make that", obstacles[_i].make);
		return;
	}
	if (command(directory, "%s", obstacles[_i].make).status != 0) {
		skip("%s: refused here", obstacles[_i].make);
		return;
	}
	before = command_output(directory, "%s", obstacles[_i].look);
	names = directory_names(directory);
	outcome = program_run(directory, program, "");
	unharmed_check(&outcome, 1);
	ck_assert_str_eq(command_output(directory, "%s", obstacles[_i].look),
			 before);
	ck_assert_str_eq(directory_names(directory), names);
}
END_TEST

/* Before, and what the user finds afterwards. */
static const struct {
	const char *make;
	int lines;
	const char *names;
	bool is_profile;
} places[] = {
	{"true", 1, "", false},
	{"echo old >gmon.out; chown 65534:65534 gmon.out 2>/dev/null", 1,
	 "gmon.out ", true},
	{"echo old >gmon.out; chown 65534:65534 gmon.out 2>/dev/null; "
	 "chmod 444 gmon.out",
	 1, "gmon.out ", false},
};

enum { PLACE_COUNT = sizeof places / sizeof *places };

/* A folder that takes no new file. */
START_TEST(folder_is_closed)
{
	char *program = program_build(mode_alone, "tiny.c", "-O1");
	char *directory = directory_make();
	struct outcome outcome;

	command(directory, "%s; chmod 555 .", places[_i].make);
	outcome = command(directory, "exec %s%s %s", unprivileged(),
			  setting("RUN"), program);
	command(directory, "chmod 755 .");
	unharmed_check(&outcome, places[_i].lines);
	ck_assert_str_eq(directory_names(directory), places[_i].names);
	if (places[_i].is_profile) {
		struct profile profile =
			profile_read(directory, program, "gmon.out");

		truth_check("tiny.c", "", &profile, "overwritten in place");
	} else if (*places[_i].names) {
		ck_assert_str_eq(
			file_read(text("%s/gmon.out", directory), NULL),
			"old\n");
	}
}
END_TEST

/* No more than 512 bytes may be written: SIGXFSZ would kill the program. */
START_TEST(file_limit_is_survived)
{
	char *program = program_build(mode_alone, "tiny.c", "-O1");
	char *directory = directory_make();
	struct outcome outcome;

	command_output(directory, "echo old >gmon.out");
	/* stdout and stderr of the program are files, too, but short */
	outcome = command(directory, "ulimit -f 1; exec %s %s", setting("RUN"),
			  program);
	unharmed_check(&outcome, 1);
	ck_assert_str_eq(file_read(text("%s/gmon.out", directory), NULL),
			 "old\n");
	ck_assert_str_eq(directory_names(directory), "gmon.out ");
}
END_TEST

/* A program that has closed stderr may have put a file of its own there. */
START_TEST(closed_stderr_gets_nothing)
{
	char *program = program_build(mode_alone, "tiny.c", "-O1");
	struct outcome outcome;

	if (program_is_checked("valgrind", "a closed stderr: it has to be open"))
		return;
	outcome = command(directory_make(),
			  "export GMON_OPTIONS=verbose=1:garbage; "
			  "exec %s %s 2>&-",
			  setting("RUN"), program);
	unharmed_check(&outcome, 0);
}
END_TEST

Suite *hostile_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("hostile", &tcase);

	tcase_add_loop_test(tcase, garbage_is_said, 0, GARBAGE_COUNT);
	tcase_add_test(tcase, long_garbage_is_cut);
	tcase_add_loop_test(tcase, obstacle_stays, 0, OBSTACLE_COUNT);
	tcase_add_loop_test(tcase, folder_is_closed, 0, PLACE_COUNT);
	tcase_add_test(tcase, file_limit_is_survived);
	tcase_add_test(tcase, closed_stderr_gets_nothing);
	return suite;
}
