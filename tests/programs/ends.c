/* SPDX-License-Identifier: 0BSD */
/*
 * 1000 calls of work(), then the process ends in the way that the first
 * argument names; the second one is a plugin that raises SIGUSR1 while it is
 * loaded.  tests/gprof/ends.c knows what is due.
 */
#include "gone.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>

static bool destructor_works, destructor_exits, destructor_waits;
static pthread_t main_thread;

static void *thread_exit(void *argument)
{
	exit(3);
	return argument;
}

/* The exit() of another thread ends the process. */
static void wait_for_exit(void)
{
	thread_make(thread_exit);
	wait_forever();
}

__attribute__((destructor)) static void destructor(void)
{
	if (destructor_works || destructor_exits)
		work_often(10);
	if (destructor_exits)
		exit(5);
	if (destructor_waits)
		wait_for_exit();
}

static void working_handler(void)
{
	work_often(10);
}

static void exiting_handler(void)
{
	work_often(10);
	exit(4);
}

static void end_nothing(void)
{
}

static void end_exit(void)
{
	exit(3);
}

static void end_quickly(void)
{
	_exit(3);
}

static void end_c_quickly(void)
{
	_Exit(3);
}

static void end_quick_exit(void)
{
	at_quick_exit(working_handler);
	quick_exit(3);
}

static void end_system_call(void)
{
	syscall(SYS_exit_group, 3);
}

static void end_exec(void)
{
	execl("/bin/sh", "sh", "-c", "exit 3", (char *)NULL);
}

static void end_handlers(void)
{
	destructor_works = true;
	atexit(working_handler);
	exit(3);
}

static void end_exit_in_handler(void)
{
	atexit(exiting_handler);
	exit(3);
}

static void end_exit_in_destructor(void)
{
	destructor_exits = true;
	exit(3);
}

static void *thread_end_quickly(void *argument)
{
	_exit(3);
	return argument;
}

static void end_exit_in_thread(void)
{
	wait_for_exit();
}

static void end_quickly_in_thread(void)
{
	thread_make(thread_end_quickly);
	wait_forever();
}

static void end_many_exits(void)
{
	for (int i = 0; i < 8; i++)
		thread_make(thread_exit);
	sched_yield();
	exit(3);
}

static void *thread_quick_exit(void *argument)
{
	quick_exit(3);
	return argument;
}

static void end_many_quick_exits(void)
{
	for (int i = 0; i < 8; i++)
		thread_make(thread_quick_exit);
	sched_yield();
	quick_exit(3);
}

static void end_exit_beside_handler(void)
{
	atexit(wait_for_exit);
	exit(3);
}

static void end_exit_beside_destructor(void)
{
	destructor_waits = true;
	exit(3);
}

static void *thread_waits(void *argument)
{
	wait_forever();
	return argument;
}

static void end_beside_threads(void)
{
	thread_make(thread_waits);
}

static void end_thread(void)
{
	pthread_exit(NULL);
}

static void *thread_outlives(void *argument)
{
	pthread_join(main_thread, NULL);
	work_often(500);
	return argument;
}

static void end_main_thread(void)
{
	main_thread = pthread_self();
	thread_make(thread_outlives);
	pthread_exit(NULL);
}

static void end_in_crowd(void)
{
	crowd_make();
	printf("at least %lu\n", crowd_worked());
	fflush(stdout);
	exit(3);
}

static void on_signal_exit(int signal)
{
	(void)signal;
	exit(3);
}

static void on_signal_end_quickly(int signal)
{
	(void)signal;
	_exit(3);
}

static void end_exit_on_signal(void)
{
	signal(SIGUSR1, on_signal_exit);
	raise(SIGUSR1);
}

static void end_quickly_on_signal(void)
{
	signal(SIGUSR1, on_signal_end_quickly);
	raise(SIGUSR1);
}

static void alarm_soon(void (*handler)(int signal))
{
	struct itimerval soon = {{0, 0}, {0, 3000}};

	signal(SIGALRM, handler);
	setitimer(ITIMER_REAL, &soon, NULL);
}

static void end_exit_in_malloc(void)
{
	alarm_soon(on_signal_exit);
	for (size_t size = 1;; size = size * 5 % 99991)
		free(malloc(size));
}

static void end_quickly_in_malloc(void)
{
	alarm_soon(on_signal_end_quickly);
	for (size_t size = 1;; size = size * 5 % 99991)
		free(malloc(size));
}

static void end_exit_in_stdio(void)
{
	FILE *file = fopen("/dev/null", "w");

	alarm_soon(on_signal_exit);
	for (int i = 0; file; i++)
		fprintf(file, "%d%s", i, i % 64 ? "" : "\n");
}

static void end_exit_in_dlopen(void)
{
	signal(SIGUSR1, on_signal_exit);
	dlopen(plugin, RTLD_NOW);
}

static void end_quickly_in_dlopen(void)
{
	signal(SIGUSR1, on_signal_end_quickly);
	dlopen(plugin, RTLD_NOW);
}

/* Mostly somewhere in the loader, with its locks held. */
static void end_quickly_in_loader(void)
{
	alarm_soon(on_signal_end_quickly);
	signal(SIGUSR1, SIG_IGN);
	for (;;)
		dlclose(dlopen(plugin, RTLD_NOW));
}

static void end_after_vfork(void)
{
	int status;
	pid_t child = vfork();

	if (child == 0)
		_exit(7);
	waitpid(child, &status, 0);
}

static void end_after_spawn(void)
{
	char *const arguments[] = {(char *)"false", NULL};
	pid_t child;
	int status;

	if (posix_spawn(&child, "/bin/false", NULL, NULL, arguments, environ))
		abort();
	waitpid(child, &status, 0);
}

static void end_after_fork(void)
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		work_often(10);
		_exit(7);
	}
	waitpid(child, &status, 0);
}

const struct way ways[] = {
	{"return", end_nothing},
	{"exit", end_exit},
	{"_exit", end_quickly},
	{"_Exit", end_c_quickly},
	{"quick_exit", end_quick_exit},
	{"exit_group", end_system_call},
	{"exec", end_exec},
	{"handlers", end_handlers},
	{"exit-in-handler", end_exit_in_handler},
	{"exit-in-destructor", end_exit_in_destructor},
	{"exit-in-thread", end_exit_in_thread},
	{"_exit-in-thread", end_quickly_in_thread},
	{"many-exits", end_many_exits},
	{"many-quick_exits", end_many_quick_exits},
	{"exit-beside-handler", end_exit_beside_handler},
	{"exit-beside-destructor", end_exit_beside_destructor},
	{"beside-threads", end_beside_threads},
	{"pthread_exit", end_thread},
	{"main-thread-first", end_main_thread},
	{"crowd", end_in_crowd},
	{"exit-on-signal", end_exit_on_signal},
	{"_exit-on-signal", end_quickly_on_signal},
	{"exit-in-malloc", end_exit_in_malloc},
	{"_exit-in-malloc", end_quickly_in_malloc},
	{"exit-in-stdio", end_exit_in_stdio},
	{"exit-in-dlopen", end_exit_in_dlopen},
	{"_exit-in-dlopen", end_quickly_in_dlopen},
	{"_exit-in-loader", end_quickly_in_loader},
	{"after-vfork", end_after_vfork},
	{"after-spawn", end_after_spawn},
	{"after-fork", end_after_fork},
	{NULL, NULL},
};
