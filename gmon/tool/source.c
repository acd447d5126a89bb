/* SPDX-License-Identifier: 0BSD */
/* The window on a file. */
#include "gmon/tool/source.h"
#include "gmon/tool/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Big enough for most files as a whole: those are read once. */
#define WINDOW_SIZE ((size_t)2 << 20)

/* Copy what a pipe gives into a file that has no name. */
static int spool(int pipe, const char *name, struct problem *problem)
{
	FILE *file = tmpfile();
	int copy = file ? dup(fileno(file)) : -1;
	char bytes[16384];
	ssize_t size = 0;

	if (file)
		fclose(file);
	while (copy >= 0 && (size = read(pipe, bytes, sizeof bytes)) != 0) {
		if (size < 0 && errno == EINTR)
			continue;
		if (size < 0 || write(copy, bytes, (size_t)size) != size)
			break;
	}
	if (copy < 0 || size) {
		problem_set(problem, "%s: %s", name, strerror(errno));
		if (copy >= 0)
			close(copy);
		copy = -1;
	}
	close(pipe);
	return copy;
}

bool source_open(struct source *source, const char *name,
		 struct problem *problem)
{
	bool standard = strcmp(name, "-") == 0;
	struct stat status;
	int fd = standard ? dup(STDIN_FILENO)
			  : open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY);

	source->name = standard ? "standard input" : name;
	source->fd = -1;
	source->window_start = source->window_size = 0;
	if (fd < 0 || fstat(fd, &status)) {
		problem_set(problem, "%s: %s", source->name, strerror(errno));
		if (fd >= 0)
			close(fd);
		return false;
	}
	if (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode)) {
		fd = spool(fd, source->name, problem);
		if (fd < 0 || fstat(fd, &status))
			return false;
	} else if (!S_ISREG(status.st_mode)) {
		close(fd);
		return problem_set(problem, "%s: not a regular file",
				   source->name);
	}
	source->fd = fd;
	source->size = (uint64_t)status.st_size;
	return true;
}

void source_memory(struct source *source, const char *name, const void *bytes,
		   size_t size)
{
	*source = (struct source){
		.name = name,
		.size = size,
		.fd = -1,
		.window = bytes,
		.window_size = size,
	};
}

void source_close(struct source *source)
{
	if (source->fd >= 0)
		close(source->fd);
	source->fd = -1;
	source->window_size = 0;
}

void source_free(struct source *source)
{
	source_close(source);
	free(source->room);
	source->room = NULL;
}

const unsigned char *source_move(struct source *source, uint64_t offset,
				 size_t size)
{
	size_t got = 0;

	if (source->fd < 0)
		return NULL;
	if (!source->room)
		source->room = memory_zeroed(WINDOW_SIZE, 1);
	source->window = source->room;
	source->window_start = offset;
	while (got < WINDOW_SIZE && offset + got < source->size) {
		ssize_t more = pread(source->fd, source->room + got,
				     WINDOW_SIZE - got, (off_t)(offset + got));

		if (more < 0 && errno == EINTR)
			continue;
		if (more <= 0)
			break;
		got += (size_t)more;
	}
	source->window_size = got;
	return size <= got ? source->window : NULL;
}
