/* SPDX-License-Identifier: 0BSD */
/*
 * Processes that come from one another: "forks SCENARIO [COUNT]".  Functions
 * are named after who calls them; each scenario's truth is in its test.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __clang__
#define OPAQUE __attribute__((noinline))
#else
#define OPAQUE __attribute__((noipa))
#endif
#define PLAIN __attribute__((no_instrument_function))

extern char **environ;
static __thread volatile unsigned sink;

OPAQUE void common(void)
{
	sink++;
}

OPAQUE void in_parent(void)
{
	sink++;
}

OPAQUE void in_child(void)
{
	sink++;
}

OPAQUE void busy(double seconds)
{
	struct timespec now;
	double end = 0;

	do {
		for (int i = 0; i < 100000; i++)
			sink = sink * 3 + 1;
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
		if (!end)
			end = (double)now.tv_sec + (double)now.tv_nsec / 1e9 +
			      seconds;
	} while ((double)now.tv_sec + (double)now.tv_nsec / 1e9 < end);
}

PLAIN static void call(void function(void), int times)
{
	while (times--)
		function();
}

/* The child's end must be good. */
PLAIN static void wait_for(pid_t child)
{
	int status;

	if (child < 0 || waitpid(child, &status, 0) != child || status) {
		fprintf(stderr, "child %d: status %#x\n", child, status);
		_exit(3);
	}
}

/* Parent 1000 common and 20 of its own; child 10 and half a second. */
PLAIN static int one(void leave(int))
{
	pid_t child;

	call(common, 1000);
	child = fork();
	if (child == 0) {
		call(in_child, 10);
		leave(0);
	}
	wait_for(child);
	call(in_parent, 20);
	return 0;
}

PLAIN static int child_time(void)
{
	pid_t child = fork();

	if (child == 0) {
		busy(0.5);
		return 0;
	}
	wait_for(child);
	return 0;
}

/* 1 + 7 + 7 x 6 = 50 processes. */
PLAIN static int tree(void)
{
	pid_t children[7];
	int level = 0, count;

	call(common, 5);
grow:
	count = level == 0 ? 7 : level == 1 ? 6 : 0;
	for (int i = 0; i < count; i++) {
		children[i] = fork();
		if (children[i] == 0) {
			level++;
			call(in_child, 3);
			goto grow;
		}
	}
	for (int i = 0; i < count; i++)
		wait_for(children[i]);
	call(in_parent, level);
	return 0;
}

#define FAN(n) OPAQUE void fan_##n(void) { sink++; }
#define X4(M, n) M(n##0) M(n##1) M(n##2) M(n##3)
#define X16(M, n) X4(M, n##0) X4(M, n##1) X4(M, n##2) X4(M, n##3)
#define X64(M) X16(M, 0) X16(M, 1) X16(M, 2) X16(M, 3)
#define NAME(n) fan_##n,

X64(FAN)

static void (*const fans[])(void) = { X64(NAME) };
static _Atomic int over;
static _Atomic unsigned long commons, fan_calls;

/* Short lives with new arcs, so that tables are claimed and grown. */
OPAQUE void *short_life(void *argument)
{
	call(common, 100);
	for (int i = 0; i < 64; i++)
		fans[i]();
	fan_calls++;
	return argument;
}

PLAIN static void *load(void *argument)
{
	pthread_t thread;

	while (!over) {
		for (int i = 0; i < 10; i++)
			call(common, 1000);
		commons += 100;
		if (pthread_create(&thread, NULL, short_life, NULL) ||
		    pthread_join(thread, NULL))
			abort();
		commons++;
	}
	return argument;
}

/* A healthy child counts, has threads, and leaves in one of two ways. */
PLAIN static void be_healthy(int number)
{
	pthread_t thread;

	call(in_child, 10);
	if (number % 8 == 0 &&
	    (pthread_create(&thread, NULL, short_life, NULL) ||
	     pthread_join(thread, NULL)))
		abort();
	if (number % 2)
		_exit(0);
	exit(0);
}

