/* SPDX-License-Identifier: 0BSD */
/*
 * Any environment: the variables that name the file, and GMON_OPTIONS.  What
 * is read of it stays in its bounds, and every name that comes out is a path
 * or a refusal.  Input: lines NAME=value.
 */
#include "gmon/name.h"
#include "gmon/options.h"
#include "gmon/warn.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { VARIABLES_MAX = 16 };

static void must(bool holds)
{
	if (!holds)
		abort();
}

static void check(const struct options *options)
{
	must(options->rate >= 1 && options->rate <= OPTIONS_RATE_MAX);
	must(options->every <= 1000000);
	must(options->signal >= 1 && options->signal <= 64);
	must(options->dump >= 0 && options->dump <= 64);
	must(options->signal != 9 && options->dump != 9);
	must(options->rank != NULL);
	must(!options->file || *options->file);
}

static void check_name(const struct options *options, bool child)
{
	char name[PATH_MAX + 1];
	int result;

	name[PATH_MAX] = 'x';
	result = name_make(name, options, 4194304, child);
	must(name[PATH_MAX] == 'x');
	must(result == 0 || result == 1 || result == -ENAMETOOLONG);
	if (result == 1)
		must(options->profdir && !*options->profdir);
	if (result == 0)
		must(*name && strlen(name) < PATH_MAX);
	if (result == 0 && name_has_pid(options))
		must(strstr(name, "4194304") != NULL);
}

/* Each variable in memory of its own: reading behind it is seen. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *environment[VARIABLES_MAX + 1] = {NULL};
	struct options options;
	size_t count = 0;

	while (size && count < VARIABLES_MAX) {
		const uint8_t *end = memchr(data, '\n', size);
		size_t length = end ? (size_t)(end - data) : size;

		environment[count++] = strndup((const char *)data, length);
		data += end ? length + 1 : length;
		size -= end ? length + 1 : length;
	}
	warn_start(); /* lines are made, for nobody to read */
	options_default(&options);
	options_read(&options, environment);
	check(&options);
	name_start(count ? environment[0] : NULL);
	check_name(&options, false);
	check_name(&options, true);
	while (count)
		free(environment[--count]);
	return 0;
}
