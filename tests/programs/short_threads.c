/* SPDX-License-Identifier: 0BSD */
/*
 * 10 000 short threads, eight at once; each takes ten arcs.  What the runtime
 * leaves behind follows the eight and not the 10 000: mappings, memory,
 * timers, descriptors.  Says what there is more of at the end.
 *
 * calls main 1              calls life 10000        arc outside life 10000
 * calls step 100000         arc life step 100000
 * calls look 2
 */
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __clang__
#define OPAQUE __attribute__((noinline))
#else
#define OPAQUE __attribute__((noipa))
#endif
#define PLAIN __attribute__((no_instrument_function))
enum { AT_ONCE = 8, THREADS = 10000 };

static __thread volatile int sink;

OPAQUE void step(void)
{
	sink++;
}

OPAQUE void *life(void *argument)
{
	step(), step(), step(), step(), step();
	step(), step(), step(), step(), step();
	return argument;
}

PLAIN static int line_count(const char *path, const char *part)
{
	char line[512];
	int count = 0;
	FILE *file = fopen(path, "r");

	while (file && fgets(line, sizeof line, file))
		count += strstr(line, part) != NULL;
	if (file)
		fclose(file);
	return file ? count : -1;
}

PLAIN static int number_in(const char *path, const char *key)
{
	char line[512];
	int number = -1;
	FILE *file = fopen(path, "r");

	while (file && fgets(line, sizeof line, file))
		if (strncmp(line, key, strlen(key)) == 0)
			number = atoi(line + strlen(key));
	if (file)
		fclose(file);
	return number;
}

PLAIN static int descriptor_count(void)
{
	DIR *directory = opendir("/proc/self/fd");
	int count = 0;

	while (directory && readdir(directory))
		count++;
	if (directory)
		closedir(directory);
	return count;
}

struct state {
	int mappings, kilobytes, timers, descriptors;
};

OPAQUE void look(struct state *state)
{
	state->mappings = line_count("/proc/self/maps", "-");
	state->kilobytes = number_in("/proc/self/status", "VmRSS:");
	state->timers = line_count("/proc/self/timers", "ID:");
	state->descriptors = descriptor_count();
}

PLAIN static void live(int rounds)
{
	pthread_t threads[AT_ONCE];

	while (rounds--) {
		for (int i = 0; i < AT_ONCE; i++)
			if (pthread_create(&threads[i], NULL, life, NULL))
				abort();
		for (int i = 0; i < AT_ONCE; i++)
			pthread_join(threads[i], NULL);
	}
}

int main(void)
{
	struct state before, after;

	live(2);
	look(&before);
	live(THREADS / AT_ONCE - 2);
	look(&after);
	printf("mappings %d\nkilobytes %d\ntimers %d\ndescriptors %d\n",
	       after.mappings - before.mappings,
	       after.kilobytes - before.kilobytes, after.timers,
	       after.descriptors - before.descriptors);
	return 0;
}
