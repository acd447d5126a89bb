/* SPDX-License-Identifier: 0BSD */
/* The threads of this process, as the kernel lists them. */
#include "gmon/kernel.h"
#include "profil/engine.h"

#include <fcntl.h>

/* struct linux_dirent64 of getdents64(2) */
struct entry {
	uint64_t inode, offset;
	unsigned short size;
	unsigned char type;
	char name[];
};

/* The number that a name spells, 0 for "." and "..". */
static int number_of(const char *name)
{
	int number = 0;

	while (*name >= '0' && *name <= '9')
		number = number * 10 + (*name++ - '0');
	return number;
}

void tasks_each(void (*found)(int tid))
{
	_Alignas(struct entry) char buffer[1024];
	long size, at;
	int directory = (int)kernel(SYS_openat, AT_FDCWD, "/proc/self/task",
				    O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (directory < 0)
		return;
	while ((size = kernel(SYS_getdents64, directory, buffer,
			      sizeof buffer)) > 0)
		for (at = 0; at < size;) {
			struct entry *entry = (void *)(buffer + at);
			int tid = number_of(entry->name);

			if (tid)
				found(tid);
			at += entry->size;
		}
	kernel(SYS_close, directory);
}
