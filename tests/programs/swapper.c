/* SPDX-License-Identifier: 0BSD */
/*
 * Not profiled: an attacker.  Swaps what gmon.out is, and any temporary file
 * that it sees, in the current directory: links to and names of files in
 * another one, FIFOs, nothing.  swapper OUTSIDE TIMES
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char precious[4096], missing[4096];

static void swap(const char *name, int way)
{
	unlink(name);
	switch (way) {
	case 0:
		symlink(precious, name);
		break;
	case 1:
		symlink(missing, name);
		break;
	case 2:
		link(precious, name);
		unlink(name);
		break;
	case 3:
		mkfifo(name, 0666);
		break;
	case 4:
		close(open(name, O_CREAT | O_EXCL | O_WRONLY, 0666));
		break;
	default:
		link(precious, name);
	}
}

/* What a swap has left is removed the next time, or it would be a heap. */
static void swap_temporaries(void)
{
	DIR *here = opendir(".");
	struct dirent *entry;
	struct stat status;

	while (here && (entry = readdir(here))) {
		if (strncmp(entry->d_name, ".gmon.", 6) != 0 ||
		    lstat(entry->d_name, &status) != 0)
			continue;
		if (S_ISREG(status.st_mode) && status.st_size)
			swap(entry->d_name, entry->d_name[8] % 6);
		else
			unlink(entry->d_name);
	}
	if (here)
		closedir(here);
}

int main(int argc, char **argv)
{
	int times = argc > 2 ? atoi(argv[2]) : 0;

	snprintf(precious, sizeof precious, "%s/precious", argv[1]);
	snprintf(missing, sizeof missing, "%s/missing", argv[1]);
	for (int i = 0; i < times; i++) {
		swap("gmon.out", i % 6);
		if (i % 8 == 0)
			swap_temporaries();
	}
	unlink("gmon.out");
	return 0;
}
