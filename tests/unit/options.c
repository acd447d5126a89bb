/* SPDX-License-Identifier: 0BSD */
/*
 * GMON_OPTIONS: what each text means, and one line for each mistake.  The text
 * ends at a page that cannot be read, so looking behind it is fatal.
 */
#include "gmon/name.h"
#include "gmon/options.h"
#include "tests/harness.h"
#include "tests/suites.h"
#include "tests/unit/tools.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <string.h>

#define DEFAULT {.rate = 100, .signal = SIGURG, .start = true, .rank = "0"}

static const struct {
	const char *text;
	int lines; /* said */
	struct options options;
} good_and_bad[] = {
#define OPTIONS(...)                                                           \
	{.rate = 100, .signal = SIGURG, .start = true, .rank = "0",            \
	 __VA_ARGS__}
	{"", 0, DEFAULT},
	{":", 0, DEFAULT},
	{":::", 0, DEFAULT},
	{"rate=1", 0, {.rate = 1, .signal = SIGURG, .start = true}},
	{"rate=250:", 0, {.rate = 250, .signal = SIGURG, .start = true}},
	{":rate=100000", 0, {.rate = 100000, .signal = SIGURG, .start = true}},
	{"rate=000000007", 0, {.rate = 7, .signal = SIGURG, .start = true}},
	{"rate=5:rate=6", 0, {.rate = 6, .signal = SIGURG, .start = true}},
	{"start=off", 0, {.rate = 100, .signal = SIGURG}},
	{"start=off:start=on", 0, DEFAULT},
	{"verbose=1", 0, OPTIONS(.verbose = true)},
	{"fork=inherit", 0, OPTIONS(.inherit = true)},
	{"fork=inherit:fork=reset", 0, DEFAULT},
	{"fatal=1", 0, OPTIONS(.fatal = true)},
	{"open=start", 0, OPTIONS(.open_at_start = true)},
	{"format=bsd", 0, OPTIONS(.bsd = true)},
	{"clock=wall", 0, OPTIONS(.wall = true)},
	{"images=all", 0, OPTIONS(.all_images = true)},
	{"engine=perf", 0, OPTIONS(.perf = true)},
	{"every=3600", 0, OPTIONS(.every = 3600)},
	{"dump=USR1", 0, OPTIONS(.dump = SIGUSR1)},
	{"signal=PROF:verbose=1", 0,
	 {.rate = 100, .signal = SIGPROF, .start = true, .verbose = true}},

	{"rate", 1, DEFAULT},
	{"rate=", 1, DEFAULT},
	{"=", 1, DEFAULT},
	{"=5", 1, DEFAULT},
	{"rate=0", 1, DEFAULT},
	{"rate=100001", 1, DEFAULT},
	{"rate=4294967297", 1, DEFAULT},
	{"rate=18446744073709551617", 1, DEFAULT},
	{"rate=-1", 1, DEFAULT},
	{"rate=+5", 1, DEFAULT},
	{"rate= 5", 1, DEFAULT},
	{"rate=5 ", 1, DEFAULT},
	{"rate=0x10", 1, DEFAULT},
	{"rate=5=6", 1, DEFAULT},
	{"RATE=5", 1, DEFAULT},
	{"rat=5", 1, DEFAULT},
	{"rates=5", 1, DEFAULT},
	{" rate=5", 1, DEFAULT},
	{"start=OFF", 1, DEFAULT},
	{"start=of", 1, DEFAULT},
	{"start=offf", 1, DEFAULT},
	{"verbose=2", 1, DEFAULT},
	{"verbose=", 1, DEFAULT},
	{"fork=", 1, DEFAULT},
	{"every=0", 1, DEFAULT},
	{"every=1000001", 1, DEFAULT},
	{"signal=KILL", 1, DEFAULT},
	{"dump=", 1, DEFAULT},
	{"file=", 1, DEFAULT},
	{"file=%", 1, DEFAULT},
	{"file=a%x", 1, DEFAULT},
	{"file=a%", 1, DEFAULT},
	{"nonsense:junk=1:verbose=1:rate=x", 3, OPTIONS(.verbose = true)},
	{"\377\376=\001:\n", 2, DEFAULT},
	{"rate=7,verbose=1", 1, DEFAULT},
	/* one bad value does not undo the good one before */
	{"rate=5:rate=0", 1, {.rate = 5, .signal = SIGURG, .start = true}},
};
enum { TEXT_COUNT = sizeof good_and_bad / sizeof *good_and_bad };

