/* SPDX-License-Identifier: 0BSD */
/*
 * A burning program becomes another one: "execs HOW COUNT [COMMAND...]" execs
 * itself COUNT times, then the command.  HOW is plain; threads: with others
 * burning; blocked: with every signal blocked and ticks waiting.  AGAIN, if
 * set, are the words of the shell that start it.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef __clang__
#define OPAQUE __attribute__((noinline))
#else
#define OPAQUE __attribute__((noipa))
#endif

static __thread volatile unsigned sink;

OPAQUE void busy(double seconds)
{
	struct timespec now;
	double end = 0;

	do {
		for (int i = 0; i < 1000; i++)
			sink = sink * 3 + 1;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
		if (end == 0)
			end = (double)now.tv_sec + (double)now.tv_nsec / 1e9 +
			      seconds;
	} while ((double)now.tv_sec + (double)now.tv_nsec / 1e9 < end);
}

OPAQUE void *burn(void *argument)
{
	for (;;)
		busy(1);
	return argument;
}

static void again(char **argv)
{
	char *words[20] = {"sh", "-c", "exec $AGAIN \"$@\""};

	for (int i = 0; i < 16 && argv[i]; i++)
		words[3 + i] = argv[i];
	execv("/bin/sh", words);
}

int main(int argc, char **argv)
{
	sigset_t all;
	pthread_t thread;
	char count[20];
	int left;

	if (argc < 4)
		return 2;
	left = atoi(argv[2]);
	if (strcmp(argv[1], "threads") == 0)
		for (int i = 0; i < 3; i++)
			pthread_create(&thread, NULL, burn, NULL);
	busy(0.001);
	if (strcmp(argv[1], "blocked") == 0) {
		sigfillset(&all);
		sigprocmask(SIG_SETMASK, &all, NULL);
		busy(0.03);
	}
	busy(0.0001 * (left % 37));
	if (left == 0)
		execvp(argv[3], argv + 3);
	snprintf(count, sizeof count, "%d", left - 1);
	argv[2] = count;
	if (getenv("AGAIN"))
		again(argv);
	execv("/proc/self/exe", argv);
	return 1;
}
