/* SPDX-License-Identifier: 0BSD */
/*
 * Who gets at what through a profile: programs with more rights than their
 * caller, and attackers who change names under the hands of the writer.
 */
#include "tests/gprof/unharmed.h"
#include "tests/suites.h"
#include "tests/ways/sides.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ENVIRONMENT                                                            \
	"PROFDIR=../d GMON_OUT_PREFIX=../d/p "                                 \
	"GMON_OPTIONS=file=../d/x:open=start:verbose=1:garbage "

/* How the program comes to its rights, and whether it may write. */
static const struct {
	const char *make;  /* with `p` as the program */
	const char *way;
	const char *needs; /* a command, or null */
	const char *files;
} rights[] = {
	{"chmod 4755 p", "keep", NULL, ""},
	{"chmod 2755 p", "keep", NULL, ""},
	{"chmod 6755 p", "keep", NULL, ""},
	{"chown 12345 p && chmod 4755 p", "keep", NULL, ""},
	{"chmod 4755 p", "drop", NULL, "gmon.out "},
	{"chmod 4755 p", "drop-for-now", NULL, "gmon.out "},
	{"setcap cap_dac_override+ep p", "keep", "setcap", ""},
	{"setcap cap_dac_override+p p", "keep", "setcap", "gmon.out "},
};
enum { RIGHTS_COUNT = sizeof rights / sizeof *rights };

static const char *complaint(int i)
{
	if (geteuid() != 0)
		return "only root can make such programs";
	if (rights[i].needs &&
	    command("/", "command -v %s", rights[i].needs).status)
		return text("no %s here", rights[i].needs);
	return NULL;
}

/* p in a folder of root's; here, where its caller is at home; d beside it. */
static char *place_make(int i, const struct side *side)
{
	char *directory = directory_make();

	command_output(directory,
		       "mkdir -m 777 here d; cp %s p; %s",
		       side_build(side, "rights.c", false), rights[i].make);
	return directory;
}

static void has_rights(int i, const struct side *side)
{
	char *directory = place_make(i, side);
	struct outcome outcome =
		command(text("%s/here", directory), "%s exec %s ../p %s",
			ENVIRONMENT, unprivileged(), rights[i].way);

	if (outcome_exit(&outcome) == 77) {
		skip("%s: no rights come of it here", rights[i].make);
		return;
	}
	ck_assert_msg(outcome_exit(&outcome) == 3 && !*outcome.err,
		      "%s, %s: %#x %s", rights[i].make, side->name,
		      outcome.status, outcome.err);
	ck_assert_str_eq(directory_names(text("%s/d", directory)), "");
	ck_assert_str_eq(directory_names(text("%s/here", directory)),
			 rights[i].files);
	if (*rights[i].files)
		ck_assert_str_eq(command_output(directory,
						"stat -c %%u here/gmon.out"),
				 "65534\n");
}

START_TEST(rights_are_not_lent)
{
	const char *reason = complaint(_i);

	if (reason) {
		skip("%s: %s", rights[_i].make, reason);
		return;
	}
	for (int i = 0; i < SIDE_COUNT; i++)
		if (side_is_here(&sides[i]))
			has_rights(_i, &sides[i]);
}
END_TEST

/* Where the victim writes, the mode of the place, and who owns it. */
static const struct {
	const char *mode;
	bool is_victims; /* else the attacker's */
	const char *options;
} arenas[] = {
	{"777", true, ""},
	{"1777", true, ""},
	{"755", false, ""},
	{"777", false, "open=start"},
};
enum { ARENA_COUNT = sizeof arenas / sizeof *arenas };

/* In memory, where 10^5 swaps take two seconds; null if there is none. */
static char *memory_directory(void)
{
	char *path = text("%s", "/dev/shm/gcrt.XXXXXX");

	return mkdtemp(path) ? path : NULL;
}

/*
 * The attacker is nobody and the victim root, or, in the attacker's own
 * folder, the other way round: root may write anywhere.
 */
static void arena_make(int i, const char *directory)
{
	command_output(directory,
		       "chmod 777 .; mkdir outside here; echo data >"
		       "outside/precious; chmod 755 outside; chmod %s here; %s",
		       arenas[i].mode,
		       geteuid() != 0	       ? ""
		       : arenas[i].is_victims ? "chown 65534 ."
					       : "chown -R 65534 outside");
}

static char *state_of(const char *directory)
{
	return command_output(directory,
			      "stat -c '%%n %%F %%s %%Y %%i' outside "
			      "outside/*; cat outside/*");
}

static void attack(int i, const char *directory, int swaps)
{
	bool is_victims = arenas[i].is_victims;
	struct outcome outcome;
	char *before;

	arena_make(i, directory);
	before = state_of(directory);
	outcome = command(text("%s/here", directory),
			  "export GMON_OPTIONS=%s; "
			  "%s %s mondump-always & %s %s ../outside %d; "
			  "touch ../stop; wait $!",
			  arenas[i].options, is_victims ? "" : unprivileged(),
			  side_build(&sides[0], "snapshots.c", false),
			  is_victims ? unprivileged() : "",
			  side_build(&sides[0], "swapper.c", true), swaps);
	ck_assert_msg(outcome_exit(&outcome) == 3, "%#x", outcome.status);
	ck_assert_str_eq(state_of(directory), before);
}

START_TEST(names_change_under_the_writer)
{
	char *directory;

	if (!side_is_here(&sides[0]))
		return;
	directory = memory_directory();
	if (!directory) {
		skip("no /dev/shm: attackers swap names 1000 times, not 10^5");
		attack(_i, directory_make(), 1000);
		return;
	}
	command("/", "chmod 755 %s", directory);
	attack(_i, directory, 100000);
	command("/", "rm -rf %s", directory);
}
END_TEST

Suite *trust_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("trust", &tcase);

	tcase_add_loop_test(tcase, rights_are_not_lent, 0, RIGHTS_COUNT);
	tcase_add_loop_test(tcase, names_change_under_the_writer, 0,
			    ARENA_COUNT);
	return suite;
}
