/* SPDX-License-Identifier: 0BSD */
/* The other names: each does what the name does that it stands for. */
#include "gmon/gmon.h"
#include "profil/profil.h"
#include "tests/harness.h"
#include "tests/suites.h"

static char *called; /* which verb, with which arguments */

void monstartup(unsigned long lowpc, unsigned long highpc)
{
	called = text("monstartup %lu %lu", lowpc, highpc);
}

void moncontrol(int mode)
{
	called = text("moncontrol %d", mode);
}

int mondump(const char *path)
{
	called = text("mondump %s", path ? path : "null");
	return 0;
}

int profil(unsigned short *buffer, size_t size, size_t offset, unsigned scale)
{
	called = text("profil %d %zu %zu %u", *buffer, size, offset, scale);
	return 12;
}

int sprofil(struct prof *regions, int count, struct timeval *period,
	    unsigned flags)
{
	called = text("sprofil %zu %d %ld %u", regions->pr_off, count,
		      (long)period->tv_usec, flags);
	return 13;
}

void __monstartup(unsigned long lowpc, unsigned long highpc);
void __moncontrol(int mode);
void __write_profiling(void);
void write_profiling(void);
int __profile_frequency(void);
int __profil(unsigned short *buffer, size_t size, size_t offset,
	     unsigned scale);
int __sprofil(struct prof *regions, int count, struct timeval *period,
	      unsigned flags);

START_TEST(verbs)
{
	__monstartup(1, 2);
	ck_assert_str_eq(called, "monstartup 1 2");
	__moncontrol(3);
	ck_assert_str_eq(called, "moncontrol 3");
	__write_profiling();
	ck_assert_str_eq(called, "mondump null");
	called = NULL;
	write_profiling();
	ck_assert_str_eq(called, "mondump null");
}
END_TEST

START_TEST(samplers)
{
	unsigned short bin = 4;
	struct prof region = {.pr_off = 5};
	struct timeval period = {.tv_usec = 6};

	ck_assert_int_eq(__profil(&bin, 7, 8, 9), 12);
	ck_assert_str_eq(called, "profil 4 7 8 9");
	ck_assert_int_eq(__sprofil(&region, 1, &period, 2), 13);
	ck_assert_str_eq(called, "sprofil 5 1 6 2");
	ck_assert_int_eq(__profile_frequency(), PROFIL_RATE);
}
END_TEST

Suite *unit_aliases_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_aliases", &tcase);

	tcase_add_test(tcase, verbs);
	tcase_add_test(tcase, samplers);
	return suite;
}
