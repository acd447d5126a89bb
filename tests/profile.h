/* SPDX-License-Identifier: 0BSD */
/*
 * What stock gprof makes of a profile, and what the verbose=1 line says.
 */
#ifndef TESTS_PROFILE_H
#define TESTS_PROFILE_H

#include <stddef.h>

/* One line of the flat profile, and its primary line in the call graph. */
struct function {
	char *name;
	double seconds;           /* its own */
	unsigned long long calls; /* those by itself included */
};

/* One caller -> callee pair of the call graph. */
struct graph_arc {
	char *from, *to;
	unsigned long long calls;
};

struct profile {
	struct function *functions;
	size_t function_count;
	struct graph_arc *arcs;
	size_t arc_count;
	char *text; /* all that gprof printed */
};

/*
 * Let gprof read DIRECTORY/FILE (a pattern of the shell); fails the test if
 * gprof complains.
 */
struct profile profile_read(const char *directory, const char *program,
			    const char *file);

/* 0 if it is not there. */
unsigned long long profile_calls(const struct profile *profile,
				 const char *function);
double profile_seconds(const struct profile *profile, const char *function);
unsigned long long profile_arc(const struct profile *profile, const char *from,
			       const char *to);
/* All own times together. */
double profile_total(const struct profile *profile);

/* The verbose=1 line. */
struct summary {
	double in_file, outside, runtime, not_sampled; /* seconds */
	unsigned long long arcs, calls, calls_outside, calls_lost;
	char name[256];
};

/* Read it from what a program wrote to stderr; fails if there is none. */
struct summary summary_read(const char *err);

#endif
