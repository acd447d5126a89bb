/* SPDX-License-Identifier: 0BSD */
/*
 * The contract of a stub (<cpu>/mcount.S).
 *
 * The compiler calls the stub at the entry of each function, in a way of its
 * own on each CPU.  The stub
 *
 *   1. finds frompc (the return address of the function just entered) and
 *      selfpc (the return address of its call to the stub);
 *   2. loads mcount_multiplier; if it is 0, goes on with step 5;
 *   3. reads threads_mine: the mask first, the entries second;
 *   4. looks for the key in its bucket and the ARCS_NEAR entries behind; if it
 *      is there, adds 1 to its count, so that a signal handler doing the same
 *      in between loses nothing, and returns; if not, calls mcount_record;
 *   5. returns at once if mcount_early is 0, else calls mcount_record.
 *
 * It may touch thread-local storage in steps 3 and 4 only, changes no register
 * that may be live at the entry of a function, vector registers included, and
 * calls mcount_record on a stack aligned as the ABI wants it.  Calls of
 * functions need 96 bytes of stack here; mcount_record and what it calls need
 * at most 1 KiB more.
 */
#ifndef GCRT_MCOUNT_H
#define GCRT_MCOUNT_H

#include <stdint.h>

/*
 * What every call reads, in a cache line that is hardly ever written.
 * mcount_multiplier: ARCS_MULTIPLIER while counting, else 0.
 * mcount_early: not 0 until counting is off on purpose; calls before start are
 * counted, too.
 */
extern uintptr_t mcount_multiplier;
extern uint8_t mcount_early;

/*
 * Count one call that the stub could not: the first one of a thread, a new
 * arc, a collision, a call before start.  Async-signal-safe, takes no lock,
 * keeps errno, uses no vector register, may be left by siglongjmp at any
 * instruction.  What it can count nowhere is counted as lost.
 */
void mcount_record(uintptr_t frompc, uintptr_t selfpc);

/* The state is made, and counting on if it is to be: else forget what was. */
void mcount_start(void);

/*
 * Give the calling thread its table and its timer now, not at its first call.
 * Called from: a forked child.
 */
void mcount_attach(void);

/* Count calls, or let the stub return at once.  Called from: anywhere. */
void mcount_turn(int on);

/* The code of the runtime itself: [mcount_code, mcount_code_end). */
extern const char mcount_code[], mcount_code_end[];

#endif
