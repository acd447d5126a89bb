/* SPDX-License-Identifier: 0BSD */
/*
 * A signal at every instruction.
 *
 * A process runs `act` one instruction at a time.  Before each instruction a
 * signal reaches it, whose handler makes a copy of the process: the copy runs
 * `interrupt` in the handler, returns (or not: siglongjmp) into the middle of
 * `act`, finishes it at full speed, and judges itself with `verify`; the
 * original goes on as if nothing had been.  So each copy has been interrupted
 * exactly once, at another place, and every place has its turn.  Where the
 * original has blocked signals, the signal waits, as it would in a program.
 */
#ifndef GCRT_TESTS_UNIT_STEPPER_H
#define GCRT_TESTS_UNIT_STEPPER_H

#include <stdbool.h>

struct stepper {
	void (*prepare)(void); /* not interrupted */
	void (*act)(void);
	void (*interrupt)(void);

	/*
	 * In the process that has finished act: null, or what is wrong.
	 * interrupted: this is a copy.
	 */
	const char *(*verify)(bool interrupted);

	/* In the handler of a copy, before interrupt. */
	void (*copied)(void);
};

/*
 * Fails the test if a copy dies, hangs or is wrong.  Returns at how many
 * places act was interrupted; 0 if this machine lets nobody single-step.
 */
int stepper_run(const struct stepper *stepper);

#endif
