/* SPDX-License-Identifier: 0BSD */
/*
 * run PROGRAM ARGUMENT...: runs it and says, after what it says itself, its
 * CPU time in milliseconds (`used`) and the most memory it had in KiB (`rss`).
 * A small parent: the memory of a big one would show as the child's.
 */
#include <spawn.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>

extern char **environ;

static double milliseconds(struct timeval time)
{
	return (double)time.tv_sec * 1e3 + (double)time.tv_usec / 1e3;
}

int main(int argc, char **argv)
{
	struct rusage usage;
	int status;
	pid_t child;

	if (argc < 2 ||
	    posix_spawn(&child, argv[1], NULL, NULL, argv + 1, environ) != 0 ||
	    wait4(child, &status, 0, &usage) != child)
		return 2;
	printf("\nused %.3f\nrss %ld\n",
	       milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime),
	       usage.ru_maxrss);
	return status != 0;
}
