/* SPDX-License-Identifier: 0BSD */
/* The file: opened where nobody can be hurt, filled, and renamed. */
#include "gmon/output.h"
#include "gmon/held.h"
#include "gmon/kernel.h"
#include "gmon/owned.h"
#include "gmon/quiet.h"
#include "gmon/warn.h"

#include <fcntl.h>
#include <linux/limits.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { BUFFER_SIZE = 16384, TEMPORARY_TRIES = 16 };

static char start_directory[PATH_MAX]; /* empty: not known */
static struct stat start_status;

static struct {
	struct sink sink;
	int at;			  /* where names begin, as for openat() */
	const char *name;	  /* the target */
	char temporary[PATH_MAX]; /* beside it, until it is renamed */
	char path[PATH_MAX];	  /* the target, for the reader of a line */
	enum { RENAMED, IN_PLACE, HELD } how;
	int file;
	int error; /* the first one, or 0 */
	int error_before; /* why the current directory would not do, or 0 */
	size_t used;
	char buffer[BUFFER_SIZE];
} output;

const char *output_start(void)
{
	if (kernel(SYS_getcwd, start_directory, sizeof start_directory) <= 0 ||
	    start_directory[0] != '/' || stat(".", &start_status) != 0)
		start_directory[0] = '\0';
	return start_directory[0] ? start_directory : NULL;
}

static void write_all(const char *bytes, size_t size)
{
	while (size && !output.error) {
		long written = quiet_write(output.file, bytes, size);

		if (written > 0) {
			bytes += written;
			size -= (size_t)written;
		} else if (written != -EINTR) {
			output.error = written ? (int)-written : EIO;
		}
	}
}

static void flush(void)
{
	write_all(output.buffer, output.used);
	output.used = 0;
}

static void put(struct sink *sink, const void *bytes, size_t size)
{
	(void)sink;
	if (size > sizeof output.buffer - output.used)
		flush();
	memcpy(output.buffer + output.used, bytes, size);
	output.used += size;
}

/* "DIRECTORY/name", or name alone; false if it does not fit. */
static bool path_join(char path[PATH_MAX], const char *directory,
		      const char *name)
{
	size_t size = strlen(directory);

	if (size + 1 + strlen(name) >= PATH_MAX)
		return false;
	memcpy(path, directory, size);
	if (size && path[size - 1] != '/')
		path[size++] = '/';
	strcpy(path + size, name);
	return true;
}

/* A new name in the directory of the target: ".gmon.<number>". */
static bool temporary_name(uint64_t number)
{
	const char *slash = strrchr(output.name, '/');
	size_t size = slash ? (size_t)(slash + 1 - output.name) : 0;
	char name[] = ".gmon.0123456789abcdef";

	if (size + sizeof name > PATH_MAX)
		return false;
	for (int i = 0; i < 16; i++)
		name[6 + i] = "0123456789abcdef"[number >> 4 * i & 15];
	memcpy(output.temporary, output.name, size);
	memcpy(output.temporary + size, name, sizeof name);
	return true;
}

static int open_temporary(void)
{
	struct timespec now = {0, 0};
	uint64_t number = (uint64_t)kernel_getpid() << 32;
	int file = -EEXIST;

	clock_gettime(CLOCK_MONOTONIC, &now);
	number ^= (uint64_t)now.tv_sec << 30 ^ (uint64_t)now.tv_nsec;
	for (int i = 0; i < TEMPORARY_TRIES && file == -EEXIST; i++) {
		if (!temporary_name(number + (uint64_t)i))
			return -ENAMETOOLONG;
		file = (int)kernel(SYS_openat, output.at, output.temporary,
				   O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW |
					   O_LARGEFILE | O_CLOEXEC,
				   0666);
	}
	return file;
}

/*
 * Where the directory takes no new file but the old one is ours and writable,
 * it is written in place.
 */
static int open_in_place(void)
{
	int file = owned_open(output.at, output.name);
	long cut;

	if (file < 0)
		return file;
	cut = kernel(SYS_ftruncate, file, 0L);
	if (cut < 0) {
		kernel(SYS_close, file);
		return (int)cut;
	}
	output.how = IN_PLACE;
	return file;
}

