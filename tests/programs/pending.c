/* SPDX-License-Identifier: 0BSD */
/*
 * Profiling is switched off while a tick waits behind a blocked signal.  The
 * program must survive letting it through; says "alive".
 *
 * calls main 1
 * calls critical 1
 */
#include <signal.h>
#include <stdio.h>
#include <time.h>

#ifdef __clang__
#define OPAQUE __attribute__((noinline, optnone))
#else
#define OPAQUE __attribute__((noipa))
#endif

void moncontrol(int mode);
volatile unsigned long sink;

OPAQUE void critical(void)
{
	clock_t end = clock() + CLOCKS_PER_SEC / 10;

	while (clock() < end)
		for (int i = 0; i < 1000; i++)
			sink += i;
}

int main(void)
{
	sigset_t all, before;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	critical();
	moncontrol(0);
	sigprocmask(SIG_SETMASK, &before, NULL);
	puts("alive");
	return 0;
}