static struct options parse(const char *string)
{
	char *variable = text_at_edge(text("GMON_OPTIONS=%s", string));
	char *environment[] = {(char *)"HOME=/", variable, NULL};
	struct options options;

	options_default(&options);
	options_read(&options, environment);
	return options;
}

static void assert_equal(const struct options *a, const struct options *b)
{
	ck_assert_uint_eq(a->rate, b->rate);
	ck_assert_uint_eq(a->every, b->every);
	ck_assert_int_eq(a->signal, b->signal);
	ck_assert_int_eq(a->dump, b->dump);
	ck_assert_int_eq(a->start, b->start);
	ck_assert_int_eq(a->inherit, b->inherit);
	ck_assert_int_eq(a->verbose, b->verbose);
	ck_assert_int_eq(a->fatal, b->fatal);
	ck_assert_int_eq(a->open_at_start, b->open_at_start);
	ck_assert_int_eq(a->bsd, b->bsd);
	ck_assert_int_eq(a->wall, b->wall);
	ck_assert_int_eq(a->perf, b->perf);
	ck_assert_int_eq(a->all_images, b->all_images);
	ck_assert_ptr_eq(a->file, b->file);
	ck_assert_ptr_eq(a->profdir, b->profdir);
	ck_assert_ptr_eq(a->prefix, b->prefix);
}

START_TEST(table)
{
	struct options options;

	saying_begin();
	options = parse(good_and_bad[_i].text);
	ck_assert_msg(lines_said() == good_and_bad[_i].lines, "%s: said %s",
		      good_and_bad[_i].text, said());
	assert_equal(&options, &good_and_bad[_i].options);
}
END_TEST

static const struct {
	const char *text, *file; /* null: not taken */
	bool verbose;
} files[] = {
	{"file=a", "a", false},
	{"file=a=b:verbose=1", "a=b", true},
	{"file=%p.%n.%h.%r:verbose=1", "%p.%n.%h.%r", true},
	{"file=a%:verbose=1", "a%:verbose=1", false},
	{"file=a%%:verbose=1", "a%%", true},
	{"file=a%%%:b:verbose=1", "a%%%:b", true},
	{"file=ok:file=%q:verbose=1", "ok", true},
	{"file=ok:file=:verbose=1", "ok", true},
	{"file=first:file=second", "second", false},
	{"verbose=1:file=/x/%%", "/x/%%", true},
};

/* A pattern ends at a colon that is not escaped. */
START_TEST(file_patterns)
{
	struct options options;

	saying_begin();
	options = parse(files[_i].text);
	ck_assert_ptr_nonnull(options.file);
	ck_assert_str_eq(options.file, files[_i].file);
	ck_assert_int_eq(options.verbose, files[_i].verbose);
}
END_TEST

/* Every text that can be made of the pieces on which the parser decides. */
START_TEST(nothing_behind_the_text_is_read)
{
	static const char *const pieces[] = {
		"rate", "=", ":", "%", "file", "1", "dump=SIG", "RTMIN", "+",
	};
	enum { COUNT = sizeof pieces / sizeof *pieces };
	static char edge[4096], *end;
	size_t number = (size_t)_i;

	end = text_at_edge(edge) + strlen(edge);
	saying_begin();
	for (size_t rest = 0; rest < COUNT * COUNT * COUNT; rest++) {
		char string[64] = "GMON_OPTIONS=";
		char *environment[2] = {NULL, NULL};
		struct options options;
		size_t choice = rest;

		strcat(string, pieces[number % COUNT]);
		for (int i = 0; i < 3; i++, choice /= COUNT)
			strcat(string, pieces[choice % COUNT]);
		environment[0] = strcpy(end - strlen(string), string);
		options_default(&options);
		options_read(&options, environment);
		ck_assert_uint_ge(options.rate, 1);
		ck_assert_uint_le(options.rate, OPTIONS_RATE_MAX);
	}
}
END_TEST

