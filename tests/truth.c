/* SPDX-License-Identifier: 0BSD */
/* What a program states, against its profile. */
#include "tests/truth.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One statement of the truth. */
struct statement {
	char kind[16]; /* calls, arc, each, each_arc */
	char from[64], to[64];
	unsigned long long count, number;
};

struct truth {
	struct statement *statements;
	size_t count;
};

/* How the words behind the kind are to be read. */
static bool parse(struct statement *s, const char *words)
{
	*s->from = '\0';
	s->count = 1;
	if (strcmp(s->kind, "calls") == 0)
		return sscanf(words, "%63s %llu", s->to, &s->number) == 2;
	if (strcmp(s->kind, "arc") == 0)
		return sscanf(words, "%63s %63s %llu", s->from, s->to,
			      &s->number) == 3;
	if (strcmp(s->kind, "each") == 0)
		return sscanf(words, "%63s %llu %llu", s->to, &s->count,
			      &s->number) == 3;
	if (strcmp(s->kind, "each_arc") == 0)
		return sscanf(words, "%63s %63s %llu %llu", s->from, s->to,
			      &s->count, &s->number) == 4;
	return false;
}

static struct truth truth_read(const char *words)
{
	struct truth truth = {calloc(256, sizeof *truth.statements), 0};
	struct statement statement = {0};
	int size;

	ck_assert(truth.statements != NULL);
	for (; sscanf(words, " %15s%n", statement.kind, &size) == 1;
	     words += strcspn(words + size, " \t\n") + (size_t)size)
		if (parse(&statement, words + size)) {
			ck_assert(truth.count < 256);
			truth.statements[truth.count++] = statement;
		}
	return truth;
}

/* Does this statement speak of a function, or of an arc into it? */
static bool names(const struct statement *s, const char *from, const char *to)
{
	if (!from != !*s->from)
		return false;
	if (strncmp(s->kind, "each", 4) == 0)
		return strncmp(to, s->to, strlen(s->to)) == 0 &&
		       (!from || strncmp(from, s->from, strlen(s->from)) == 0);
	return strcmp(to, s->to) == 0 && (!from || strcmp(from, s->from) == 0);
}

static void check_number(const struct statement *s, const char *from,
			 const char *to, unsigned long long number,
			 const struct profile *profile, const char *where)
{
	if (number == s->number)
		return;
	ck_abort_msg("%s: %s%s%s: %llu calls instead of %llu\n%.1500s", where,
		     from ? from : "", from ? " -> " : "", to, number,
		     s->number, profile->text);
}

static bool is_stated(const struct truth *truth, const char *function)
{
	for (size_t i = 0; i < truth->count; i++)
		if (names(&truth->statements[i], NULL, function))
			return true;
	return false;
}

/* Calls of one function from whatever is not the program's own. */
static void check_outside(const struct statement *s, const struct truth *truth,
			  const struct profile *profile, const char *where)
{
	unsigned long long number = 0;

	for (size_t i = 0; i < profile->arc_count; i++)
		if (strcmp(profile->arcs[i].to, s->to) == 0 &&
		    !is_stated(truth, profile->arcs[i].from))
			number += profile->arcs[i].calls;
	check_number(s, s->from, s->to, number, profile, where);
}

/* How many of what the statement names are there, each with its number. */
static unsigned long long check_each(const struct statement *s,
				     const struct profile *profile,
				     const char *where)
{
	const struct function *f = profile->functions;
	const struct graph_arc *arc = profile->arcs;
	unsigned long long count = 0;

	for (size_t i = 0; !*s->from && i < profile->function_count; i++, f++)
		if (names(s, NULL, f->name) && f->calls) {
			check_number(s, NULL, f->name, f->calls, profile,
				     where);
			count++;
		}
	for (size_t i = 0; *s->from && i < profile->arc_count; i++, arc++)
		if (names(s, arc->from, arc->to)) {
			check_number(s, arc->from, arc->to, arc->calls, profile,
				     where);
			count++;
		}
	return count;
}

static void check(const struct statement *s, const struct truth *truth,
		  const struct profile *profile, const char *where)
{
	unsigned long long due = s->number ? s->count : 0, count;

	if (strcmp(s->from, "outside") == 0) {
		check_outside(s, truth, profile, where);
		return;
	}
	count = check_each(s, profile, where);
	ck_assert_msg(count == due,
		      "%s: %s %s %s: %llu found instead of %llu\n%.1500s",
		      where, s->kind, s->from, s->to, count, due,
		      profile->text);
}

static void check_unstated(const struct truth *truth,
			   const struct profile *profile, const char *where)
{
	for (size_t i = 0; i < profile->function_count; i++)
		ck_assert_msg(
			!profile->functions[i].calls ||
				is_stated(truth, profile->functions[i].name),
			"%s: nobody should call %s\n%.1500s", where,
			profile->functions[i].name, profile->text);
}

/* The first comment behind the licence, or all lines to the first empty one. */
static char *comment_of(const char *source)
{
	char *bytes = file_read(
		text("%s/tests/programs/%s", setting("SOURCE"), source), NULL);
	char *first = bytes ? strstr(bytes, "\n/*") : NULL;
	char *end = first ? strstr(first, "*/") : NULL;

	if (bytes && !first) {
		first = bytes;
		end = strstr(bytes, "\n\n");
	}
	ck_assert_msg(end != NULL, "%s has no comment", source);
	*end = '\0';
	return first;
}

static struct truth check_stated(const char *source, const char *printed,
				 const struct profile *profile,
				 const char *where)
{
	struct truth truth =
		truth_read(text("%s\n%s", comment_of(source), printed));

	ck_assert_msg(truth.count > 0, "%s states nothing", source);
	for (size_t i = 0; i < truth.count; i++)
		check(&truth.statements[i], &truth, profile, where);
	return truth;
}

void truth_check_stated(const char *source, const char *printed,
			const struct profile *profile, const char *where)
{
	check_stated(source, printed, profile, where);
}

void truth_check(const char *source, const char *printed,
		 const struct profile *profile, const char *where)
{
	struct truth truth = check_stated(source, printed, profile, where);

	check_unstated(&truth, profile, where);
}

void truth_holds(const struct mode *mode, const char *source, const char *flags)
{
	struct outcome outcome;
	struct profile profile;
	char *program;

	if (!mode_is_there(mode) || !program_is_there(source))
		return;
	program = program_build(mode, source, flags);
	outcome = program_run_well(program, "");
	ck_assert_msg(!*outcome.err, "%s: %s", program, outcome.err);
	profile = profile_read(outcome.directory, program, "gmon.out");
	truth_check(source, outcome.out, &profile,
		    text("%s %s %s", source, flags, mode->name));
}
