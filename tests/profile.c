/* SPDX-License-Identifier: 0BSD */
/*
 * gprof's two tables, read line by line.
 *
 * Flat profile: percent, cumulative, own seconds, then calls and two times per
 * call if there were calls, then the name.  Call graph: blocks of lines, the
 * callers above and the callees below one line that begins with "[index]";
 * each line ends with "name [index]", and what stands before the name is
 * calls, calls/total, or calls+own where the function calls itself.
 */
#include "tests/profile.h"
#include "tests/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_MAX = 12 };

struct words {
	char *word[WORD_MAX];
	int count;
};

static struct words words_of(char *line)
{
	struct words words = {.count = 0};
	char *rest = line, *word;

	while ((word = strsep(&rest, " \t")))
		if (*word && words.count < WORD_MAX)
			words.word[words.count++] = word;
	return words;
}

static struct function *function_find(const struct profile *profile,
				      const char *name)
{
	for (size_t i = 0; i < profile->function_count; i++)
		if (strcmp(profile->functions[i].name, name) == 0)
			return &profile->functions[i];
	return NULL;
}

/* Room for one more, by doubling. */
static void *grown(void *array, size_t count, size_t size)
{
	if (count & (count - 1) || (count && count < 64))
		return array;
	array = realloc(array, (count ? 2 * count : 64) * size);
	ck_assert(array != NULL);
	return array;
}

static void flat_line(struct profile *profile, char *line)
{
	struct words words = words_of(line);
	struct function *function;

	if (words.count < 4 || words.word[0][0] < '0' || words.word[0][0] > '9')
		return;
	profile->functions = grown(profile->functions, profile->function_count,
				   sizeof *profile->functions);
	function = &profile->functions[profile->function_count++];
	function->name = words.word[words.count - 1];
	function->seconds = strtod(words.word[2], NULL);
	function->calls =
		words.count > 4 ? strtoull(words.word[3], NULL, 10) : 0;
}

/* Where the name is in a line of the call graph; -1 if it has none. */
static int name_place(const struct words *words)
{
	int place = words->count - 2;

	if (place < 0 || words->word[words->count - 1][0] != '[')
		return -1;
	if (place >= 2 && strcmp(words->word[place - 1], "<cycle") == 0)
		place -= 2;
	return strcmp(words->word[place], "whole>") == 0 ? -1 : place;
}

static void primary_line(struct profile *profile, const struct words *words,
			 int place)
{
	const char *plus = strchr(words->word[place - 1], '+');
	struct function *function =
		plus ? function_find(profile, words->word[place]) : NULL;

	if (function)
		function->calls = strtoull(words->word[place - 1], NULL, 10) +
				  strtoull(plus + 1, NULL, 10);
}

/* Who is called comes below. */
static void caller_line(struct profile *profile, const struct words *words,
			int place)
{
	struct graph_arc *arc;

	profile->arcs =
		grown(profile->arcs, profile->arc_count, sizeof *profile->arcs);
	arc = &profile->arcs[profile->arc_count++];
	arc->from = words->word[place];
	arc->to = NULL;
	arc->calls = strtoull(words->word[place - 1], NULL, 10);
}

/* Callers without calls or time have no block: callees know all arcs. */
static void graph_line(struct profile *profile, char *line, bool *below)
{
	struct words words;
	int place;

	if (*line == '-') {
		/* the callers of a cycle as a whole are those of its members */
		while (profile->arc_count &&
		       !profile->arcs[profile->arc_count - 1].to)
			profile->arc_count--;
		*below = false;
	}
	if (*line == '-' || *below)
		return;
	words = words_of(line);
	*below = words.count && words.word[0][0] == '[';
	place = name_place(&words);
	if (place < 1)
		return;
	if (!*below) {
		caller_line(profile, &words, place);
		return;
	}
	primary_line(profile, &words, place);
	for (size_t i = profile->arc_count; i && !profile->arcs[i - 1].to; i--)
		profile->arcs[i - 1].to = words.word[place];
}

static void parse(struct profile *profile)
{
	char *rest = text("%s", profile->text), *line;
	bool in_graph = false, below = false;

	while ((line = strsep(&rest, "\n"))) {
		if (*line == '\f')
			in_graph = !in_graph;
		else if (strncmp(line, "Index by", 8) == 0)
			return;
		else if (in_graph)
			graph_line(profile, line, &below);
		else
			flat_line(profile, line);
	}
}

struct profile profile_read(const char *directory, const char *program,
			    const char *file)
{
	struct profile profile = {0};
	struct outcome outcome =
		command(directory, "%s --no-demangle -b -p -q %s %s",
			setting("GPROF"), program, file);

	/* a profile without calls has no call graph, says gprof */
	if (strstr(outcome.err, "is missing call-graph data"))
		outcome = command(directory, "%s --no-demangle -b -p %s %s",
				  setting("GPROF"), program, file);
	ck_assert_msg(outcome.status == 0 && !*outcome.err,
		      "%s: wait status %#x\n%s", outcome.command,
		      outcome.status, outcome.err);
	profile.text = outcome.out;
	parse(&profile);
	return profile;
}

unsigned long long profile_calls(const struct profile *profile,
				 const char *function)
{
	const struct function *found = function_find(profile, function);

	return found ? found->calls : 0;
}

double profile_seconds(const struct profile *profile, const char *function)
{
	const struct function *found = function_find(profile, function);

	return found ? found->seconds : 0;
}

unsigned long long profile_arc(const struct profile *profile, const char *from,
			       const char *to)
{
	for (size_t i = 0; i < profile->arc_count; i++)
		if (strcmp(profile->arcs[i].from, from) == 0 &&
		    strcmp(profile->arcs[i].to, to) == 0)
			return profile->arcs[i].calls;
	return 0;
}

double profile_total(const struct profile *profile)
{
	double total = 0;

	for (size_t i = 0; i < profile->function_count; i++)
		total += profile->functions[i].seconds;
	return total;
}

struct summary summary_read(const char *err)
{
	const char *line = strstr(err, " s in the file");
	struct summary summary;
	int count;

	while (line && line > err && line[-1] != '\n')
		line--;
	ck_assert_msg(line != NULL, "no summary in: %s", err);
	count = sscanf(line,
		       "gcrt: %255[^:]: %lf s in the file, %lf s outside, "
		       "%lf s in the runtime, %lf s not sampled; %llu arcs, "
		       "%llu calls, %llu outside, %llu lost",
		       summary.name, &summary.in_file, &summary.outside,
		       &summary.runtime, &summary.not_sampled, &summary.arcs,
		       &summary.calls, &summary.calls_outside,
		       &summary.calls_lost);
	ck_assert_msg(count == 9, "%d fields in: %s", count, line);
	return summary;
}
