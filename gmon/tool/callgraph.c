/* SPDX-License-Identifier: 0BSD */
/* From addresses to functions: own times, and calls between functions. */
#include "gmon/tool/callgraph.h"
#include "gmon/tool/memory.h"
#include "gmon/tool/times.h"

#include <stdlib.h>
#include <string.h>

/* gprof leaves these out: the runtime is not the program's work. */
static bool is_runtime(const char *name)
{
	static const char *const names[] = {
		"mcount",	     "_mcount",	    "__mcount",
		"__mcount_internal", "__mcleanup", "_gprof_mcount"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

/* A bin's ticks go to the symbols in it, by the share of its bytes; in units
   of two bytes, as gprof counts them. */
static void add_bin(struct callgraph *graph, const struct symbols *symbols,
		    uint64_t low, uint64_t high, double seconds)
{
	size_t at = symbols_find(symbols, low);
	double width = (double)(high / 2 - low / 2);

	if (at == symbols->count)
		at = 0;
	for (; at < symbols->count && symbols->symbol[at].address < high;
	     at++) {
		uint64_t begin = symbols->symbol[at].address / 2;
		uint64_t end = at + 1 < symbols->count
			? symbols->symbol[at + 1].address / 2 : UINT64_MAX;

		begin = begin > low / 2 ? begin : low / 2;
		end = end < high / 2 ? end : high / 2;
		if (end > begin && width > 0)
			graph->node[at].self +=
				seconds * (double)(end - begin) / width;
	}
}

static void add_range(struct callgraph *graph, const struct range *range,
		      const struct symbols *symbols, double period)
{
	uint32_t bin = range_next(range, 0);

	for (; bin < range->bin_count; bin = range_next(range, bin + 1))
		add_bin(graph, symbols,
			bin_address(range->lowpc, range->highpc,
				    range->bin_count, bin),
			bin_address(range->lowpc, range->highpc,
				    range->bin_count, bin + 1),
			(double)range_bin(range, bin) * period);
}

static void add_times(struct callgraph *graph, const struct profile *profile,
		      const struct symbols *symbols)
{
	uint32_t rate = profile->kind.rate;
	double period = rate ? 1.0 / rate : 0;

	for (size_t i = 0; i < profile->ranges.count; i++)
		add_range(graph, &profile->ranges.range[i], symbols, period);
	for (size_t i = 0; i < graph->node_count; i++) {
		if (is_runtime(symbols->symbol[i].name))
			graph->node[i].self = 0;
		graph->total += graph->node[i].self;
	}
}

static int by_ends(const void *one, const void *other)
{
	const struct call *a = one, *b = other;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	return (a->to > b->to) - (a->to < b->to);
}

/* Calls of one pair become one. */
static void unite(struct callgraph *graph)
{
	size_t kept = 0;

	memory_sort(graph->call, graph->call_count, sizeof *graph->call,
		    by_ends);
	for (size_t i = 0; i < graph->call_count; i++) {
		struct call *last = kept ? &graph->call[kept - 1] : NULL;

		if (last && by_ends(last, &graph->call[i]) == 0)
			last->count += graph->call[i].count;
		else
			graph->call[kept++] = graph->call[i];
	}
	graph->call_count = kept;
}

/* A caller or a callee that no symbol knows: gprof drops the arc, too. */
static void add_calls(struct callgraph *graph, const struct arcs *arcs,
		      const struct symbols *symbols)
{
	graph->call = memory_zeroed(arcs->count, sizeof *graph->call);
	for (size_t i = 0; i < arcs->count; i++) {
		const struct arc *arc = &arcs->arc[i];
		size_t from = symbols_find(symbols, arc->frompc);
		size_t to = symbols_find(symbols, arc->selfpc);

		if (from == symbols->count || to == symbols->count)
			continue;
		if (from == to) {
			graph->node[to].self_calls += arc->count;
			continue;
		}
		graph->node[to].calls += arc->count;
		graph->call[graph->call_count++] = (struct call){
			.from = from, .to = to, .count = arc->count};
	}
	unite(graph);
}

void callgraph_make(struct callgraph *graph, const struct profile *profile,
		    const struct symbols *symbols)
{
	*graph = (struct callgraph){.node_count = symbols->count};
	graph->node = memory_zeroed(symbols->count, sizeof *graph->node);
	for (size_t i = 0; i < symbols->count; i++)
		graph->node[i].symbol = &symbols->symbol[i];
	add_times(graph, profile, symbols);
	add_calls(graph, &profile->arcs, symbols);
	times_share(graph);
}

size_t callgraph_first_call(const struct callgraph *graph, size_t node)
{
	size_t low = 0, high = graph->call_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (graph->call[middle].from < node)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void callgraph_free(struct callgraph *graph)
{
	free(graph->node);
	free(graph->call);
	*graph = (struct callgraph){.node_count = 0};
}
