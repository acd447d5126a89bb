/* SPDX-License-Identifier: 0BSD */
/*
 * What gmon/gmon.c meets in its unit: the kernel, as far as it is to say
 * something else than it would, and the rest of the runtime, which notes what
 * it is asked for and fails the test if it may not be asked now.
 */
#ifndef GCRT_TESTS_UNIT_GMON_FAKES_H
#define GCRT_TESTS_UNIT_GMON_FAKES_H

#include "profil/sampler.h"

#include <stdbool.h>

struct gmon_fakes {
	/* the state: a child that nobody has noticed, one in our memory */
	bool is_new, is_borrowed;
	bool has_pid;	 /* the name of the file */
	bool is_refused; /* writing, and memory for a reset */
	bool is_full;	 /* the histogram */
	int user, effective_user, group, effective_group;
	unsigned capabilities[2];
	long capget_result;
	/* how often a writer was waited for; when it and the loader are done */
	int waits, writes_until, loads_until;
	void (*while_waiting)(void), (*while_turning)(void);
	sampler_take *take; /* what the sampler was given */
};

extern struct gmon_fakes fake;

#endif
