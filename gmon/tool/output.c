/* SPDX-License-Identifier: 0BSD */
/* Files that are written. */
#include "gmon/tool/output.h"
#include "gmon/tool/memory.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Signals that end us; they leave no file behind. */
static const int endings[] = {SIGHUP,  SIGINT,	SIGQUIT, SIGPIPE,
			      SIGTERM, SIGXCPU, SIGXFSZ};
enum { ENDING_COUNT = sizeof endings / sizeof *endings };

/* No verb has more at a time. */
static const char *volatile names[4];
enum { NAME_COUNT = sizeof names / sizeof *names };

static void tidy(int number)
{
	for (int i = 0; i < NAME_COUNT; i++)
		if (names[i])
			unlink(names[i]);
	/* reset by SA_RESETHAND, it comes when we return */
	raise(number);
}

/* What our parent had us ignore stays ignored. */
static void catch(void)
{
	struct sigaction action = {.sa_handler = tidy,
				   .sa_flags = (int)SA_RESETHAND};
	struct sigaction old;

	sigfillset(&action.sa_mask);
	for (int i = 0; i < ENDING_COUNT; i++)
		if (sigaction(endings[i], NULL, &old) == 0 &&
		    old.sa_handler == SIG_DFL)
			sigaction(endings[i], &action, NULL);
}

static void exchange(const char *old, const char *new)
{
	for (int i = 0; i < NAME_COUNT; i++)
		if (names[i] == old) {
			names[i] = new;
			return;
		}
}

/* As mkstemp; the name, on the heap, is ours until temporary_end. */
static int temporary_make(char *name)
{
	sigset_t all, before;
	int fd;

	catch();
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	fd = mkstemp(name);
	if (fd >= 0)
		exchange(NULL, name);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return fd;
}

/* The file has been renamed, or removed. */
static void temporary_end(const char *name)
{
	exchange(name, NULL);
}

static bool is_special(const char *name)
{
	struct stat status;

	return stat(name, &status) == 0 && !S_ISREG(status.st_mode);
}

/* mkstemp makes files for their owner alone; others are as the umask says. */
static void open_to_others(int fd)
{
	mode_t mask = umask(0);

	umask(mask);
	fchmod(fd, 0666 & ~mask);
}

bool output_open(struct output *output, const char *name,
		 struct problem *problem)
{
	static const char suffix[] = ".XXXXXX";
	int fd;

	*output = (struct output){.name = name};
	if (strcmp(name, "-") == 0) {
		output->name = "standard output";
		output->file = stdout;
		return true;
	}
	if (is_special(name)) {
		output->file = fopen(name, "we");
		return output->file || problem_set(problem, "%s: %s", name,
						   strerror(errno));
	}
	output->temporary =
		memory_zeroed(strlen(name) + sizeof suffix, 1);
	strcat(strcpy(output->temporary, name), suffix);
	fd = temporary_make(output->temporary);
	if (fd < 0) {
		free(output->temporary);
		return problem_set(problem, "%s: %s", name, strerror(errno));
	}
	open_to_others(fd);
	output->file = fdopen(fd, "w");
	return true;
}

bool output_close(struct output *output, bool good, struct problem *problem)
{
	bool written = !ferror(output->file);

	if (output->file == stdout)
		written = fflush(stdout) == 0 && written;
	else
		written = fclose(output->file) == 0 && written;
	if (good && !written)
		problem_set(problem, "%s: %s", output->name, strerror(errno));
	good = good && written;
	if (output->temporary) {
		if (good && rename(output->temporary, output->name))
			good = problem_set(problem, "%s: %s", output->name,
					   strerror(errno));
		if (!good)
			unlink(output->temporary);
		temporary_end(output->temporary);
		free(output->temporary);
	}
	return good;
}

FILE *output_temporary(char **name, struct problem *problem)
{
	const char *folder = getenv("TMPDIR");
	FILE *file;
	int fd;

	if (!folder || !*folder)
		folder = "/tmp";
	*name = memory_zeroed(strlen(folder) + sizeof "/gmon.XXXXXX", 1);
	strcat(strcpy(*name, folder), "/gmon.XXXXXX");
	fd = temporary_make(*name);
	file = fd < 0 ? NULL : fdopen(fd, "w");
	if (!file) {
		problem_set(problem, "%s: %s", *name, strerror(errno));
		temporary_end(*name);
		free(*name);
		*name = NULL;
	}
	return file;
}

void output_remove(char *name)
{
	if (!name)
		return;
	unlink(name);
	temporary_end(name);
	free(name);
}
