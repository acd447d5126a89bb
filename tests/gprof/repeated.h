/* SPDX-License-Identifier: 0BSD */
/*
 * What the suites of threads, signals, forks and execs share: races are
 * repeated, REPEAT=50 says how often; programs print the truth that only they
 * know as "key number" lines.
 */
#ifndef TESTS_GPROF_REPEATED_H
#define TESTS_GPROF_REPEATED_H

#include "tests/truth.h"

/* How often to do it: REPEAT, or what a quick check can afford. */
int repeats(int quick);

/* Dynamic and static: both are tested where threads are concerned. */
extern const struct mode *const both_modes[2];

/*
 * Run a test for both modes, or, in a quick check, for one of them, in turn:
 * its loop variable is the place in both_modes.
 */
#define add_for_modes(tcase, test)                                            \
	do {                                                                  \
		struct modes_now now_ = modes_now();                          \
		tcase_add_loop_test(tcase, test, now_.begin, now_.end);       \
	} while (0)
struct modes_now {
	int begin, end;
} modes_now(void);

/*
 * Whether programs run under an emulator; if there is a reason, it says that
 * this is why it is not tested.
 */
bool emulated(const char *reason);

/* A number that a program printed behind a key; fails if there is none. */
double printed_number(const char *printed, const char *key);

/* All calls of functions whose names begin so. */
unsigned long long calls_of_all(const struct profile *profile,
				const char *prefix);

/* tests/programs/SOURCE with -O1 -pthread; null, said, if it cannot be. */
char *thread_program(const struct mode *mode, const char *source);

/*
 * Run it with arguments and settings of the environment in a new folder.
 * `how` is "VARIABLE=value ... ", or "".  Fails unless it exits with 0.
 */
struct outcome thread_run(const char *how, const char *program,
			  const char *arguments);

#endif
