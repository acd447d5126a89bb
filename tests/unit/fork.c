/* SPDX-License-Identifier: 0BSD */
/* What happens around a fork, and in which order. */
#include "gmon/gmon.h"
#include "gmon/life.h"
#include "gmon/state.h"
#include "mcount/mcount.h"
#include "profil/forked.h"
#include "profil/sampler.h"
#include "tests/harness.h"
#include "tests/suites.h"
#include "tests/unit/tools.h"

#include <pthread.h>

static void (*prepare)(void), (*in_parent)(void), (*in_child)(void);
static bool child_is_new;

int pthread_atfork(void (*before)(void), void (*parent)(void),
		   void (*child)(void))
{
	note("atfork");
	prepare = before;
	in_parent = parent;
	in_child = child;
	return 0;
}

bool state_adopt_forced(void)
{
	note("adopt");
	return child_is_new;
}

void profil_fork(void)
{
	note("profil");
}

void sampler_fork(void)
{
	note("sampler");
}

void sampler_settle(void)
{
	note("settle");
}

void moncontrol(int mode)
{
	note("moncontrol(%d)", mode);
}

void mcount_attach(void)
{
	note("attach");
}

/* Ticks that the kernel holds back are the parent's: taken before the fork. */
START_TEST(parent_settles)
{
	fork_start();
	ck_assert_str_eq(notes(), "atfork");
	prepare();
	ck_assert_str_eq(notes(), "settle");
	ck_assert(!in_parent);
}
END_TEST

/*
 * Turning on what is on already is not for nothing: another thread of the
 * parent may have been half through.  The thread gets its table back last.
 */
START_TEST(child_begins_anew)
{
	fork_start();
	notes();
	child_is_new = true;
	state.on = _i;
	in_child();
	ck_assert_str_eq(notes(),
			 text("adopt profil sampler moncontrol(%d) attach",
			      _i));
}
END_TEST

/* A handler that counted before had the sampler begin anew already. */
START_TEST(child_was_adopted)
{
	fork_start();
	notes();
	state.on = true;
	in_child();
	ck_assert_str_eq(notes(), "adopt profil moncontrol(1) attach");
}
END_TEST

Suite *unit_fork_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_fork", &tcase);

	tcase_add_test(tcase, parent_settles);
	tcase_add_loop_test(tcase, child_begins_anew, 0, 2);
	tcase_add_test(tcase, child_was_adopted);
	return suite;
}
