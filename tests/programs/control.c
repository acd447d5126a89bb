/* SPDX-License-Identifier: 0BSD */
/*
 * What gmon.h promises, one scenario for each argument.  Each prints the truth
 * of the file that is left at exit; files that it leaves before are named
 * first, second and so on.  Nothing is counted but the calls of f and g, and
 * main where the scenario does not take that back.
 */
#include "gmon/gmon.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#ifdef __clang__
#define OPAQUE __attribute__((noinline, optnone))
#else
#define OPAQUE __attribute__((noipa))
#endif
#define PLAIN __attribute__((no_instrument_function))

volatile int sink;

OPAQUE void f(void)
{
	sink++;
}

OPAQUE void g(void)
{
	f();
	sink++;
}

PLAIN static void call_f(int times)
{
	while (times--)
		f();
}

PLAIN static int off_and_on(void)
{
	call_f(10);
	moncontrol(0);
	call_f(100);
	moncontrol(0);
	moncontrol(1);
	call_f(1000);
	moncontrol(2);
	call_f(1);
	moncontrol(0);
	puts("calls main 1 calls f 1011 calls g 0");
	return 0;
}

PLAIN static int empty_range(void)
{
	call_f(1);
	monstartup(0x2000, 0x1000);
	monstartup(0x1000, 0x1000);
	call_f(1);
	puts("calls main 1 calls f 2 calls g 0");
	return 0;
}

PLAIN static int huge_range(void)
{
	call_f(1);
	monstartup(0, ULONG_MAX);
	call_f(1);
	monstartup(1, ULONG_MAX - 1);
	g();
	puts("calls main 1 calls f 3 calls g 1 arc g f 1");
	return 0;
}

PLAIN static int twice(void)
{
	extern char etext[], __executable_start[];

	for (int i = 0; i < 2; i++) {
		call_f(5);
		monstartup((unsigned long)__executable_start,
			   (unsigned long)etext);
	}
	moncontrol(0);
	call_f(100);
	monstartup((unsigned long)__executable_start, (unsigned long)etext);
	call_f(3);
	puts("calls main 1 calls f 13 calls g 0");
	return 0;
}

PLAIN static int narrow(void)
{
	unsigned long low = (unsigned long)g, high = low + 32;

	call_f(5);
	monstartup(low, high);
	g();
	g();
	puts("calls g 2");
	return 0;
}

PLAIN static int beside(void)
{
	call_f(5);
	monstartup(1, 2);
	g();
	puts("calls main 0 calls f 0 calls g 0");
	return 0;
}

PLAIN static int far_beside(void)
{
	call_f(5);
	monstartup(ULONG_MAX - 1, ULONG_MAX);
	g();
	puts("calls main 0 calls f 0 calls g 0");
	return 0;
}

PLAIN static int dump(void)
{
	call_f(10);
	if (mondump("first") != 0)
		return 1;
	call_f(10);
	if (mondump(NULL) != 0 || rename("gmon.out", "second") != 0)
		return 1;
	call_f(10);
	if (mondump("no/such/folder") != -1)
		return 1;
	puts("calls main 1 calls f 30 calls g 0");
	return 0;
}

PLAIN static int cleanup(void)
{
	call_f(10);
	_mcleanup();
	if (rename("gmon.out", "first") != 0)
		return 1;
	call_f(10);
	_mcleanup();
	if (rename("gmon.out", "second") != 0)
		return 1;
	call_f(10);
	puts("calls main 1 calls f 30 calls g 0");
	return 0;
}

PLAIN static int reset(void)
{
	call_f(10);
	g();
	if (monreset() != 0)
		return 1;
	call_f(7);
	if (mondump("first") != 0 || monreset() != 0)
		return 1;
	call_f(2);
	puts("calls f 2 calls g 0");
	return 0;
}

PLAIN static int reset_at_end(void)
{
	call_f(10);
	puts("calls f 0 calls g 0");
	return monreset();
}

static const struct {
	const char *name;
	int (*run)(void);
} scenarios[] = {
	{"off_and_on", off_and_on},   {"empty_range", empty_range},
	{"huge_range", huge_range},   {"twice", twice},
	{"narrow", narrow},	      {"dump", dump},
	{"beside", beside},	      {"far_beside", far_beside},
	{"cleanup", cleanup},	      {"reset", reset},
	{"reset_at_end", reset_at_end},
};

int main(int argc, char **argv)
{
	for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++)
		if (argc > 1 && strcmp(argv[1], scenarios[i].name) == 0)
			return scenarios[i].run();
	return 2;
}
