/* SPDX-License-Identifier: 0BSD */
/*
 * A sampler that samples nothing: units that attach threads to the sampler are
 * tested without timers and signals.
 */
#include "profil/sampler.h"
#include "tests/unit/fakes.h"

_Atomic int fake_attached, fake_detached;

void sampler_attach(struct thread_table *table)
{
	(void)table;
	fake_attached++;
}

void sampler_detach(struct thread_table *table)
{
	(void)table;
	fake_detached++;
}

void sampler_fork(void)
{
}

void sampler_visit(struct thread_table *table)
{
	(void)table;
}