/* Open output.name; its target is known to be ours or not there. */
static int open_path(bool exists)
{
	int file = open_temporary();

	output.how = RENAMED;
	if (file == -EACCES || file == -EPERM || file == -EROFS)
		if (exists) {
			int in_place = open_in_place();

			if (in_place >= 0)
				return in_place;
		}
	return file;
}

/*
 * A descriptor; -EBUSY if the target must not be touched, which is reported
 * here; or another negative errno.
 */
static int open_target(void)
{
	struct stat target;
	const char *what;
	bool exists = fstatat(output.at, output.name, &target,
			      AT_SYMLINK_NOFOLLOW) == 0;

	if (exists && !owned_file(&target, &what)) {
		warn("%s is %s: left alone, no profile was written",
		     output.path, what);
		return -EBUSY;
	}
	return open_path(exists);
}

static int open_here(const char *name)
{
	output.at = AT_FDCWD;
	output.name = name;
	if (!path_join(output.path, "", name))
		return -ENAMETOOLONG;
	return open_target();
}

/*
 * In the directory that was current at start, if it is still what is found
 * under that path.
 */
static int open_at_start(const char *name)
{
	struct stat now;
	int directory;

	if (!path_join(output.path, start_directory, name))
		return -ENAMETOOLONG;
	directory = (int)kernel(SYS_openat, AT_FDCWD, start_directory,
				O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (directory < 0)
		return directory;
	output.at = directory;
	if (fstat(directory, &now) != 0 || now.st_dev != start_status.st_dev ||
	    now.st_ino != start_status.st_ino)
		return -ENOENT;
	return open_target();
}

/* What the names began at is no longer needed. */
static void leave(void)
{
	if (output.at != AT_FDCWD)
		kernel(SYS_close, output.at);
	output.at = AT_FDCWD;
}

/* The file held since start, if there is one. */
static int open_held(const char *name)
{
	int file = held_take();

	if (file == -ESTALE)
		warn("the program closed the file that was opened at start: "
		     "trying %s again", name);
	if (file >= 0) {
		path_join(output.path, "", name);
		output.how = HELD;
	}
	return file;
}

struct sink *output_open(const char *name)
{
	bool has_second = name[0] != '/' && start_directory[0];
	int file;

	if (strcmp(name, "/dev/null") == 0)
		return NULL;
	output.error_before = 0;
	output.at = AT_FDCWD;
	file = open_held(name);
	if (file < 0)
		file = open_here(name);
	if (file < 0 && file != -EBUSY && has_second) {
		output.error_before = -file;
		file = open_at_start(name);
	}
	if (file < 0) {
		leave();
		if (file != -EBUSY)
			warn("cannot create %s: %e; no profile was written",
			     output.path, -file);
		return NULL;
	}
	output.file = file;
	output.error = 0;
	output.used = 0;
	output.sink.put = put;
	return &output.sink;
}

static void report(void)
{
	if (output.error && output.how != RENAMED)
		warn("cannot write %s: %e; the file there is now incomplete",
		     output.path, output.error);
	else if (output.error)
		warn("cannot write %s: %e; no profile was written", output.path,
		     output.error);
	else if (output.error_before)
		warn("the current directory takes no profile (%e); it is in %s",
		     output.error_before, output.path);
	else if (output.how == IN_PLACE)
		warn("the directory takes no new file: %s was overwritten",
		     output.path);
}

bool output_close(void)
{
	long closed, renamed;

	flush();
	closed = output.how == HELD ? held_give_back(output.file)
				    : kernel(SYS_close, output.file);
	if (closed < 0 && !output.error)
		output.error = (int)-closed;
	if (!output.error && output.how == RENAMED) {
		renamed = kernel(SYS_renameat2, output.at, output.temporary,
				 output.at, output.name, 0);
		output.error = renamed < 0 ? (int)-renamed : 0;
	}
	if (output.error && output.how == RENAMED)
		kernel(SYS_unlinkat, output.at, output.temporary, 0);
	leave();
	report();
	return !output.error;
}

const char *output_path(void)
{
	return output.path;
}
