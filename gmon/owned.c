/* SPDX-License-Identifier: 0BSD */
/* What may be overwritten. */
#include "gmon/owned.h"
#include "gmon/kernel.h"

#include <fcntl.h>
#include <linux/limits.h>
#include <string.h>

/* Without a name it has just been replaced, by another process's profile. */
bool owned_file(const struct stat *status, const char **what)
{
	*what = S_ISLNK(status->st_mode)    ? "a symbolic link"
		: S_ISDIR(status->st_mode)  ? "a directory"
		: !S_ISREG(status->st_mode) ? "not a regular file"
		: status->st_uid != geteuid() ? "another user's file"
		: status->st_nlink > 1	      ? "a file with several names"
					      : NULL;
	return !*what;
}

/* In a sticky directory others cannot remove a name of a file of ours. */
static bool only_we_change(const struct stat *directory)
{
	return (directory->st_uid == 0 || directory->st_uid == geteuid()) &&
	       (!(directory->st_mode & (S_IWGRP | S_IWOTH)) ||
		directory->st_mode & S_ISVTX);
}

static int open_directory_of(int at, const char *name, const char *last)
{
	static char directory[PATH_MAX];
	size_t size = (size_t)(last - name);

	if (size >= sizeof directory)
		return -ENAMETOOLONG;
	memcpy(directory, name, size);
	strcpy(directory + size, size ? "" : ".");
	return (int)kernel(SYS_openat, at, directory,
			   O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static int open_file(int directory, const char *name)
{
	struct stat status;
	const char *what;
	int file;

	if (fstat(directory, &status) != 0 || !only_we_change(&status))
		return -EACCES;
	/* without waiting for the other end of a FIFO */
	file = (int)kernel(SYS_openat, directory, name,
			   O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY |
				   O_LARGEFILE | O_CLOEXEC);
	if (file < 0)
		return file;
	if (fstat(file, &status) == 0 && status.st_nlink &&
	    owned_file(&status, &what))
		return file;
	kernel(SYS_close, file);
	return -EACCES;
}

int owned_open(int at, const char *name)
{
	const char *slash = strrchr(name, '/');
	const char *last = slash ? slash + 1 : name;
	int directory = open_directory_of(at, name, last);
	int file = directory;

	if (directory >= 0) {
		file = open_file(directory, last);
		kernel(SYS_close, directory);
	}
	return file;
}
