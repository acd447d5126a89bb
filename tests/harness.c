/* SPDX-License-Identifier: 0BSD */
/* Settings, skips, the folder of a run. */
#include "tests/harness.h"

#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
	const char *name, *value;
} built_with[] = {
	{"ARCH", DEFAULT_ARCH},   {"BUILD", DEFAULT_BUILD},
	{"CC", DEFAULT_CC},       {"CRT1", DEFAULT_CRT1},
	{"CXX", DEFAULT_CXX},     {"GPROF", DEFAULT_GPROF},
	{"NM", DEFAULT_NM},       {"OBJDUMP", DEFAULT_OBJDUMP},
	{"RCRT1", DEFAULT_RCRT1}, {"READELF", DEFAULT_READELF},
	{"RUN", DEFAULT_RUN},     {"SOURCE", "."},
};

/* Folders of this run: what is made in it goes away with it. */
static char run_directory[PATH_MAX];

const char *setting(const char *name)
{
	const char *value = getenv(name);

	for (size_t i = 0; !value && i < sizeof built_with / sizeof *built_with;
	     i++)
		if (strcmp(name, built_with[i].name) == 0)
			value = built_with[i].value;
	if (!value) {
		fprintf(stderr, "no setting %s\n", name);
		abort();
	}
	return value;
}

char *text_valist(const char *format, va_list arguments)
{
	char *string;

	if (vasprintf(&string, format, arguments) < 0)
		abort();
	return string;
}

char *text(const char *format, ...)
{
	va_list arguments;
	char *string;

	va_start(arguments, format);
	string = text_valist(format, arguments);
	va_end(arguments);
	return string;
}

static void make_absolute(const char *name)
{
	char *path = realpath(setting(name), NULL);

	if (!path) {
		perror(setting(name));
		exit(2);
	}
	setenv(name, path, 1);
}

void harness_start(void)
{
	make_absolute("BUILD");
	make_absolute("SOURCE");
	unsetenv("GMON_OPTIONS");
	unsetenv("GMON_OUT_PREFIX");
	unsetenv("PROFDIR");
	setenv("LC_ALL", "C", 1);
	/* else a test that shows more than 8 KiB fails without a word */
	setenv("CK_MAX_MSG_SIZE", "100000", 0);
	umask(022);
	/* nohup and background jobs ignore some, which programs inherit */
	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	snprintf(run_directory, sizeof run_directory, "%s/run.XXXXXX",
		 setting("BUILD"));
	if (!mkdtemp(run_directory) || chmod(run_directory, 0755) != 0) {
		perror(run_directory);
		exit(2);
	}
	setenv("RUN_DIRECTORY", run_directory, 1);
}

void harness_report_skips(void)
{
	fflush(stdout);
	if (system("cd \"$RUN_DIRECTORY\" && test ! -e skipped || "
		   "sort -u skipped | awk '{ print \"skipped: \" $0 } "
		   "END { print NR \" skipped\" }'"))
		puts("skips could not be listed");
}

void harness_end(void)
{
	if (getenv("KEEP"))
		printf("kept: %s\n", run_directory);
	else if (system("rm -rf \"$RUN_DIRECTORY\""))
		perror(run_directory);
}

void skip(const char *format, ...)
{
	FILE *list = fopen(text("%s/skipped", run_directory), "a");
	va_list arguments;

	ck_assert(list != NULL);
	va_start(arguments, format);
	fprintf(list, "%s\n", text_valist(format, arguments));
	va_end(arguments);
	fclose(list);
}

Suite *suite_make(const char *name, TCase **tcase)
{
	Suite *suite = suite_create(name);

	*tcase = tcase_create(name);
	tcase_set_timeout(*tcase, 300);
	suite_add_tcase(suite, *tcase);
	return suite;
}
