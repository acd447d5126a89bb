/* SPDX-License-Identifier: 0BSD */
/* gmon graph: which nodes and calls of the call graph are worth drawing. */
#include "gmon/tool/dot.h"
#include "gmon/tool/inputs.h"
#include "gmon/tool/memory.h"
#include "gmon/tool/output.h"
#include "gmon/tool/verbs.h"

#include <getopt.h>
#include <stdlib.h>

static const char help[] =
	"Usage: gmon graph [OPTION]... [PROGRAM] [FILE]...\n"
	"Draw the hot calls of a program and its libraries, for dot(1).\n"
	"\n"
	"  -m, --min=PERCENT    leave out what has less of the time (0.5)\n"
	"  -n, --nodes=N        draw at most N functions (60)\n"
	"  -o, --output=FILE    write to FILE instead of standard output\n"
	INPUTS_HELP
	"\n"
	"A box has a function's time with what it calls, its own time, and\n"
	"its calls; an arrow has the time that calls gave the caller.  The\n"
	"time of a function is shared among its callers by the number of\n"
	"their calls, as by gprof.  Red is hot.  Without any time, calls\n"
	"take its place.\n"
	"\n"
	"    gmon graph app | dot -Tsvg > app.svg\n";

struct command {
	struct inputs inputs;
	const char *output;
	double least; /* percent */
	size_t nodes;
};

static bool read_number(const char *text, double most, double *number)
{
	char *end;

	*number = strtod(text, &end);
	return end != text && !*end && *number >= 0 && *number <= most;
}

static int read_command(int argc, char **argv, struct command *command)
{
	static const struct option options[] = {
		{"min", required_argument, NULL, 'm'},
		{"nodes", required_argument, NULL, 'n'},
		{"output", required_argument, NULL, 'o'},
		INPUTS_OPTIONS};
	struct problem problem;
	double number;
	int option;

	while ((option = verb_option(argc, argv, ":m:n:o:" INPUTS_LETTERS,
				     options, help)) >= 0) {
		if (option == 'o')
			command->output = optarg;
		else if (option == 'm' &&
			 !read_number(optarg, 100, &command->least))
			return verb_usage("graph", "-m wants a percentage");
		else if (option == 'n' && read_number(optarg, 1e6, &number))
			command->nodes = (size_t)number;
		else if (option == 'n')
			return verb_usage("graph", "-n wants a number");
		else if (option != 'm' &&
			 !inputs_option(&command->inputs, option))
			return EXIT_USAGE;
	}
	if (!inputs_find(&command->inputs, argc - optind, argv + optind,
			 &problem))
		return say_trouble(&problem);
	return EXIT_DONE;
}

static double all_calls(const struct callgraph *graph)
{
	double calls = 0;

	for (size_t i = 0; i < graph->node_count; i++)
		calls += (double)(graph->node[i].calls +
				  graph->node[i].self_calls);
	return calls;
}

/* For sorting: a node's number and its share of the whole. */
struct share {
	size_t node;
	double of_all;
};

static int by_share(const void *one, const void *other)
{
	const struct share *a = one, *b = other;

	if (a->of_all != b->of_all)
		return a->of_all > b->of_all ? -1 : 1;
	return (a->node > b->node) - (a->node < b->node);
}

/* Choose the hottest; their shares in picture->share, 0 for all others. */
static void choose(struct picture *picture, double least, size_t most)
{
	const struct callgraph *graph = picture->graph;
	struct share *shares = memory_zeroed(graph->node_count, sizeof *shares);
	double calls = all_calls(graph);

	picture->by_calls = graph->total <= 0;
	picture->share = memory_zeroed(graph->node_count, sizeof(double));
	for (size_t i = 0; i < graph->node_count; i++) {
		const struct node *node = &graph->node[i];

		shares[i].node = i;
		if (!picture->by_calls)
			shares[i].of_all = node_time(node) / graph->total;
		else if (calls > 0)
			shares[i].of_all =
				(double)(node->calls + node->self_calls) /
				calls;
	}
	memory_sort(shares, graph->node_count, sizeof *shares, by_share);
	for (size_t i = 0; i < graph->node_count && i < most; i++)
		if (shares[i].of_all > 0 && shares[i].of_all * 100 >= least)
			picture->share[shares[i].node] = shares[i].of_all;
	free(shares);
}

static bool draw(struct command *command, struct problem *problem)
{
	struct profile profile = {.origin = NULL};
	struct symbols symbols = {.count = 0};
	struct callgraph graph = {.node_count = 0};
	struct picture picture = {.graph = &graph};
	struct output output;
	bool good = inputs_read(&command->inputs, &profile, problem) &&
		    inputs_symbols(&command->inputs, &profile, &symbols,
				   problem) &&
		    output_open(&output, command->output, problem);

	if (good) {
		callgraph_make(&graph, &profile, &symbols);
		choose(&picture, command->least, command->nodes);
		picture.program = command->inputs.program;
		picture.rate = profile.kind.rate;
		dot_write(&picture, output.file);
		good = output_close(&output, true, problem);
	}
	free(picture.share);
	callgraph_free(&graph);
	symbols_free(&symbols);
	profile_free(&profile);
	return good;
}

int verb_graph(int argc, char **argv)
{
	struct command command = {.output = "-", .least = 0.5, .nodes = 60};
	struct problem problem;
	int status = read_command(argc, argv, &command);

	if (status)
		return status;
	return draw(&command, &problem) ? EXIT_DONE : say_trouble(&problem);
}
