/* SPDX-License-Identifier: 0BSD */
/*
 * How a process ends.  Every end but a signal leads here, so that a profile is
 * written whatever way the program chooses.
 */
#include "gmon/kernel.h"
#include "gmon/life.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

/* The C++ ABI's; atexit would need __dso_handle, and runs too early. */
int __cxa_atexit(void (*function)(void *), void *argument, void *dso);
/* The one of glibc, the other of musl; the one that is missing is null. */
__attribute__((weak)) int __cxa_at_quick_exit(void (*function)(void *),
					      void *dso);
__attribute__((weak)) int at_quick_exit(void (*function)(void));

static _Atomic bool handler_has_run, destructor_has_run;
static bool handlers_come_last;

/*
 * Two hooks run at exit, and the order is the C library's: with glibc's
 * dynamic exit the handler comes after all destructors, in static programs
 * and with musl the end of .fini_array does.  So the second one writes.
 */
static void at_exit(void *unused)
{
	(void)unused;
	handler_has_run = true;
	if (destructor_has_run)
		life_end(LIFE_EXIT);
}

void ends_hook(void)
{
	destructor_has_run = true;
	if (handler_has_run)
		life_end(LIFE_EXIT);
}

/* glibc has room for 32 handlers; what it has to add, two threads in exit()
   would both free. */
enum { EXITS_AT_ONCE = 9 };

/*
 * A second thread in exit() finds the list of handlers empty while the first
 * one is still in ours, and would end the process in the middle of the file.
 * So there are more, for so many threads, which come after ours: each writes,
 * or waits until the other has.  Where no destructor follows there is no later
 * chance: exit() was called in a destructor of the program, or beside one, and
 * ours will never run.
 */
static void at_exit_last(void *unused)
{
	(void)unused;
	if (destructor_has_run || handlers_come_last)
		life_end(LIFE_EXIT);
}

static void before_quick_exit(void)
{
	life_end(LIFE_EXIT);
}

static void before_quick_exit_of(void *unused)
{
	(void)unused;
	before_quick_exit();
}

void ends_start(void)
{
	/* only glibc's loader calls us before this is set, and before it has
	   asked for its destructors to be run at exit */
	handlers_come_last = !environ;
	for (int i = 0; i < EXITS_AT_ONCE; i++) {
		/* the newest comes first */
		__cxa_atexit(i < EXITS_AT_ONCE - 1 ? at_exit_last : at_exit,
			     NULL, NULL);
		if (__cxa_at_quick_exit)
			__cxa_at_quick_exit(before_quick_exit_of, NULL);
		else if (at_quick_exit)
			at_quick_exit(before_quick_exit);
	}
}

/*
 * Weak, so that a program with its own _exit links and has its way.  In static
 * programs the C library's own callers come here as well, the child of
 * posix_spawn among them.
 */
#define WEAK_END __attribute__((weak, noreturn, visibility("default")))

WEAK_END void _exit(int status)
{
	life_end(LIFE_QUICK_EXIT);
	for (;;)
		kernel(SYS_exit_group, status);
}

WEAK_END void _Exit(int status)
{
	_exit(status);
}
