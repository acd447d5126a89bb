/* SPDX-License-Identifier: 0BSD */
/*
 * gmon callgrind: the call graph as KCachegrind and callgrind_annotate read
 * it.  Their format has a cost for each call; ours are gprof's shares.  Their
 * time of a function with what it calls is the cost of all calls to it.  So
 * calls within a cycle, to which gprof gives nothing, have what a callee's own
 * time, with that of its callees outside, is above what outer calls brought:
 * no function has less than its own.
 */
#include "gmon/tool/callgraph.h"
#include "gmon/tool/inputs.h"
#include "gmon/tool/memory.h"
#include "gmon/tool/names.h"
#include "gmon/tool/output.h"
#include "gmon/tool/verbs.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
	"Usage: gmon callgrind [OPTION]... [PROGRAM] [FILE]...\n"
	"Write the call graph of a program and its libraries for\n"
	"KCachegrind and callgrind_annotate.\n"
	"\n"
	"  -o, --output=FILE    write to FILE instead of standard output\n"
	INPUTS_HELP
	"\n"
	"Costs are microseconds.  The time of a function, with what it\n"
	"calls, is shared among its callers by the number of their calls,\n"
	"as by gprof.  Calls within a cycle share what of their callee's\n"
	"time, but for its callees in the cycle, no others account for.\n"
	"\n"
	"    gmon callgrind -o callgrind.out.app app\n"
	"    kcachegrind callgrind.out.app\n";

/* A function's number in the file: what callgrind calls name compression. */
struct listing {
	const struct callgraph *graph;
	char **names; /* of nodes that have time or calls; null: others */
	double *inner; /* of nodes: the time of a call within its cycle */
	FILE *file;
};

static bool is_shown(const struct callgraph *graph, size_t number)
{
	const struct node *node = &graph->node[number];
	size_t call = callgraph_first_call(graph, number);

	return node->self > 0 || node->calls || node->self_calls ||
	       (call < graph->call_count && graph->call[call].from == number);
}

static void name_all(struct listing *listing)
{
	const struct callgraph *graph = listing->graph;
	char **names = memory_zeroed(graph->node_count, sizeof *names);
	size_t count = 0;

	listing->names = memory_zeroed(graph->node_count, sizeof *names);
	for (size_t i = 0; i < graph->node_count; i++) {
		const char *name = graph->node[i].symbol->name;

		if (is_shown(graph, i))
			names[count++] = memory_text(name, strlen(name));
	}
	names_demangle(names, count);
	count = 0;
	for (size_t i = 0; i < graph->node_count; i++)
		if (is_shown(graph, i))
			listing->names[i] = names[count++];
	free(names);
}

/* A line ends where we end it, whatever is in the path. */
static void put_path(FILE *file, const char *path)
{
	for (; *path; path++)
		fputc((unsigned char)*path < ' ' ? '?' : *path, file);
	fputc('\n', file);
}

static void put_place(const struct listing *listing, const char *called,
		      size_t number)
{
	const struct image *image = listing->graph->node[number].symbol->image;

	fprintf(listing->file, "%sob=", called);
	put_path(listing->file, image ? image->path : "?");
	fprintf(listing->file, "%s=???\n", *called ? "cfi" : "fl");
	fprintf(listing->file, "%sfn=(%zu) %s\n", called, number + 1,
		listing->names[number]);
}

/* All costs are whole microseconds. */
static uint64_t microseconds(double seconds)
{
	return (uint64_t)(seconds * 1e6 + 0.5);
}

static bool is_inner(const struct callgraph *graph, const struct call *call)
{
	size_t cycle = graph->node[call->from].cycle;

	return cycle && cycle == graph->node[call->to].cycle;
}

