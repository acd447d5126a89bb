/* SPDX-License-Identifier: 0BSD */
/* Commands and what came of them, files and folders. */
#include "tests/harness.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

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
	char *path = text("%s/d.XXXXXX", getenv("RUN_DIRECTORY"));

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
	char *out = text("%s/out.%d", getenv("RUN_DIRECTORY"), getpid());
	char *err = text("%s/err.%d", getenv("RUN_DIRECTORY"), getpid());
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
	line = text_valist(format, arguments);
	va_end(arguments);
	return command_of(directory, line);
}

char *command_output(const char *directory, const char *format, ...)
{
	struct outcome outcome;
	va_list arguments;

	va_start(arguments, format);
	outcome = command_of(directory, text_valist(format, arguments));
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
