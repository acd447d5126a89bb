/* SPDX-License-Identifier: 0BSD */
/* gmon: reads, adds and shows what -pg programs leave behind. */
#include "gmon/tool/problem.h"
#include "gmon/tool/verbs.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
	"Usage: gmon VERB [OPTION]... [PROGRAM] [FILE]...\n"
	"Read the gmon.out files of programs built with -pg.\n"
	"\n"
	"  gmon report     show flat profile and call graph, by gprof\n"
	"  gmon graph      draw the hot calls, for dot(1) of Graphviz\n"
	"  gmon callgrind  write what KCachegrind and callgrind_annotate read\n"
	"  gmon sum        add up the files of many runs, exactly\n"
	"  gmon show       print the records of a file as text or JSON\n"
	"  gmon symbols    write the symbols of all images, for gprof -S\n"
	"\n"
	"  -h, --help      this text; `gmon VERB --help': a verb's options\n"
	"  -V, --version   print the version\n"
	"\n"
	"PROGRAM is the executable that was run, FILE a profile; what is\n"
	"not named is looked for.  Exit status: 0; 1 if something went\n"
	"wrong; 2 if the command line is wrong.\n"
	"\n"
	"  gcrt-cc -pg app.c -o app; GMON_OPTIONS=images=all ./app\n"
	"  gmon report app\n"
	"  gmon graph app | dot -Tsvg > app.svg\n";

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
} verbs[] = {
	{"report", verb_report},   {"sum", verb_sum},
	{"show", verb_show},	   {"symbols", verb_symbols},
	{"graph", verb_graph},	   {"callgrind", verb_callgrind},
};
enum { VERB_COUNT = sizeof verbs / sizeof *verbs };

int verb_usage(const char *verb, const char *what)
{
	if (verb)
		say("%s: %s; see `gmon %s --help'", verb, what, verb);
	else
		say("%s; see `gmon --help'", what);
	return EXIT_USAGE;
}

/* What getopt found wrong, in our words. */
static void say_bad_option(char **argv, bool needs_value)
{
	const char *word = argv[optind - 1];
	char what[200], letter[] = {'-', (char)optopt, '\0'};

	/* of a long one getopt may tell the letter that stands for it */
	if (optopt > 0 && optopt < 256 && strncmp(word, "--", 2))
		word = letter;
	snprintf(what, sizeof what,
		 needs_value ? "option %s needs a value"
			     : "there is no option %s",
		 word);
	verb_usage(argv[0], what);
}

/* A full disk must not look like success; of other trouble a line was said. */
static int flushed(int status)
{
	errno = 0;
	if (!status && (fflush(stdout) || ferror(stdout))) {
		say("standard output: %s",
		    errno ? strerror(errno) : "cannot be written");
		return EXIT_TROUBLE;
	}
	return status;
}

int verb_option(int argc, char **argv, const char *letters,
		const struct option *options, const char *text)
{
	int option;

	opterr = 0;
	option = getopt_long(argc, argv, letters, options, NULL);
	if (option == '?' || option == ':') {
		say_bad_option(argv, option == ':');
		return USAGE_BAD;
	}
	if (option == 'h') {
		fputs(text, stdout);
		exit(flushed(EXIT_DONE));
	}
	return option;
}

static int run(int argc, char **argv)
{
	for (size_t i = 0; i < VERB_COUNT; i++)
		if (strcmp(argv[0], verbs[i].name) == 0)
			return flushed(verbs[i].run(argc, argv));
	say("there is no verb `%s'; see `gmon --help'", argv[0]);
	return EXIT_USAGE;
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return verb_usage(NULL, "no verb given");
	if (!strcmp(argv[1], "-V") || !strcmp(argv[1], "--version")) {
		puts("gmon (gcrt) " GCRT_VERSION);
		return flushed(EXIT_DONE);
	}
	if (argc > 2 && !strcmp(argv[1], "help")) {
		char *ask[] = {argv[2], (char[]){"--help"}, NULL};

		return run(2, ask);
	}
	if (!strcmp(argv[1], "-h") || !strcmp(argv[1], "--help") ||
	    !strcmp(argv[1], "help")) {
		fputs(help, stdout);
		return flushed(EXIT_DONE);
	}
	return run(argc - 1, argv + 1);
}
