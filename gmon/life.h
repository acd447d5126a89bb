/* SPDX-License-Identifier: 0BSD */
/* A profiled process begins, loses libraries, and ends. */
#ifndef GCRT_LIFE_H
#define GCRT_LIFE_H

#include <stdint.h>

/*
 * Begin: read the environment, make the state, start counting and sampling.
 * Once; further calls do nothing.  Called from: the first hook of the start.
 */
void life_begin(char *const *environment, const char *argv0);

/* How a process ends. */
enum life_end {
	LIFE_EXIT,	 /* exit() and all that leads there */
	LIFE_QUICK_EXIT, /* _exit(), without exit handlers */
	LIFE_SIGNAL	 /* a signal that ends the process */
};

/*
 * Write the profile for the last time and say the summary, once.  A forked
 * child that leaves by _exit() under a name without a pid writes nothing.
 * Waits for another thread that is writing.  Called from: any thread, signal
 * handler.
 */
void life_end(enum life_end end);

/* Write a snapshot.  Called from: signal handler. */
void life_dump(void);

/* Around dlclose() of the library with that load bias, for images=all. */
void life_unloading(uintptr_t bias);
void life_unloaded(void);

/* Promise to write at every end of the process (ends.c). */
void ends_start(void);

/* One of the two hooks at exit; the second one to run writes (ends.c). */
void ends_hook(void);

/* Let a forked child begin a profile of its own (fork.c). */
void fork_start(void);

#endif
