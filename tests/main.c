/* SPDX-License-Identifier: 0BSD */
/*
 * The one check runner: runs the suites named on the command line, or all, and
 * ends with one line that counts them together.  What the toolchain or the
 * machine cannot do is listed before that line with its reason.
 */
#include "tests/harness.h"
#include "tests/suites.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

/* One after the other, so that a reader sees where the time goes. */
static void run(SRunner *runner, char **wanted)
{
	struct timespec start, end;

	for (size_t i = 0; i < SUITE_COUNT; i++) {
		if (!is_wanted(suites[i].name, wanted))
			continue;
		clock_gettime(CLOCK_MONOTONIC, &start);
		srunner_run(runner, suites[i].name, NULL, CK_SILENT);
		clock_gettime(CLOCK_MONOTONIC, &end);
		printf("  %-16s %4ld s\n", suites[i].name,
		       (long)(end.tv_sec - start.tv_sec));
		fflush(stdout);
	}
}

int main(int argc, char **argv)
{
	SRunner *runner = srunner_create(NULL);
	int failed;

	(void)argc;
	check_names(argv + 1);
	harness_start();
	for (size_t i = 0; i < SUITE_COUNT; i++)
		srunner_add_suite(runner, suites[i].make());
	run(runner, argv + 1);
	harness_report_skips();
	srunner_print(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	harness_end();
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
