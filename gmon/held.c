/* SPDX-License-Identifier: 0BSD */
/* The file that is held open from start to exit. */
#include "gmon/held.h"
#include "gmon/kernel.h"
#include "gmon/owned.h"

#include <fcntl.h>
#include <sys/stat.h>

/*
 * Programs expect low descriptors for themselves, and select() takes them up
 * to 1023; where the limit is lower, any free one will do.
 */
static const int lowest[] = {1024, 512, 128, 3};

static int held = -1;
static dev_t held_device;
static ino_t held_inode;

static int move_up(int file)
{
	long up = -EMFILE;

	for (size_t i = 0; i < sizeof lowest / sizeof *lowest && up < 0; i++)
		up = kernel(SYS_fcntl, file, F_DUPFD_CLOEXEC, lowest[i]);
	kernel(SYS_close, file);
	return (int)up;
}

int held_open(const char *name)
{
	struct stat status;
	int file = (int)kernel(SYS_openat, AT_FDCWD, name,
			       O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW |
				       O_NOCTTY | O_LARGEFILE | O_CLOEXEC,
			       0666);

	if (file == -EEXIST)
		file = owned_open(AT_FDCWD, name);
	if (file < 0)
		return file;
	file = move_up(file);
	if (file < 0)
		return file;
	if (fstat(file, &status) != 0) {
		kernel(SYS_close, file);
		return -EIO;
	}
	held = file;
	held_device = status.st_dev;
	held_inode = status.st_ino;
	return 0;
}

/* Daemons close all descriptors, and ours may be another file by now. */
static int is_there(void)
{
	struct stat status;

	return fstat(held, &status) == 0 && status.st_dev == held_device &&
	       status.st_ino == held_inode;
}

void held_close(void)
{
	if (held >= 0 && is_there())
		kernel(SYS_close, held);
	held = -1;
}

int held_take(void)
{
	int file;

	if (held < 0)
		return -EBADF;
	if (!is_there())
		return -ESTALE;
	kernel(SYS_ftruncate, held, 0L);
	kernel(SYS_lseek, held, 0L, SEEK_SET);
	file = (int)kernel(SYS_fcntl, held, F_DUPFD_CLOEXEC, 0);
	return file < 0 ? held : file;
}

int held_give_back(int file)
{
	return file == held ? 0 : (int)kernel(SYS_close, file);
}
