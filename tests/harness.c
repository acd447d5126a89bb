/* SPDX-License-Identifier: 0BSD */
/* Settings, commands, folders, skips. */
#include "tests/harness.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct {
	const char *name, *value;
} built_with[] = {
	{"ARCH", DEFAULT_ARCH},	      {"BUILD", DEFAULT_BUILD},
	{"CC", DEFAULT_CC},	      {"CXX", DEFAULT_CXX},
	{"GPROF", DEFAULT_GPROF},     {"NM", DEFAULT_NM},
	{"OBJDUMP", DEFAULT_OBJDUMP}, {"READELF", DEFAULT_READELF},
	{"RUN", DEFAULT_RUN},	      {"SOURCE", "."},
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

static char *text_of(const char *format, va_list arguments)
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
	string = text_of(format, arguments);
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
	umask(022);
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
	fprintf(list, "%s\n", text_of(format, arguments));
	va_end(arguments);
	fclose(list);
}

char *file_read(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	struct stat status;
	char *bytes;

	if (!file)
		return NULL;
	ck_assert(fstat(fileno(file), &status) == 0);
	bytes = malloc((size_t)status.st_size + 1);
	ck_assert(bytes != NULL);
	bytes[fread(bytes, 1, (size_t)status.st_size, file)] = '\0';
	fclose(file);
	if (size)
		*size = (size_t)status.st_size;
	return bytes;
}

bool file_exists(const char *path)
{
	struct stat status;

	return lstat(path, &status) == 0;
}

char *directory_make(void)
{
	char *path = text("%s/d.XXXXXX", run_directory);

	ck_assert(mkdtemp(path) != NULL && chmod(path, 0755) == 0);
	return path;
}

char *directory_names(const char *directory)
{
	struct dirent **names;
	int count = scandir(directory, &names, NULL, alphasort);
	char *list = text("%s", "");

	ck_assert_msg(count >= 0, "%s: %s", directory, strerror(errno));
	for (int i = 0; i < count; i++)
		if (strcmp(names[i]->d_name, ".") != 0 &&
		    strcmp(names[i]->d_name, "..") != 0)
			list = text("%s%s ", list, names[i]->d_name);
	return list;
}

static void become(const char *directory, const char *line, const char *out,
		   const char *err)
{
	int nothing = open("/dev/null", O_RDONLY);
	int to = open(out, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	int errors = open(err, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	if (dup2(nothing, 0) == 0 && dup2(to, 1) == 1 && dup2(errors, 2) == 2 &&
	    chdir(directory) == 0) {
		closefrom(3);
		execl("/bin/sh", "sh", "-c", line, (char *)NULL);
	}
	_exit(126);
}

static double seconds(struct timeval time)
{
	return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static struct outcome command_of(const char *directory, char *line)
{
	struct outcome outcome = {.command = line, .directory = directory};
	char *out = text("%s/out.%d", run_directory, getpid());
	char *err = text("%s/err.%d", run_directory, getpid());
	struct rusage usage;
	pid_t child = fork();

	if (child == 0)
		become(directory, line, out, err);
	ck_assert(child > 0);
	while (wait4(child, &outcome.status, 0, &usage) < 0)
		ck_assert(errno == EINTR);
	outcome.cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime);
	outcome.out = file_read(out, NULL);
	outcome.err = file_read(err, NULL);
	unlink(out);
	unlink(err);
	return outcome;
}

struct outcome command(const char *directory, const char *format, ...)
{
	va_list arguments;
	char *line;

	va_start(arguments, format);
	line = text_of(format, arguments);
	va_end(arguments);
	return command_of(directory, line);
}

char *command_output(const char *directory, const char *format, ...)
{
	struct outcome outcome;
	va_list arguments;

	va_start(arguments, format);
	outcome = command_of(directory, text_of(format, arguments));
	va_end(arguments);
	ck_assert_msg(outcome.status == 0, "%s: wait status %#x\n%s%s",
		      outcome.command, outcome.status, outcome.out,
		      outcome.err);
	return outcome.out;
}

int outcome_exit(const struct outcome *outcome)
{
	return WIFEXITED(outcome->status) ? WEXITSTATUS(outcome->status) : -1;
}

int text_count(const char *text, const char *part)
{
	int count = 0;

	for (; (text = strstr(text, part)); text += strlen(part))
		count++;
	return count;
}

Suite *suite_make(const char *name, TCase **tcase)
{
	Suite *suite = suite_create(name);

	*tcase = tcase_create(name);
	tcase_set_timeout(*tcase, 300);
	suite_add_tcase(suite, *tcase);
	return suite;
}
