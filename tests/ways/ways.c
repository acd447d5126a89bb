/* SPDX-License-Identifier: 0BSD */
/*
 * The matrix of all ways in: a program is built and run in each, and gprof
 * must find its exact counts.  WAYS=all looks at all cells, else at the core.
 * What became of each is in BUILD/ways.txt.
 */
#include "tests/suites.h"
#include "tests/truth.h"
#include "tests/ways/build.h"
#include "tests/ways/prefix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TOOLCHAINS = COMPILER_COUNT * LINKER_COUNT * KIND_COUNT };

static void note(const char *result, const struct cell *cell)
{
	FILE *list = fopen(text("%s/ways.txt", setting("BUILD")), "a");

	ck_assert(list != NULL);
	fprintf(list, "%s %s\n", result, cell_name(cell));
	fclose(list);
}

static void begin_notes(void)
{
	unlink(text("%s/ways.txt", setting("BUILD")));
}

static void cannot(const struct cell *cell, const char *name,
		   const char *reason)
{
	note("skipped", cell);
	skip("%s: %s", name, reason);
}

/* Runtimes other than ours say nothing at the end. */
static void check(const struct cell *cell, const struct trial *trial)
{
	const char *name = cell_name(cell);
	struct profile profile;

	ck_assert_msg(trial->build.status == 0, "%s: %s\n%s%s", name,
		      trial->build.command, trial->build.out,
		      trial->build.err);
	ck_assert_msg(trial->run.status == 0, "%s: %s\nwait status %#x\n%s",
		      name, trial->build.command, trial->run.status,
		      trial->run.err);
	ck_assert_msg(text_count(trial->run.err, " s in the file,") == 1 &&
			      strstr(trial->run.err, " 0 lost"),
		      "%s: %s\n%s", name, trial->build.command,
		      trial->run.err);
	profile = profile_read(trial->run.directory, "program", "gmon.out");
	if (cell->language == ADA || cell->language == OPENMP)
		truth_check_stated(cell_source(cell), trial->run.out, &profile,
				   name);
	else
		truth_check(cell_source(cell), trial->run.out, &profile, name);
}

static void look_at(const struct cell *cell)
{
	const char *limit = cell_limit(cell);
	struct trial trial;

	if (limit) {
		cannot(cell, cell_kind(cell), limit);
		return;
	}
	trial = cell_try(cell);
	if (trial.build.status || trial.run.status) {
		const char *complaint = cell_complaint(cell);

		if (complaint) {
			cannot(cell, cell_toolchain(cell), complaint);
			return;
		}
	}
	check(cell, &trial);
	note("passed", cell);
}

static bool is_wanted(const struct cell *cell)
{
	bool all = getenv("WAYS") && strcmp(getenv("WAYS"), "all") == 0;

	return cell_is_there(cell) && (all || cell_is_core(cell));
}

/* All cells of one compiler, linker and mode. */
static void look_at_all(struct cell cell)
{
	for (cell.language = 0; cell.language < LANGUAGE_COUNT; cell.language++)
		for (cell.extra = 0; cell.extra < EXTRA_COUNT; cell.extra++)
			for (cell.call = 0; cell.call < CALL_COUNT; cell.call++)
				for (cell.way = 0; cell.way < WAY_COUNT;
				     cell.way++)
					if (is_wanted(&cell))
						look_at(&cell);
}

static struct cell toolchain(enum libc libc, int number)
{
	struct cell cell = {.libc = libc};

	cell.kind = number % KIND_COUNT;
	cell.linker = number / KIND_COUNT % LINKER_COUNT;
	cell.compiler = number / KIND_COUNT / LINKER_COUNT;
	return cell;
}

START_TEST(on_glibc)
{
	if (prefix_has_glibc())
		look_at_all(toolchain(GLIBC, _i));
}
END_TEST

START_TEST(on_musl)
{
	if (prefix_has_musl())
		look_at_all(toolchain(MUSL, _i));
}
END_TEST

Suite *ways_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("ways", &tcase);

	tcase_add_unchecked_fixture(tcase, begin_notes, NULL);
	tcase_add_loop_test(tcase, on_glibc, 0, TOOLCHAINS);
	tcase_add_loop_test(tcase, on_musl, 0, LINKER_COUNT * KIND_COUNT);
	return suite;
}
