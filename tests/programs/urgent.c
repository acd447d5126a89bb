/* SPDX-License-Identifier: 0BSD */
/*
 * A program that handles SIGURG before the runtime comes: the argument is a
 * library, loaded when the handler is there already.  Prints how many of its
 * 11 signals it got.  Built without -pg.
 */
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static volatile int urgent;
static volatile unsigned sink;

static void on_urgent(int signal)
{
	urgent += signal == SIGURG;
}

static void send(int times)
{
	while (times--)
		kill(getpid(), SIGURG);
}

int main(int argc, char **argv)
{
	clock_t end;

	signal(SIGURG, on_urgent);
	send(1);
	if (argc != 2 || !dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL))
		return 1;
	send(5);
	for (end = clock() + CLOCKS_PER_SEC / 5; clock() < end;)
		for (int i = 0; i < 100000; i++)
			sink = sink * 3 + 1;
	send(5);
	printf("urgent %d\n", urgent);
	return 0;
}
