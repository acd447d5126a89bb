/* SPDX-License-Identifier: 0BSD */
/* A forked child begins with no counts, and with timers of its own. */
#include "gmon/gmon.h"
#include "gmon/life.h"
#include "gmon/state.h"
#include "mcount/mcount.h"
#include "profil/forked.h"
#include "profil/sampler.h"

#include <pthread.h>

/* What was sampled so far is the parent's, and in the bins of profil(). */
static void in_parent(void)
{
	sampler_settle();
}

/*
 * Runs in the child before fork() returns.  Children that come without it
 * (a clone system call) find out by themselves, and so does a signal handler
 * that counts in the child before this one runs: see state_adopt.
 */
static void in_child(void)
{
	bool is_new = state_adopt_forced();

	profil_fork();
	if (is_new)
		sampler_fork();
	moncontrol(state.on);
	mcount_attach();
}

void fork_start(void)
{
	pthread_atfork(in_parent, NULL, in_child);
}