static pid_t children[1000];

/* Threads use numbers up, too: a child may get that of an earlier one. */
PLAIN static int reused(int count)
{
	int found = 0;

	for (int i = 0; i < count; i++)
		for (int k = 0; k < i; k++)
			found += children[k] == children[i];
	return found;
}

PLAIN static int under_load(int count)
{
	pthread_t threads[3];

	for (int i = 0; i < 3; i++)
		if (pthread_create(&threads[i], NULL, load, NULL))
			return 1;
	for (int i = 0; i < count; i++) {
		pid_t child = fork();

		if (child == 0)
			be_healthy(i);
		children[i] = child;
		wait_for(child);
		call(in_parent, 1);
	}
	over = 1;
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	printf("common %lu\nfan_ %lu\nreused %d\n", commons * 100,
	       fan_calls * 64, reused(count));
	return 0;
}

/* Its first call, an exec that fails, and _exit, on its parent's memory. */
PLAIN static int borrowed(int count)
{
	for (int i = 0; i < count; i++) {
		pid_t child = vfork();

		if (child == 0) {
			in_child();
			execl("/no/such/program", "x", (char *)NULL);
			_exit(0);
		}
		wait_for(child);
		in_parent();
	}
	return 0;
}

/* One that cannot be executed, and one that can; neither writes a file. */
PLAIN static int spawned(int count)
{
	char *const words[] = {"true", NULL};
	pid_t child;

	for (int i = 0; i < count; i++) {
		if (posix_spawn(&child, "/no/such/program", NULL, NULL, words,
				environ) == 0)
			wait_for(child), abort();
		if (posix_spawn(&child, "/bin/true", NULL, NULL, words,
				environ))
			return 1;
		wait_for(child);
		if (system("exit 0"))
			return 1;
		in_parent();
	}
	return 0;
}

/* A child that no atfork handler knows of. */
PLAIN static int raw(void leave(int))
{
	pid_t child;

	call(common, 1000);
	child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (child == 0) {
		call(in_child, 10);
		busy(0.3);
		leave(0);
	}
	wait_for(child);
	call(in_parent, 20);
	return 0;
}

/* The process that goes on is not the one that was started. */
PLAIN static int demon(void)
{
	call(common, 1000);
	printf("parent %d\n", getpid());
	fflush(stdout);
	if (daemon(1, 1))
		return 1;
	call(in_child, 10);
	printf("child %d\n", getpid());
	return 0;
}

/* Each process is the child of the one before, with arcs of its own. */
PLAIN static int chain(int count)
{
	for (int i = 0; i < count; i++) {
		pid_t child;

		for (int j = 0; j < 64; j++)
			fans[j]();
		child = fork();
		if (child) {
			wait_for(child);
			return 0;
		}
		in_child();
	}
	return 0;
}

PLAIN static int scenario(const char *name, int count)
{
	if (strcmp(name, "one") == 0)
		return one(exit);
	if (strcmp(name, "quick") == 0)
		return one(_exit);
	if (strcmp(name, "time") == 0)
		return child_time();
	if (strcmp(name, "tree") == 0)
		return tree();
	if (strcmp(name, "load") == 0)
		return under_load(count);
	if (strcmp(name, "vfork") == 0)
		return borrowed(count);
	if (strcmp(name, "spawn") == 0)
		return spawned(count);
	if (strcmp(name, "raw") == 0)
		return raw(exit);
	if (strcmp(name, "raw_quick") == 0)
		return raw(_exit);
	if (strcmp(name, "daemon") == 0)
		return demon();
	if (strcmp(name, "chain") == 0)
		return chain(count);
	return 2;
}

PLAIN int main(int argc, char **argv)
{
	return argc == 3 ? scenario(argv[1], atoi(argv[2])) : 2;
}
