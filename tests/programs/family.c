/* SPDX-License-Identifier: 0BSD */
/*
 * Threads, a child and a plugin: what differs most between C libraries.
 * The child calls in_child 50 times and the parent in_parent 100 times; four
 * threads call in_thread 1000 times each.  With an argument the plugin of that
 * name is loaded, and its run() called.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define OPAQUE __attribute__((noinline))

volatile int sink;

OPAQUE void in_child(void)
{
	sink = sink + 1;
}

OPAQUE void in_parent(void)
{
	sink = sink + 1;
}

OPAQUE void in_thread(void)
{
	__asm__ volatile("");
}

static void *body(void *argument)
{
	for (int i = 0; i < 1000; i++)
		in_thread();
	return argument;
}

static void run_threads(void)
{
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		if (pthread_create(&threads[i], NULL, body, NULL))
			abort();
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
}

static void run_child(void)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		for (int i = 0; i < 50; i++)
			in_child();
		exit(0);
	}
	for (int i = 0; i < 100; i++)
		in_parent();
	if (waitpid(child, &status, 0) != child || status)
		abort();
}

static void run_plugin(const char *path)
{
	void *plugin = dlopen(path, RTLD_NOW);
	void (*run)(void) = NULL;

	if (plugin)
		*(void **)&run = dlsym(plugin, "run");
	if (!run)
		abort();
	run();
}

int main(int argc, char **argv)
{
	run_threads();
	run_child();
	if (argc > 1)
		run_plugin(argv[1]);
	return 0;
}
