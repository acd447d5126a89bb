/* SPDX-License-Identifier: 0BSD */
/*
 * Data goes one way, and so do includes: each file may include its own header
 * and headers of a lower rank, none of its own.  This is the only list of who
 * is above whom; a file that is not in it fails the test.
 */
#include "tests/harness.h"
#include "tests/suites.h"

#include <string.h>

/* The layers; a rank in between orders files of one layer. */
enum {
	GROUND = 0,
	SHAPES = 10,
	STATE = 20,
	COLLECTORS = 30, /* never each other */
	WRITERS = 40,    /* never each other */
	VERBS = 50,
	START = 60,
};

static const struct {
	const char *file;
	int rank;
} ranks[] = {
	/* ground: the kernel, the disk, the CPU */
	{"gmon/bytes.c", GROUND},
	{"gmon/format.h", GROUND},
	{"gmon/gmon.h", GROUND},
	{"gmon/kernel.h", GROUND},
	{"gmon/life.h", GROUND},
	{"gmon/owned.c", GROUND + 1},
	{"gmon/owned.h", GROUND + 1},
	{"gmon/signals.c", GROUND},
	{"gmon/signals.h", GROUND},
	{"gmon/sink.h", GROUND},
	{"mcount/asm.h", GROUND},
	{"mcount/mcount.h", GROUND},
		{"profil/clocks.c", GROUND + 1},
	{"profil/clocks.h", GROUND},
	{"profil/forked.h", GROUND},
	{"profil/profil.h", GROUND},
	{"gmon/fatal.h", GROUND + 1},
	{"gmon/held.c", GROUND + 2},
	{"gmon/held.h", GROUND + 1},
	{"gmon/pages.c", GROUND + 1},
	{"gmon/pages.h", GROUND + 1},
	{"gmon/quiet.c", GROUND + 1},
	{"gmon/quiet.h", GROUND + 1},
	{"pc.h", GROUND + 1},
	{"gmon/warn.c", GROUND + 2},
	{"gmon/warn.h", GROUND + 2},
	/* shapes: know no globals */
	{"gmon/images.c", SHAPES},
	{"gmon/images.h", SHAPES},
	{"mcount/arcs.c", SHAPES},
	{"mcount/arcs.h", SHAPES},
	{"profil/bins.c", SHAPES},
	{"profil/bins.h", SHAPES},
	{"profil/histogram.c", SHAPES},
	{"profil/histogram.h", SHAPES},
	{"mcount/shared.c", SHAPES + 1},
	{"mcount/shared.h", SHAPES + 1},
	{"mcount/threads.c", SHAPES + 1},
	{"mcount/threads.h", SHAPES + 1},
	{"gmon/aside.c", SHAPES + 2},
	{"gmon/aside.h", SHAPES + 2},
	/* state: what this process is and has */
	{"gmon/fatal.c", STATE},
	{"gmon/options.c", STATE},
	{"gmon/options.h", STATE},
	{"gmon/state.c", STATE + 1},
	{"gmon/state.h", STATE + 1},
	{"profil/engine.h", STATE + 1},
	{"profil/sampler.h", STATE + 1},
	{"profil/perf.c", STATE + 2},
	{"profil/sampler.c", STATE + 2},
	{"profil/tasks.c", STATE + 2},
	{"profil/process.c", STATE + 2},
	{"profil/timer.c", STATE + 2},
	/* collectors: count */
	{"mcount/<cpu>/atomic.S", SHAPES},
	{"mcount/<cpu>/caller.c", COLLECTORS},
	{"mcount/<cpu>/mcount.S", COLLECTORS},
	{"mcount/instrument.c", COLLECTORS},
	{"mcount/record.c", COLLECTORS},
	{"profil/altstack.c", COLLECTORS},
	{"profil/profil.c", COLLECTORS},
	/* writers: the parts of a file, and what puts them together */
	{"gmon/bsd.c", WRITERS},
	{"gmon/bsd.h", WRITERS},
	{"gmon/merge.c", WRITERS},
	{"gmon/merge.h", WRITERS},
	{"gmon/name.c", WRITERS},
	{"gmon/name.h", WRITERS},
	{"gmon/output.c", WRITERS},
	{"gmon/output.h", WRITERS},
	{"gmon/write.c", WRITERS},
	{"gmon/write.h", WRITERS},
	{"gmon/profile.c", WRITERS + 1},
	{"gmon/profile.h", WRITERS + 1},
	{"gmon/summary.c", WRITERS + 2},
	{"gmon/summary.h", WRITERS + 2},
	/* verbs: what may be asked for */
	{"gmon/aliases.c", VERBS},
	{"gmon/begin.c", VERBS},
	{"gmon/ends.c", VERBS},
	{"gmon/fork.c", VERBS},
	{"gmon/gmon.c", VERBS},
	{"gmon/unload.c", VERBS},
	/* start: what calls them */
	{"crt/alone.c", START},
	{"crt/external.S", START},
	{"crt/frames.S", START},
	{"crt/musl.c", START},
	{"crt/preload.c", START},
	{"crt/start.c", START},
	{"crt/unwind.c", START},
};