START_TEST(variables)
{
	char *environment[] = {
		text_at_edge("PROFDIR=/p"),
		text_at_edge("PROFDIRX=/q"),
		text_at_edge("GMON_OUT_PREFIX="),
		text_at_edge("GMON_OPTIONS"),
		text_at_edge("GMON_OUT_PREFI"),
		text_at_edge(""),
		text_at_edge("="),
		text_at_edge("SLURM_PROCID=4"),
		text_at_edge("PMI_RANK="),
		NULL,
	};
	struct options options;

	saying_begin();
	options_default(&options);
	ck_assert_str_eq(options.rank, "0");
	options_read(&options, environment);
	ck_assert_str_eq(options.profdir, "/p");
	ck_assert_ptr_null(options.prefix); /* empty: as if not set */
	ck_assert_str_eq(options.rank, "4");
	ck_assert_int_eq(lines_said(), 0);
	options_read(&options, NULL);
	environment[0] = text_at_edge("OMPI_COMM_WORLD_RANK=5");
	options_read(&options, environment);
	ck_assert_str_eq(options.rank, "5");
}
END_TEST

/* A long or wild value is quoted as far as it fits, in one line. */
START_TEST(long_values)
{
	char *value = text("%*s", 100000, "x");
	struct options options;

	saying_begin();
	options = parse(text("rate=%s", value));
	options = parse(text("%s=1", value));
	options = parse(text("file=%%%s", value));
	ck_assert_int_eq(lines_said(), 3);
	ck_assert_uint_eq(options.rate, 100);
}
END_TEST

/* Programs that set their title write over the initial environment. */
START_TEST(environment_overwritten)
{
	char *environment[] = {
		text_at_edge("PROFDIR=/p"),
		text_at_edge("GMON_OUT_PREFIX=q"),
		text_at_edge("GMON_OPTIONS=file=f:rate=9"),
		text_at_edge("PMI_RANK=3"),
		NULL,
	};
	struct options options;

	options_default(&options);
	options_read(&options, environment);
	for (int i = 0; environment[i]; i++)
		memset(environment[i], 'x', strlen(environment[i]));
	ck_assert_str_eq(options.profdir, "/p");
	ck_assert_str_eq(options.prefix, "q");
	ck_assert_str_eq(options.file, "f");
	ck_assert_str_eq(options.rank, "3");
}
END_TEST

/* What is longer than a path may be is not overrun, and stays too long. */
START_TEST(names_too_long)
{
	static const char *const formats[] = {
		"PROFDIR=%s", "GMON_OUT_PREFIX=%s", "GMON_OPTIONS=file=%s",
	};
	char *name = text("%*s", PATH_MAX - 1 + _i / 3, "x");
	char *environment[] = {text_at_edge(text(formats[_i % 3], name)),
			       NULL};
	char made[PATH_MAX];
	struct options options;

	options_default(&options);
	options_read(&options, environment);
	ck_assert_int_eq(name_make(made, &options, 1, false),
			 _i == 2 ? 0 : -ENAMETOOLONG);
}
END_TEST

Suite *unit_options_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_options", &tcase);

	tcase_add_loop_test(tcase, table, 0, TEXT_COUNT);
	tcase_add_loop_test(tcase, file_patterns, 0,
			    sizeof files / sizeof *files);
	tcase_add_loop_test(tcase, nothing_behind_the_text_is_read, 0, 9);
	tcase_add_test(tcase, variables);
	tcase_add_test(tcase, long_values);
	tcase_add_test(tcase, environment_overwritten);
	tcase_add_loop_test(tcase, names_too_long, 0, 6);
	return suite;
}
