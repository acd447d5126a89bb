/* SPDX-License-Identifier: 0BSD */
/*
 * What the file is: the 4.4BSD format as gprof reads it, full disks, and the
 * names of the processes of one job.
 */
#include "gmon/bsd.h"
#include "tests/harness.h"
#include "tests/profile.h"
#include "tests/suites.h"
#include "tests/truth.h"
#include "tests/unit/tools.h"
#include "tests/ways/sides.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* With and without the word that tells gprof what it is. */
static const char *const readers[] = {"gmon.out", "-O bsd gmon.out"};

START_TEST(bsd_is_read)
{
	const struct mode *mode = _i / 2 ? mode_found_static : mode_alone;
	struct outcome outcome;
	struct profile profile;
	char *program;

	if (!mode_is_there(mode))
		return;
	program = program_build(mode, "tiny.c", "-O1");
	setenv("GMON_OPTIONS", "format=bsd", 1);
	outcome = program_run(directory_make(), program, "");
	ck_assert_msg(outcome_exit(&outcome) == 3 && !*outcome.err, "%s",
		      outcome.err);
	profile = profile_read(outcome.directory, program, readers[_i % 2]);
	truth_check("tiny.c", "", &profile, readers[_i % 2]);
}
END_TEST

START_TEST(bsd_has_no_libraries)
{
	char *program = program_build(mode_alone, "tiny.c", "-O1");
	struct outcome outcome;
	struct profile profile;

	setenv("GMON_OPTIONS", "format=bsd:images=all", 1);
	outcome = program_run(directory_make(), program, "");
	ck_assert_msg(text_count(outcome.err, "gcrt: format=bsd") == 1 &&
			      text_count(outcome.err, "\n") == 1,
		      "%s", outcome.err);
	profile = profile_read(outcome.directory, program, "gmon.out");
	ck_assert_int_eq(profile_arc(&profile, "main", "work"), 1000);
}
END_TEST

/* Where a function of a program is. */
static uintptr_t address_of(const char *program, const char *function)
{
	return strtoull(command_output("/", "%s %s | sed -n 's/ [Tt] %s$//p'",
				       setting("NM"), program, function),
			NULL, 16);
}

static void put_file(const char *path, const struct memory_sink *written)
{
	FILE *file = fopen(path, "w");

	ck_assert(file != NULL);
	ck_assert(fwrite(written->bytes, 1, written->size, file) ==
		  written->size);
	fclose(file);
}

/* More calls than 32 bits count, and a bin that has no more room. */
START_TEST(bsd_counts_far)
{
	static const unsigned long long calls = (1ULL << 33) + 7;
	char *program = program_build(mode_alone, "tiny.c", "-O1");
	char *directory = directory_make();
	uintptr_t work = address_of(program, "work");
	uintptr_t main_pc = address_of(program, "main");
	struct histogram histogram = {0};
	struct image image = {.lowpc = work - 512, .highpc = work + 1024};
	struct memory_sink written;
	struct profile profile;
	uint64_t saturated = 0;

	if (sizeof work < 8) {
		skip("counts above 2^32 in format=bsd: it has 32 bits here");
		return;
	}
	memory_sink_open(&written);
	histogram_add(&histogram, work, 100000);
	bsd_histogram(&written.sink, &image, &histogram, 100, &saturated);
	bsd_arc(&written.sink, main_pc + 8, work, calls);
	ck_assert_uint_eq(saturated, 1);
	put_file(text("%s/gmon.out", directory), &written);
	profile = profile_read(directory, program, readers[_i]);
	ck_assert_msg(profile_arc(&profile, "main", "work") == calls,
		      "%.2000s", profile.text);
	ck_assert_msg(profile_seconds(&profile, "work") == 655.35, "%.2000s",
		      profile.text);
}
END_TEST

/* 32 KiB are too few for the file; its old one is in their way. */
START_TEST(full_disk)
{
	struct outcome outcome;

	if (geteuid() != 0 ||
	    command("/", "unshare -m mount -t tmpfs -o size=32k none /mnt")
		    .status) {
		skip("a full disk: only root can mount a small one");
		return;
	}
	if (!side_is_here(&sides[0]))
		return;
	outcome = command(directory_make(),
			  "exec unshare -m sh -c 'mount -t tmpfs -o size=32k "
			  "none . && cd \"$PWD\" && echo old >gmon.out && "
			  "%s %s return; echo $? >&2; ls -A; cat gmon.out'",
			  setting("RUN"), side_build(&sides[0], "ends.c", false));
	ck_assert_str_eq(outcome.out, "gmon.out\nold\n");
	ck_assert_str_eq(outcome.err,
			 "gcrt: cannot write gmon.out: No space left on "
			 "device; no profile was written\n3\n");
}
END_TEST

/* One file for each rank, whatever the processes' numbers are. */
START_TEST(ranks_of_a_job)
{
	char *directory = directory_make(), *program;
	struct outcome outcome;

	if (command("/", "command -v mpirun").status) {
		skip("a job of 4 processes: there is no mpirun");
		return;
	}
	if (!side_is_here(&sides[0]))
		return;
	program = side_build(&sides[0], "ends.c", false);
	outcome = command(directory,
			  "OMPI_ALLOW_RUN_AS_ROOT=1 "
			  "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
			  "GMON_OPTIONS=file=%%n.%%r timeout 100 "
			  "mpirun --oversubscribe -np 4 %s %s pthread_exit",
			  setting("RUN"), program);
	ck_assert_msg(outcome.status == 0, "%s%s", outcome.out, outcome.err);
	program = strrchr(program, '/') + 1;
	ck_assert_str_eq(directory_names(directory),
			 text("%s.0 %s.1 %s.2 %s.3 ", program, program,
			      program, program));
}
END_TEST

Suite *files_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("files", &tcase);

	tcase_add_loop_test(tcase, bsd_is_read, 0, 4);
	tcase_add_test(tcase, bsd_has_no_libraries);
	tcase_add_loop_test(tcase, bsd_counts_far, 0, 2);
	tcase_add_test(tcase, full_disk);
	tcase_add_test(tcase, ranks_of_a_job);
	return suite;
}
