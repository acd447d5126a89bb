/* SPDX-License-Identifier: 0BSD */
/* Words for what went wrong; only here something is written to stderr. */
#include "gmon/tool/problem.h"

#include <stdarg.h>
#include <stdio.h>

bool problem_set(struct problem *problem, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(problem->text, sizeof problem->text, format, arguments);
	va_end(arguments);
	return false;
}

/* A file's name may hold anything: nothing of it may drive a terminal. */
static void make_printable(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			*text = '?';
}

void say(const char *format, ...)
{
	char line[1200];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(line, sizeof line, format, arguments);
	va_end(arguments);
	make_printable(line);
	fprintf(stderr, "gmon: %s\n", line);
}

int say_trouble(const struct problem *problem)
{
	say("%s", problem->text);
	return EXIT_TROUBLE;
}