enum { RANK_COUNT = sizeof ranks / sizeof *ranks };

/* "mcount/x86_64/mcount.S" is "mcount/<cpu>/mcount.S", all pc.h are one. */
static const char *general_name(const char *path)
{
	const char *first = strchr(path, '/');
	const char *last = strrchr(path, '/');

	if (!first || first == last)
		return path;
	return strcmp(last, "/pc.h") == 0
		       ? "pc.h"
		       : text("%.*s/<cpu>%s", (int)(first - path), path, last);
}

static int rank_of(const char *path)
{
	const char *name = general_name(path);

	for (int i = 0; i < RANK_COUNT; i++)
		if (strcmp(ranks[i].file, name) == 0)
			return ranks[i].rank;
	ck_abort_msg("%s has no rank in tests/shape/layers.c", path);
}

static bool is_own_header(const char *file, const char *header)
{
	size_t size = strcspn(file, ".");

	return strncmp(file, header, size) == 0 &&
	       strcmp(header + size, ".h") == 0;
}

/* The command line tool is a program of its own, above nothing here. */
static char *sources(void)
{
	return command_output(setting("SOURCE"),
			      "find crt mcount profil gmon -name tool -prune "
			      "-o -name '*.[chS]' -print | sort");
}

static void check_include(const char *file, const char *header)
{
	ck_assert_msg(strchr(header, '/') || strcmp(header, "pc.h") == 0,
		      "%s: \"%s\" is not written from the root", file, header);
	ck_assert_msg(is_own_header(file, header) ||
			      rank_of(header) < rank_of(file),
		      "%s may not include %s", file, header);
}

START_TEST(includes_go_down)
{
	char *files = sources(), *file;
	int count = 0;

	while ((file = strsep(&files, "\n"))) {
		char *headers, *header;

		if (!*file)
			continue;
		rank_of(file);
		headers = command_output(
			setting("SOURCE"),
			"sed -n 's/^#[ \t]*include[ \t]*\"\\(.*\\)\".*/\\1/p' "
			"%s",
			file);
		while ((header = strsep(&headers, "\n")))
			if (*header && ++count)
				check_include(file, header);
	}
	ck_assert_msg(count > 50, "only %d includes were found", count);
}
END_TEST

START_TEST(ranks_are_of_files)
{
	char *files = sources(), *file, *names = text("\n");

	while ((file = strsep(&files, "\n")))
		names = text("%s%s\n", names, general_name(file));
	for (int i = 0; i < RANK_COUNT; i++)
		ck_assert_msg(strstr(names, text("\n%s\n", ranks[i].file)),
			      "%s has a rank and is not there", ranks[i].file);
}
END_TEST

/* Who knows the format, and who may speak. */
static const struct {
	const char *header;
	const char *users; /* a regular expression */
} reserved[] = {
	{"gmon/format.h", "gmon/write.c\\|gmon/bsd.c"},
	{"crt/", "nobody"},
	{"tests/", "nobody"},
};

START_TEST(reserved_headers)
{
	char *users = command_output(
		setting("SOURCE"),
		"grep -rl --include='*.[chS]' --exclude-dir=tool "
		"'include \"%s' crt mcount profil gmon | "
		"grep -vx '%s' | cat",
		reserved[_i].header, reserved[_i].users);

	ck_assert_str_eq(users, "");
}
END_TEST

/* Each C file of the runtime is tested alone, under its own name. */
START_TEST(units_are_there)
{
	char *missing = command_output(
		setting("SOURCE"),
		"for f in $(find crt mcount profil gmon -name tool -prune "
		"-o -name '*.c' -print); do n=${f##*/}; "
		"grep -q \"SUITE(unit_${n%%.c})\" tests/suites.h && "
		"test -f tests/unit/$n || echo $f; done");

	ck_assert_str_eq(missing, "");
}
END_TEST

Suite *layers_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("layers", &tcase);

	tcase_add_test(tcase, includes_go_down);
	tcase_add_test(tcase, ranks_are_of_files);
	tcase_add_test(tcase, units_are_there);
	tcase_add_loop_test(tcase, reserved_headers, 0,
			    sizeof reserved / sizeof *reserved);
	return suite;
}
