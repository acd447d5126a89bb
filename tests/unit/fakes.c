/* SPDX-License-Identifier: 0BSD */
/*
 * A sampler that samples nothing: units that attach threads to the sampler are
 * tested without timers and signals.
 */
#include "profil/sampler.h"

void sampler_attach(struct thread_table *table, struct kernel_sigset *mask)
{
	(void)mask;
	(void)table;
}

void sampler_detach(struct thread_table *table)
{
	(void)table;
}

void sampler_fork(void)
{
}

void sampler_visit(struct thread_table *table)
{
	(void)table;
}
