/* SPDX-License-Identifier: 0BSD */
/* What the suites of threads, signals, forks and execs share. */
#include "tests/gprof/repeated.h"

#include <stdlib.h>
#include <string.h>

const struct mode *const both_modes[2] = {&modes[4], &modes[2]};

int repeats(int quick)
{
	const char *often = getenv("REPEAT");

	return often && atoi(often) > 0 ? atoi(often) : quick;
}

struct modes_now modes_now(void)
{
	static int turn;

	if (repeats(0))
		return (struct modes_now){0, 2};
	turn = !turn;
	return (struct modes_now){!turn, !turn + 1};
}

bool emulated(const char *reason)
{
	if (*setting("RUN") && reason)
		skip("under an emulator: %s", reason);
	return *setting("RUN") != '\0';
}

double printed_number(const char *printed, const char *key)
{
	size_t size = strlen(key);
	const char *line = printed;

	while (line && (strncmp(line, key, size) != 0 || line[size] != ' ')) {
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	ck_assert_msg(line != NULL, "no \"%s\" in: %s", key, printed);
	return strtod(line + size, NULL);
}

unsigned long long calls_of_all(const struct profile *profile,
				const char *prefix)
{
	unsigned long long calls = 0;

	for (size_t i = 0; i < profile->function_count; i++)
		if (strncmp(profile->functions[i].name, prefix,
			    strlen(prefix)) == 0)
			calls += profile->functions[i].calls;
	return calls;
}

char *thread_program(const struct mode *mode, const char *source)
{
	if (!repeats(0))
		skip("thread suites: long ones in one of two link modes only; "
		     "make check-long tests both");
	if (strcmp(setting("ARCH"), "i386") == 0 &&
	    emulated("threads: qemu-i386 hangs"))
		return NULL;
	return mode_is_there(mode) && program_is_there(source)
		       ? program_build(mode, source, "-O1 -pthread")
		       : NULL;
}

struct outcome thread_run(const char *how, const char *program,
			  const char *arguments)
{
	struct outcome outcome =
		command(directory_make(), "%s exec %s %s %s", how,
			setting("RUN"), program, arguments);

	ck_assert_msg(outcome.status == 0, "%s: wait status %#x\n%s%s",
		      outcome.command, outcome.status, outcome.out,
		      outcome.err);
	return outcome;
}
