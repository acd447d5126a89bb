/* SPDX-License-Identifier: 0BSD */
/* Demangling, by the program that gprof's package brings along. */
#include "gmon/tool/names.h"
#include "gmon/tool/memory.h"
#include "gmon/tool/run.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool any_mangled(char **names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (names[i][0] == '_' && names[i][1] &&
		    strchr("ZRD", names[i][1]))
			return true;
	return false;
}

/* Names, one a line, through the filter; a file to be read from, or null. */
static FILE *filter(char **names, size_t count)
{
	char *argv[] = {(char[]){"c++filt"}, NULL};
	FILE *input = tmpfile(), *output = tmpfile();
	struct problem unsaid;

	for (size_t i = 0; input && i < count; i++)
		fprintf(input, "%s\n", names[i]);
	if (input && output && fflush(input) == 0) {
		rewind(input);
		if (run_program(argv, fileno(input), fileno(output), &unsaid)) {
			fclose(output);
			output = NULL;
		} else {
			rewind(output);
		}
	}
	if (input)
		fclose(input);
	return output;
}

void names_demangle(char **names, size_t count)
{
	FILE *output;
	char *line = NULL;
	size_t room = 0;
	ssize_t size;

	if (!any_mangled(names, count))
		return;
	output = filter(names, count);
	if (!output)
		return;
	for (size_t i = 0; i < count; i++) {
		size = getline(&line, &room, output);
		if (size < 2)
			break;
		line[size - 1] = '\0';
		free(names[i]);
		names[i] = strdup(line);
	}
	free(line);
	fclose(output);
}

char *name_brief(const char *name, size_t most)
{
	char *brief = memory_zeroed(4 * strlen(name) + 1, 1);
	char *to = brief;
	int depth = 0;

	for (const char *c = name; *c; c++) {
		if ((*c == '>' || *c == ')') && depth)
			depth--;
		if (!depth)
			*to++ = *c;
		if ((*c == '<' || *c == '(') && depth++ == 0)
			to = stpcpy(to, "...");
	}
	/* brackets that are part of a name, as in operator<, mislead us */
	if (strlen(name) <= most || depth || strstr(name, "operator"))
		strcpy(brief, name);
	return brief;
}
