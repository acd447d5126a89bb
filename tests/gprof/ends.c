/* SPDX-License-Identifier: 0BSD */
/*
 * Every end of a process: its status is that of the same program without the
 * runtime, to the last bit, and its file holds what the table says.  Leaves
 * the table in $(BUILD)/ends.md, with a word for each C library.
 */
#include "tests/gprof/ends_table.h"
#include "tests/harness.h"
#include "tests/profile.h"
#include "tests/program.h"
#include "tests/suites.h"
#include "tests/ways/sides.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static const char *table_path(void)
{
	return text("%s/ends.md", setting("BUILD"));
}

__attribute__((format(printf, 1, 2))) static void tell(const char *format, ...)
{
	FILE *file = fopen(table_path(), "a");
	va_list arguments;

	ck_assert(file != NULL);
	va_start(arguments, format);
	vfprintf(file, format, arguments);
	va_end(arguments);
	fclose(file);
}

/* Why an end cannot be tried on a side, or null. */
static const char *complaint(const struct end *end, const struct side *side)
{
	if (end->where == DYNAMIC && side->is_static)
		return "no dlopen()";
	if (end->where == CXX && side->musl)
		return "no C++ compiler";
	if (end->where == NOT_SANITIZED)
		return program_is_checked("-fsanitize", NULL) ? end->why : NULL;
	return end->where == NOT_MUSL && side->musl ? end->why : NULL;
}

static struct outcome run(const struct end *end, const struct side *side,
			  bool plain)
{
	char *program = side_build(side, end->program, plain);
	char *plugin = side->is_static || end->where != DYNAMIC
			       ? text("none")
			       : side_build_plugin(side, "alarmed.c");

	return command(directory_make(),
		       "ulimit -c unlimited 2>/dev/null; %s "
		       "GMON_OPTIONS=%s exec %s %s %s",
		       end->setup ? end->setup : "", end->options, program,
		       end->way, plugin);
}

static int status_of(int wait_status)
{
	return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status)
				      : -WTERMSIG(wait_status);
}

/* As it would have ended by itself; what writes snapshots is ours alone. */
static void check_status(const struct end *end, const struct side *side,
			 const struct outcome *outcome)
{
	struct outcome plain;

	ck_assert_msg(status_of(outcome->status) == end->status,
		      "%s, %s: wait status %#x instead of %d\n%s", end->text,
		      side->name, outcome->status, end->status, outcome->err);
	if (strcmp(end->program, "snapshots.c") == 0)
		return;
	plain = run(end, side, true);
	ck_assert_msg(plain.status == outcome->status,
		      "%s, %s: wait status %#x, but %#x without profiling",
		      end->text, side->name, outcome->status, plain.status);
}

static void check_names(const struct end *end, const struct side *side,
			const struct outcome *outcome)
{
	const char *due = end->file ? end->file : "gmon.out";
	char *names;

	command(outcome->directory, "rm -f core*");
	names = directory_names(outcome->directory);
	ck_assert_msg(strcmp(names, end->calls == NO_FILE
					    ? "" : text("%s ", due)) == 0,
		      "%s, %s: files: %s", end->text, side->name, names);
	ck_assert_msg(text_count(outcome->err, "gcrt: ") == 0, "%s, %s: %s",
		      end->text, side->name, outcome->err);
}

/* How often work() was called, by the file; checked. */
static unsigned long long check_calls(const struct end *end,
				      const struct side *side,
				      const struct outcome *outcome)
{
	struct profile profile;
	unsigned long long calls, least;

	profile = profile_read(outcome->directory,
			       side_build(side, end->program, false),
			       end->file ? end->file : "gmon.out");
	calls = profile_calls(&profile, "work");
	if (end->calls != AT_LEAST_PRINTED) {
		ck_assert_msg(calls == (unsigned long long)end->calls,
			      "%s, %s: %llu calls instead of %ld", end->text,
			      side->name, calls, end->calls);
		return calls;
	}
	ck_assert(sscanf(outcome->out, "at least %llu", &least) == 1);
	ck_assert_msg(calls >= least, "%s, %s: %llu calls, not %llu",
		      end->text, side->name, calls, least);
	return calls;
}

static const char *status_text(int status)
{
	return status < 0 ? text("SIG%s", sigabbrev_np(-status))
			  : text("%d", status);
}

static const char *file_text(const struct end *end)
{
	if (end->calls == NO_FILE)
		return "none";
	return end->calls == AT_LEAST_PRINTED
		       ? "all calls up to then"
		       : text("%ld calls", end->calls);
}

START_TEST(end_is_right)
{
	const struct end *end = &ends_table[_i];
	char *cells = text("%s", "");

	for (const struct side *side = sides; side < sides + SIDE_COUNT;
	     side++) {
		const char *reason =
			side_is_here(side) ? complaint(end, side) : "not here";
		struct outcome outcome;

		if (reason) {
			cells = text("%s %s |", cells, reason);
			continue;
		}
		outcome = run(end, side, false);
		check_status(end, side, &outcome);
		check_names(end, side, &outcome);
		if (end->calls != NO_FILE)
			check_calls(end, side, &outcome);
		cells = text("%s right |", cells);
	}
	tell("| %s | `%s` | %s | %s |%s\n", end->text, end->options,
	     status_text(end->status), file_text(end), cells);
}
END_TEST

START_TEST(table_begins)
{
	remove(table_path());
	tell("| end | GMON_OPTIONS | status | file |");
	for (int i = 0; i < SIDE_COUNT; i++)
		tell(" %s |", sides[i].name);
	tell("\n|---|---|---|---|---|---|---|---|\n");
}
END_TEST

Suite *ends_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("ends", &tcase);

	tcase_add_test(tcase, table_begins);
	tcase_add_loop_test(tcase, end_is_right, 0, ends_count);
	return suite;
}
