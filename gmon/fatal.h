/* SPDX-License-Identifier: 0BSD */
/* Signals that end the process (fatal=1) or ask for a snapshot (dump=). */
#ifndef GCRT_FATAL_H
#define GCRT_FATAL_H

#include <stdbool.h>

/*
 * Catch every signal that would end the process and that the program has left
 * at its default: `write` is called in the handler, then the process dies of
 * that signal as it would have.  Handlers that the program installs later
 * replace ours.  Called from: start.
 */
void fatal_start(void (*write)(void));

/*
 * Give the calling thread an alternate signal stack if it has none, so that
 * a stack overflow can be written about, too.  *memory, null at first, keeps
 * the stack for the next thread that owns it.  Does nothing unless fatal_start
 * was called.  Called from: a thread's first counted call.
 */
void fatal_attach(void **memory);

/* Call `dump` whenever the signal comes.  Called from: start. */
void fatal_dump_on(int signal, void (*dump)(void));

#endif