/* A function that calls itself is a cycle, too. */
static void time_inner_calls(struct listing *listing)
{
	const struct callgraph *graph = listing->graph;
	double *given = memory_zeroed(graph->node_count, sizeof *given);
	double *calls = memory_zeroed(graph->node_count, sizeof *calls);

	for (size_t i = 0; i < graph->call_count; i++) {
		const struct call *call = &graph->call[i];

		if (is_inner(graph, call))
			calls[call->to] += (double)call->count;
		else
			given[call->to] += call_time(call);
	}
	for (size_t i = 0; i < graph->node_count; i++) {
		const struct node *node = &graph->node[i];
		double rest = node_time(node) - given[i];

		calls[i] += (double)node->self_calls;
		given[i] = rest > 0 && calls[i] > 0 ? rest / calls[i] : 0;
	}
	free(calls);
	listing->inner = given;
}

static void put_call(const struct listing *listing, size_t to, uint64_t count,
		     double seconds)
{
	put_place(listing, "c", to);
	fprintf(listing->file, "calls=%" PRIu64 " 0\n0 %" PRIu64 "\n", count,
		microseconds(seconds));
}

static void put_function(const struct listing *listing, size_t number)
{
	const struct callgraph *graph = listing->graph;
	const struct node *node = &graph->node[number];
	size_t i = callgraph_first_call(graph, number);

	put_place(listing, "", number);
	fprintf(listing->file, "0 %" PRIu64 "\n", microseconds(node->self));
	for (; i < graph->call_count && graph->call[i].from == number; i++) {
		const struct call *call = &graph->call[i];

		put_call(listing, call->to, call->count,
			 is_inner(graph, call)
				 ? (double)call->count *
					 listing->inner[call->to]
				 : call_time(call));
	}
	if (node->self_calls)
		put_call(listing, number, node->self_calls,
			 (double)node->self_calls * listing->inner[number]);
	fputc('\n', listing->file);
}

static void put_all(const struct callgraph *graph, const char *program,
		    FILE *file)
{
	struct listing listing = {.graph = graph, .file = file};

	name_all(&listing);
	time_inner_calls(&listing);
	fputs("# callgrind format\nversion: 1\ncreator: gmon\ncmd: ", file);
	put_path(file, program);
	fprintf(file,
		"positions: line\nevent: us : Microseconds\nevents: us\n"
		"summary: %" PRIu64 "\n\n", microseconds(graph->total));
	for (size_t i = 0; i < graph->node_count; i++)
		if (listing.names[i])
			put_function(&listing, i);
	for (size_t i = 0; i < graph->node_count; i++)
		free(listing.names[i]);
	free(listing.names);
	free(listing.inner);
}

static int read_command(int argc, char **argv, struct inputs *inputs,
			const char **output)
{
	static const struct option options[] = {
		{"output", required_argument, NULL, 'o'}, INPUTS_OPTIONS};
	struct problem problem;
	int option;

	while ((option = verb_option(argc, argv, ":o:" INPUTS_LETTERS, options,
				     help)) >= 0) {
		if (option == 'o')
			*output = optarg;
		else if (!inputs_option(inputs, option))
			return EXIT_USAGE;
	}
	if (!inputs_find(inputs, argc - optind, argv + optind, &problem))
		return say_trouble(&problem);
	return EXIT_DONE;
}

int verb_callgrind(int argc, char **argv)
{
	struct inputs inputs = {.program = NULL};
	struct profile profile = {.origin = NULL};
	struct symbols symbols = {.count = 0};
	struct callgraph graph = {.node_count = 0};
	const char *name = "-";
	struct output output;
	struct problem problem;
	int status = read_command(argc, argv, &inputs, &name);
	bool good;

	if (status)
		return status;
	good = inputs_read(&inputs, &profile, &problem) &&
	       inputs_symbols(&inputs, &profile, &symbols, &problem) &&
	       output_open(&output, name, &problem);
	if (good) {
		callgraph_make(&graph, &profile, &symbols);
		put_all(&graph, inputs.program, output.file);
		good = output_close(&output, true, &problem);
	}
	callgraph_free(&graph);
	symbols_free(&symbols);
	profile_free(&profile);
	inputs_free(&inputs);
	return good ? EXIT_DONE : say_trouble(&problem);
}
