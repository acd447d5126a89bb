/* SPDX-License-Identifier: 0BSD */
/*
 * The one check runner: runs the suites named on the command line, or all, a
 * few at a time, and ends with one line that counts them together.  What the
 * toolchain or the machine cannot do is listed before that line with its
 * reason.
 */
#include "tests/harness.h"
#include "tests/suites.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const struct {
	const char *name;
	Suite *(*make)(void);
} suites[] = {
#define SUITE_ENTRY(name) {#name, name##_suite},
	ALL_SUITES(SUITE_ENTRY)
#undef SUITE_ENTRY
};

enum { SUITE_COUNT = sizeof suites / sizeof *suites };

static bool is_wanted(const char *name, char **wanted)
{
	if (!*wanted)
		return true;
	for (; *wanted; wanted++)
		if (strcmp(*wanted, name) == 0)
			return true;
	return false;
}

static void check_names(char **wanted)
{
	for (; *wanted; wanted++) {
		bool known = false;

		for (size_t i = 0; i < SUITE_COUNT; i++)
			known |= strcmp(*wanted, suites[i].name) == 0;
		if (known)
			continue;
		fprintf(stderr, "%s: no such suite; there are:", *wanted);
		for (size_t i = 0; i < SUITE_COUNT; i++)
			fprintf(stderr, " %s", suites[i].name);
		fputc('\n', stderr);
		exit(2);
	}
}

/* What the workers share. */
static struct shared {
	_Atomic size_t next; /* the next suite that nobody has taken */
	_Atomic int checks, failures, errors;
} *shared;

/*
 * Suites that judge CPU time.  The kernel samples it badly where more threads
 * want to run than there are CPUs, so these come first, two at a time; and on
 * a machine that others use as well, one that failed is run once more before
 * it counts, and that is said.
 */
static bool judges_time(const char *name)
{
	static const char *const names[] = {
		"thread_times", "profil_programs", "times",	   "engines",
		"shares",	"thread_windows",  "unit_sprofil", "tool_times",
		"unit_profil",
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

static SRunner *run_all(const char *name, Suite *(*make)(void))
{
	SRunner *runner = srunner_create(make());

	srunner_run_all(runner, CK_SILENT);
	if (!srunner_ntests_failed(runner) || !judges_time(name))
		return runner;
	printf("  %-16s failed %d of %d; once more\n", name,
	       srunner_ntests_failed(runner), srunner_ntests_run(runner));
	srunner_free(runner);
	runner = srunner_create(make());
	srunner_run_all(runner, CK_SILENT);
	return runner;
}

static void run_suite(const char *name, Suite *(*make)(void), FILE *complaints)
{
	SRunner *runner;
	TestResult **results;
	struct timespec start, end;
	int failed;

	clock_gettime(CLOCK_MONOTONIC, &start);
	runner = run_all(name, make);
	clock_gettime(CLOCK_MONOTONIC, &end);
	printf("  %-16s %4ld s\n", name, (long)(end.tv_sec - start.tv_sec));
	fflush(stdout);
	failed = srunner_ntests_failed(runner);
	results = srunner_failures(runner);
	for (int i = 0; i < failed; i++) {
		bool is_error = tr_rtype(results[i]) == CK_ERROR;

		shared->errors += is_error;
		shared->failures += !is_error;
		fprintf(complaints, "%s:%d: %s: %s: %s\n",
			tr_lfile(results[i]), tr_lno(results[i]), name,
			tr_tcname(results[i]), tr_msg(results[i]));
	}
	shared->checks += srunner_ntests_run(runner);
	fflush(complaints);
	srunner_free(runner);
}

/* Take suites of one of the two kinds until there are none left. */
static void work(char **wanted, bool judging, FILE *complaints)
{
	size_t i;

	while ((i = shared->next++) < SUITE_COUNT)
		if (judges_time(suites[i].name) == judging &&
		    is_wanted(suites[i].name, wanted))
			run_suite(suites[i].name, suites[i].make, complaints);
}

static void run(char **wanted, bool judging, int jobs, FILE *complaints)
{
	int status;

	shared->next = 0;
	for (int i = 0; i < jobs; i++)
		if (fork() == 0) {
			work(wanted, judging, complaints);
			_exit(0);
		}
	while (wait(&status) > 0)
		shared->errors += status != 0;
}

/* Half of the time a suite waits for a program; so three at once, or JOBS. */
static void run_both(char **wanted, FILE *complaints)
{
	const char *jobs = getenv("JOBS");
	int count = jobs && atoi(jobs) > 0 ? atoi(jobs) : 3;

	shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	run(wanted, true, count < 2 ? count : 2, complaints);
	run(wanted, false, count, complaints);
}

/* As check itself would close. */
static int report(FILE *complaints)
{
	int checks = shared->checks;
	int failed = shared->failures + shared->errors;
	char line[4096];

	rewind(complaints);
	while (fgets(line, sizeof line, complaints))
		fputs(line, stdout);
	printf("%d%%: Checks: %d, Failures: %d, Errors: %d\n",
	       checks ? 100 * (checks - failed) / checks : 0, checks,
	       shared->failures, shared->errors);
	return failed || !checks ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	FILE *complaints = tmpfile();
	int result;

	(void)argc;
	check_names(argv + 1);
	harness_start();
	run_both(argv + 1, complaints);
	harness_report_skips();
	result = report(complaints);
	harness_end();
	return result;
}
