/* SPDX-License-Identifier: 0BSD */
/* The verbs of the command: each a main() of its own, argv[0] the verb. */
#ifndef GMON_TOOL_VERBS_H
#define GMON_TOOL_VERBS_H

struct option;

int verb_report(int argc, char **argv);
int verb_sum(int argc, char **argv);
int verb_show(int argc, char **argv);
int verb_symbols(int argc, char **argv);
int verb_graph(int argc, char **argv);
int verb_callgrind(int argc, char **argv);

/*
 * The next option, as getopt_long tells it, with our way of saying what is
 * wrong.  --help prints `help` and ends; a bad option is USAGE_BAD, and has
 * been said.
 */
enum { USAGE_BAD = '?' };
int verb_option(int argc, char **argv, const char *letters,
		const struct option *options, const char *help);

/* Say what is wrong with the command line: EXIT_USAGE. */
int verb_usage(const char *verb, const char *what);

#endif
