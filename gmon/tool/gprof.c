/* SPDX-License-Identifier: 0BSD */
/* Stock gprof and its command line. */
#include "gmon/tool/gprof.h"
#include "gmon/tool/memory.h"
#include "gmon/tool/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is about source lines takes them from the program, not from -S. */
static bool is_by_line(const char *word)
{
	static const char *const long_names[] = {
		"--annotated-source", "--line", "--all-lines",
		"--no-annotated-source"};

	for (size_t i = 0; i < sizeof long_names / sizeof *long_names; i++)
		if (strncmp(word, long_names[i], strlen(long_names[i])) == 0)
			return true;
	if (word[0] != '-' || word[1] == '-')
		return false;
	word += 1 + strspn(word + 1, "abciLrsTvyz"); /* without a value */
	return *word && strchr("lAJx", *word);
}

static void add_word(struct gprof *gprof, const char *word, size_t size)
{
	char *copy = memory_text(word, size);

	gprof->words = memory_grown(gprof->words, gprof->count,
				      &gprof->room, sizeof *gprof->words);
	gprof->words[gprof->count++] = copy;
	gprof->by_line = gprof->by_line || is_by_line(copy);
}

void gprof_add_words(struct gprof *gprof, const char *text)
{
	while (*(text += strspn(text, " \t"))) {
		size_t size = strcspn(text, " \t");

		add_word(gprof, text, size);
		text += size;
	}
}

void gprof_add_letter(struct gprof *gprof, char letter, const char *value)
{
	char word[512];

	snprintf(word, sizeof word, "-%c%s", letter, value ? value : "");
	add_word(gprof, word, strlen(word));
}

/* A file whose name begins like an option. */
static char *as_operand(const char *name)
{
	char *path = memory_zeroed(strlen(name) + sizeof "./", 1);

	return strcat(strcpy(path, *name == '-' ? "./" : ""), name);
}

bool gprof_run(const struct gprof *gprof, const char *symbols,
	       const char *program, const char *profile,
	       struct problem *problem)
{
	const char *name = getenv("GPROF");
	const char **argv = memory_zeroed(gprof->count + 6, sizeof *argv);
	char *operands[] = {as_operand(program), as_operand(profile)};
	size_t count = 0;
	int status;

	argv[count++] = name && *name ? name : "gprof";
	for (size_t i = 0; i < gprof->count; i++)
		argv[count++] = gprof->words[i];
	if (symbols) {
		argv[count++] = "-S";
		argv[count++] = symbols;
	}
	argv[count++] = operands[0];
	argv[count++] = operands[1];
	status = run_copied((char *const *)argv, problem);
	if (status > 0)
		problem_set(problem, "%s: exit status %d", argv[0], status);
	free(argv);
	free(operands[0]);
	free(operands[1]);
	return status == 0;
}
