/* SPDX-License-Identifier: 0BSD */
/*
 * profil() and sprofil() in programs, linked in every way; the programs judge
 * their bins, stock gprof what gmon's own sampling saw beside them.
 */
#include "tests/suites.h"
#include "tests/truth.h"
#include "tests/ways/prefix.h"

#include <math.h>
#include <stdlib.h>

static const struct way {
	const char *name;
	const char *options; /* GMON_OPTIONS */
	const char *line;    /* to build $program from $source, in the shell */
	bool musl, all;
} ways[] = {
	{"gcrt", "", "$CC -pg -B$BUILD/", false, true},
	{"gcrt, static, perf", "engine=perf:rate=1000",
	 "$CC -pg -static -B$BUILD/", false, true},
	{"perf, slow", "engine=perf", "$CC -pg -B$BUILD/", false, false},
	{"libgmon.so", "", "$CC -L$BUILD -Wl,-rpath,$BUILD", false, false},
	{"libgmon.a", "rate=1000", "$CC -static -L$BUILD", false, false},
	{"musl", "", "CC=musl-gcc $PREFIX/bin/gcrt-cc -pg", true, false},
	{"musl, static", "start=off",
	 "CC=musl-gcc $PREFIX/bin/gcrt-cc -pg -static", true, false},
};
enum { WAY_COUNT = sizeof ways / sizeof *ways };

static bool is_there(const struct way *way)
{
	if (way->musl)
		return prefix_has_musl();
	return mode_is_there(text_count(way->line, "-static")
				     ? mode_found_static
				     : mode_found);
}

/* Once for each way and source in a run. */
static char *build(const struct way *way, const char *source)
{
	char *program = text("%s/%s-%d", getenv("RUN_DIRECTORY"), source,
			     (int)(way - ways));
	bool is_library = text_count(way->line, " -pg") == 0;

	if (file_exists(program))
		return program;
	command_output("/",
		       "CC='%s' BUILD=%s PREFIX=%s; export CC; "
		       "%s -O1 -pthread -I%s %s/tests/programs/%s.c %s %s -lm "
		       "-o %s 2>%s.said || { cat %s.said >&2; exit 1; }",
		       setting("CC"), setting("BUILD"),
		       way->musl ? prefix_path() : "", way->line,
		       setting("SOURCE"), setting("SOURCE"), source,
		       is_library ? "-lgmon" : "",
		       is_library || way->musl ? "" : program_archive(),
		       program, program, program);
	return program;
}

static const char *const scenarios[] = {
	"plain", "gone", "odd", "full", "threads", "itimer", "children",
};
enum { SCENARIO_COUNT = sizeof scenarios / sizeof *scenarios, FEW = 2 };

/* The program judges its time; on a busy machine, one run of three counts. */
static void check(const struct way *way, const char *source,
		  const char *scenario)
{
	struct outcome outcome;

	for (int i = 0; i < 3; i++) {
		outcome = program_run(directory_make(), build(way, source),
				      scenario);
		if (outcome.status == 0 && !*outcome.err)
			return;
	}
	ck_abort_msg("%s %s, %s: wait status %#x\n%s", source, scenario,
		     way->name, outcome.status, outcome.err);
}

START_TEST(profil_counts)
{
	const struct way *way = &ways[_i];
	int count = way->all ? SCENARIO_COUNT : FEW;

	if (!is_there(way))
		return;
	setenv("GMON_OPTIONS", way->options, 1);
	for (int i = 0; i < count; i++)
		check(way, "profil", scenarios[i]);
}
END_TEST

static const struct {
	int way;
	const char *kind;
} sprofils[] = {{0, ""}, {1, "uint"}, {3, "uint"}, {6, ""}};
enum { SPROFIL_COUNT = sizeof sprofils / sizeof *sprofils };

START_TEST(sprofil_counts)
{
	const struct way *way = &ways[sprofils[_i].way];

	if (!is_there(way))
		return;
	setenv("GMON_OPTIONS", way->options, 1);
	check(way, "factorials", sprofils[_i].kind);
}
END_TEST

/* What profil() has in `plain`, gmon has, too; and what it turned off for. */
START_TEST(beside_gmon)
{
	struct outcome outcome;
	struct profile profile;
	char *program;

	if (!is_there(&ways[_i]))
		return;
	program = build(&ways[_i], "profil");
	setenv("GMON_OPTIONS", ways[_i].options, 1);
	outcome = program_run_well(program, "plain");
	profile = profile_read(outcome.directory, program, "gmon.out");
	ck_assert_msg(fabs(profile_seconds(&profile, "first") - 0.30) < 0.06 &&
		      fabs(profile_seconds(&profile, "second") - 0.25) < 0.06,
		      "%.2000s", profile.text);
}
END_TEST

Suite *profil_programs_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("profil_programs", &tcase);

	tcase_add_loop_test(tcase, profil_counts, 0, WAY_COUNT);
	tcase_add_loop_test(tcase, sprofil_counts, 0, SPROFIL_COUNT);
	tcase_add_loop_test(tcase, beside_gmon, 0, 2);
	return suite;
}
