/* SPDX-License-Identifier: 0BSD */
/*
 * fork() with much memory (argument: MiB) takes longer than a tick; a kernel
 * that starts it anew at each tick would never be done.  Prints how long it
 * takes with profiling on and with profiling off, the best of three each.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void moncontrol(int mode);

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double fork_time(void)
{
	double best = 1e9;

	for (int i = 0; i < 3; i++) {
		double start = now(), took;
		pid_t child = fork();

		if (child == 0)
			_exit(0);
		took = now() - start;
		if (child < 0 || waitpid(child, NULL, 0) != child)
			abort();
		best = took < best ? took : best;
	}
	return best;
}

int main(int argc, char **argv)
{
	size_t size = (size_t)(argc > 1 ? atol(argv[1]) : 500) << 20;
	char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return 1;
	madvise(memory, size, MADV_NOHUGEPAGE);
	memset(memory, 1, size);
	printf("profiled %.4f\n", fork_time());
	moncontrol(0);
	printf("unprofiled %.4f\n", fork_time());
	return 0;
}
