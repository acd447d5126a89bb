/* SPDX-License-Identifier: 0BSD */
/*
 * A program with more rights than its caller; leaves with 77 if it has none.
 * With "drop" it gives them up for good, with "drop-for-now" it keeps a way
 * back.
 */
#include "gone.h"

#include <sys/auxv.h>

static void check(void)
{
	if (!getauxval(AT_SECURE))
		exit(77);
}

static void keep(void)
{
	check();
}

static void drop(void)
{
	check();
	if (setgid(getgid()) != 0 || setuid(getuid()) != 0)
		abort();
}

static void drop_for_now(void)
{
	check();
	if (setegid(getgid()) != 0 || seteuid(getuid()) != 0)
		abort();
}

const struct way ways[] = {
	{"keep", keep},
	{"drop", drop},
	{"drop-for-now", drop_for_now},
	{NULL, NULL},
};
