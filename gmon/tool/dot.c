/* SPDX-License-Identifier: 0BSD */
/* How the picture looks. */
#include "gmon/tool/dot.h"
#include "gmon/tool/memory.h"
#include "gmon/tool/names.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Longer names of templates would make boxes wider than the screen. */
enum { NAME_MAX_SHOWN = 60 };

/* Arrows with less of all time than this only hide the others. */
static const double least_call = 0.001;

/* From pale yellow over orange to red; black is readable on all of them. */
static void put_color(FILE *file, double share)
{
	double heat = sqrt(share < 1 ? share : 1);

	fprintf(file, "\"%.3f %.3f %.3f\"", 0.15 * (1 - heat),
		0.10 + 0.60 * heat, 1.0 - 0.02 * heat);
}

static void put_escaped(FILE *file, const char *text, size_t most)
{
	for (size_t i = 0; text[i]; i++) {
		if (i == most) {
			fputs("...", file);
			return;
		}
		if (text[i] == '"' || text[i] == '\\')
			fputc('\\', file);
		fputc((unsigned char)text[i] < ' ' ? '?' : text[i], file);
	}
}

static void put_name(FILE *file, const char *name)
{
	char *brief = name_brief(name, NAME_MAX_SHOWN);

	put_escaped(file, brief, NAME_MAX_SHOWN);
	free(brief);
}

/* 1234567 as 1 234 567 */
static void put_grouped(FILE *file, uint64_t number)
{
	char digits[24];
	int size = snprintf(digits, sizeof digits, "%" PRIu64, number);

	for (int i = 0; i < size; i++) {
		if (i && (size - i) % 3 == 0)
			fputc(' ', file);
		fputc(digits[i], file);
	}
}

static void put_node(const struct picture *picture, size_t number,
		     const char *name, FILE *file)
{
	const struct node *node = &picture->graph->node[number];
	const struct image *image = node->symbol->image;
	uint64_t calls = node->calls + node->self_calls;

	fprintf(file, "\tn%zu [label=\"", number);
	put_name(file, name);
	if (image && image->base && !strchr(name, '@')) {
		fputs("\\n", file);
		put_escaped(file, image_name(image), NAME_MAX_SHOWN);
	}
	fprintf(file, "\\n%.1f %%", 100 * picture->share[number]);
	if (!picture->by_calls)
		fprintf(file, " (self %.1f %%)",
			100 * node->self / picture->graph->total);
	if (calls) {
		fputs("\\n", file);
		put_grouped(file, calls);
		fputs(calls == 1 ? " call" : " calls", file);
	}
	fputs("\", fillcolor=", file);
	put_color(file, picture->share[number]);
	fputs(", tooltip=\"", file);
	put_escaped(file, name, SIZE_MAX);
	fputs("\"];\n", file);
}

static void put_call(const struct picture *picture, const struct call *call,
		     FILE *file)
{
	const struct callgraph *graph = picture->graph;
	double share = graph->total > 0 ? call_time(call) / graph->total : 0;
	bool within = graph->node[call->from].cycle &&
		      graph->node[call->from].cycle ==
			      graph->node[call->to].cycle;

	if (!picture->share[call->from] || !picture->share[call->to])
		return;
	if (!picture->by_calls && !within && share < least_call)
		return;
	fprintf(file, "\tn%zu -> n%zu [label=\"", call->from, call->to);
	if (!picture->by_calls && !within)
		fprintf(file, "  %.1f %%\\l", 100 * share);
	fputs("  ", file); /* clear of the arrow's line */
	put_grouped(file, call->count);
	fprintf(file, "\\l\", penwidth=%.1f%s, color=\"0.000 %.3f %.3f\"];\n",
		0.7 + 4 * share, within ? ", style=dashed" : "",
		sqrt(share < 1 ? share : 1), 0.45 + 0.35 * share);
}

/* The own times of its members, and what they call outside, are a cycle's. */
static double cycle_share(const struct picture *picture, size_t cycle)
{
	const struct callgraph *graph = picture->graph;
	double time = 0;

	for (size_t i = 0; i < graph->node_count; i++)
		if (graph->node[i].cycle == cycle)
			time += node_time(&graph->node[i]);
	return graph->total > 0 ? time / graph->total : 0;
}

/* The nodes that are drawn. */
struct drawn {
	size_t *number;
	size_t count;
};

static struct drawn list_drawn(const struct picture *picture)
{
	size_t all = picture->graph->node_count;
	struct drawn drawn = {memory_zeroed(all, sizeof *drawn.number), 0};

	for (size_t i = 0; i < all; i++)
		if (picture->share[i])
			drawn.number[drawn.count++] = i;
	return drawn;
}

/* The cycle of the drawn node number `first`, unless an earlier one had it. */
static void put_cycle(const struct picture *picture, const struct drawn *drawn,
		      size_t first, FILE *file)
{
	const struct node *nodes = picture->graph->node;
	size_t cycle = nodes[drawn->number[first]].cycle;

	for (size_t i = 0; i < first; i++)
		if (nodes[drawn->number[i]].cycle == cycle)
			return;
	fprintf(file,
		"\tsubgraph cluster_%zu {\n\tlabel=\"cycle %zu: %.1f %%\"; "
		"style=\"rounded,dashed\"; color=gray50;\n",
		cycle, cycle, 100 * cycle_share(picture, cycle));
	for (size_t i = first; i < drawn->count; i++)
		if (nodes[drawn->number[i]].cycle == cycle)
			fprintf(file, "\tn%zu;\n", drawn->number[i]);
	fputs("\t}\n", file);
}

static void put_nodes(const struct picture *picture, const struct drawn *drawn,
		      FILE *file)
{
	const struct node *nodes = picture->graph->node;
	char **names = memory_zeroed(drawn->count, sizeof *names);

	for (size_t i = 0; i < drawn->count; i++) {
		const char *name = nodes[drawn->number[i]].symbol->name;

		names[i] = memory_text(name, strlen(name));
	}
	names_demangle(names, drawn->count);
	for (size_t i = 0; i < drawn->count; i++) {
		put_node(picture, drawn->number[i], names[i], file);
		free(names[i]);
	}
	free(names);
	for (size_t i = 0; i < drawn->count; i++)
		if (nodes[drawn->number[i]].cycle)
			put_cycle(picture, drawn, i, file);
}

static void put_title(const struct picture *picture, FILE *file)
{
	fputs("digraph gmon {\n\tgraph [fontname=\"Helvetica\", labelloc=t, "
	      "ranksep=0.4, nodesep=0.3, label=\"", file);
	put_escaped(file, picture->program, SIZE_MAX);
	if (picture->by_calls)
		fputs(": no time, only calls", file);
	else
		fprintf(file, ": %.2f s, sampled %" PRIu32 " times a second",
			picture->graph->total, picture->rate);
	fputs("\"];\n\tnode [shape=box, style=filled, fontname=\"Helvetica\", "
	      "fontsize=11, margin=\"0.12,0.06\", color=gray50];\n"
	      "\tedge [fontname=\"Helvetica\", fontsize=9];\n", file);
}

void dot_write(const struct picture *picture, FILE *file)
{
	const struct callgraph *graph = picture->graph;
	struct drawn drawn = list_drawn(picture);

	put_title(picture, file);
	put_nodes(picture, &drawn, file);
	for (size_t i = 0; i < graph->call_count; i++)
		put_call(picture, &graph->call[i], file);
	fputs("}\n", file);
	free(drawn.number);
}
