/* SPDX-License-Identifier: 0BSD */
/*
 * A sampler that samples nothing: units that attach threads to the sampler are
 * tested without timers and signals.
 */
#include "tests/unit/fakes.h"

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

sampler_take *fake_taker;
bool fake_is_on;
uint32_t fake_rate = 100;
int fake_settles, fake_leaves;

void sampler_turn(enum sampler_taker taker, sampler_take *function, bool on)
{
	fake_taker = taker == TAKER_PROFIL ? function : NULL;
	fake_is_on = on;
}

void sampler_settle(void)
{
	fake_settles++;
}

void sampler_leave_alternate_stacks(void)
{
	fake_leaves++;
}

uint32_t sampler_rate(void)
{
	return fake_rate;
}
