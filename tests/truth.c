/* SPDX-License-Identifier: 0BSD */
/* A program's first comment against its profile. */
#include "tests/truth.h"

#include <stdio.h>
#include <string.h>

/* All calls that the comment states of a function; -1 if it names none. */
static long long stated_calls(char *comment, const char *function)
{
	long long sum = -1, number;
	char name[128];

	for (char *at = comment; (at = strstr(at, "calls ")); at++)
		if (sscanf(at, "calls %127s %lld", name, &number) == 2 &&
		    strcmp(name, function) == 0)
			sum = number + (sum < 0 ? 0 : sum);
	return sum;
}

static void check_calls(char *comment, const struct profile *profile,
			const char *where)
{
	unsigned long long number;
	char name[128];
	int stated = 0;

	for (char *at = comment; (at = strstr(at, "calls ")); at++) {
		if (sscanf(at, "calls %127s %llu", name, &number) != 2)
			continue;
		stated++;
		number = (unsigned long long)stated_calls(comment, name);
		ck_assert_msg(profile_calls(profile, name) == number,
			      "%s: %s has %llu calls instead of %llu\n%s",
			      where, name, profile_calls(profile, name), number,
			      profile->text);
	}
	ck_assert_msg(stated > 0, "%s: the comment states no calls", where);
}

static void check_arcs(char *comment, const struct profile *profile,
		       const char *where)
{
	unsigned long long number;
	char from[128], to[128];

	for (char *at = comment; (at = strstr(at, "arc ")); at++)
		if (sscanf(at, "arc %127s %127s %llu", from, to, &number) == 3)
			ck_assert_msg(
				profile_arc(profile, from, to) == number,
				"%s: %s calls %s %llu times instead of "
				"%llu\n%s",
				where, from, to, profile_arc(profile, from, to),
				number, profile->text);
}

static void check_unstated(char *comment, const struct profile *profile,
			   const char *where)
{
	for (size_t i = 0; i < profile->function_count; i++)
		ck_assert_msg(
			!profile->functions[i].calls ||
				stated_calls(comment,
					     profile->functions[i].name) >= 0,
			"%s: nobody should call %s\n%s", where,
			profile->functions[i].name, profile->text);
}

void truth_check(const char *source, const struct profile *profile,
		 const char *where)
{
	char *comment = file_read(
		text("%s/tests/programs/%s", setting("SOURCE"), source), NULL);
	char *first, *end;

	ck_assert_msg(comment != NULL, "no %s", source);
	first = strstr(comment, "\n/*"); /* behind the licence */
	end = first ? strstr(first, "*/") : NULL;
	ck_assert_msg(end != NULL, "%s has no comment", source);
	*end = '\0';
	check_calls(first, profile, where);
	check_arcs(first, profile, where);
	check_unstated(first, profile, where);
}

void truth_holds(const struct mode *mode, const char *source, const char *flags)
{
	struct outcome outcome;
	struct profile profile;
	char *program;

	if (!mode_is_there(mode))
		return;
	program = program_build(mode, source, flags);
	outcome = program_run_well(program, "");
	ck_assert_msg(!*outcome.err, "%s: %s", program, outcome.err);
	profile = profile_read(outcome.directory, program, "gmon.out");
	truth_check(source, &profile,
		    text("%s %s %s", source, flags, mode->name));
}
