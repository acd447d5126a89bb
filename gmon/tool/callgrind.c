/* SPDX-License-Identifier: 0BSD */
/*
 * gmon callgrind: the call graph as KCachegrind and callgrind_annotate read
 * it.  Their format has a cost for each call; ours are gprof's shares.
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
	"as by gprof; calls within a cycle have none.\n"
	"\n"
	"    gmon callgrind -o callgrind.out.app app\n"
	"    kcachegrind callgrind.out.app\n";

/* A function's number in the file: what callgrind calls name compression. */
struct listing {
	const struct callgraph *graph;
	char **names; /* of nodes that have time or calls; null: others */
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

static void put_function(const struct listing *listing, size_t number)
{
	const struct callgraph *graph = listing->graph;
	size_t i = callgraph_first_call(graph, number);

	put_place(listing, "", number);
	fprintf(listing->file, "0 %" PRIu64 "\n",
		microseconds(graph->node[number].self));
	for (; i < graph->call_count && graph->call[i].from == number; i++) {
		const struct call *call = &graph->call[i];

		put_place(listing, "c", call->to);
		fprintf(listing->file, "calls=%" PRIu64 " 0\n0 %" PRIu64 "\n",
			call->count, microseconds(call_time(call)));
	}
	if (graph->node[number].self_calls) {
		put_place(listing, "c", number);
		fprintf(listing->file, "calls=%" PRIu64 " 0\n0 0\n",
			graph->node[number].self_calls);
	}
	fputc('\n', listing->file);
}

static void put_all(const struct callgraph *graph, const char *program,
		    FILE *file)
{
	struct listing listing = {.graph = graph, .file = file};

	name_all(&listing);
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
