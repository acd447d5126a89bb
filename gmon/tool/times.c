/* SPDX-License-Identifier: 0BSD */
/*
 * Cycles are the strongly connected components of the graph (Tarjan 1972,
 * without recursion: a call graph may be deep).  They are found callees first,
 * which is the order in which times are shared: when a component is complete,
 * all it calls has its time already.
 */
#include "gmon/tool/times.h"
#include "gmon/tool/memory.h"

#include <stdlib.h>

/* A component: a cycle, or a single function. */
struct component {
	double self, callees;
	uint64_t calls; /* from outside it */
};

struct search {
	struct callgraph *graph;
	size_t *order;	   /* when a node was seen first, 1 ...; 0: not yet */
	size_t *low;	   /* the earliest node that it leads back to */
	size_t *next_call; /* of the node on the path, to be followed next */
	size_t *path;	   /* from the root to the node being looked at */
	size_t *open;	   /* nodes seen that are in no component yet */
	size_t *component; /* of each node, 1 ...; 0: none yet */
	size_t *closed;	   /* nodes that are in one, in that order */
	struct component *components;
	size_t order_count, path_count, open_count, closed_count;
	size_t component_count;
};

static void enter(struct search *search, size_t node)
{
	search->order[node] = search->low[node] = ++search->order_count;
	search->next_call[node] = callgraph_first_call(search->graph, node);
	search->path[search->path_count++] = node;
	search->open[search->open_count++] = node;
}

/* How many calls of a component's members come from outside is known only
   when all its members are. */
static void count_calls(struct search *search)
{
	struct callgraph *graph = search->graph;

	for (size_t i = 0; i < graph->call_count; i++) {
		const struct call *call = &graph->call[i];
		size_t to = search->component[call->to];

		if (search->component[call->from] != to)
			search->components[to].calls += call->count;
	}
}

/* The nodes above `node` among the open ones, and it, are a component. */
static void close_component(struct search *search, size_t node)
{
	size_t number = ++search->component_count;
	size_t size = 0, member;

	do {
		member = search->open[--search->open_count];
		search->component[member] = number;
		search->closed[search->closed_count++] = member;
		size++;
	} while (member != node);
	if (size == 1)
		return;
	search->graph->cycle_count++;
	for (size_t i = 0; i < size; i++)
		search->graph->node[search->open[search->open_count + i]]
			.cycle = search->graph->cycle_count;
}

static void leave(struct search *search, size_t node)
{
	search->path_count--;
	if (search->low[node] == search->order[node])
		close_component(search, node);
	if (search->path_count) {
		size_t before = search->path[search->path_count - 1];

		if (search->low[node] < search->low[before])
			search->low[before] = search->low[node];
	}
}

/* Follow the next call of a node; false if there is none. */
static bool follow(struct search *search, size_t node)
{
	const struct callgraph *graph = search->graph;
	size_t call = search->next_call[node];
	size_t to;

	if (call == graph->call_count || graph->call[call].from != node)
		return false;
	search->next_call[node]++;
	to = graph->call[call].to;
	if (!search->order[to])
		enter(search, to);
	else if (!search->component[to] &&
		 search->order[to] < search->low[node])
		search->low[node] = search->order[to];
	return true;
}

static void find_components(struct search *search)
{
	for (size_t root = 0; root < search->graph->node_count; root++) {
		if (search->order[root])
			continue;
		enter(search, root);
		while (search->path_count) {
			size_t node = search->path[search->path_count - 1];

			if (!follow(search, node))
				leave(search, node);
		}
	}
}

/* Take a call's share of what its callee's component has. */
static void take_share(struct search *search, struct call *call)
{
	size_t own = search->component[call->from];
	const struct component *callee =
		&search->components[search->component[call->to]];
	double share;

	if (search->component[call->to] == own || !callee->calls)
		return;
	share = (double)call->count / (double)callee->calls;
	call->self = callee->self * share;
	call->callees = callee->callees * share;
	search->graph->node[call->from].callees += call_time(call);
	search->components[own].callees += call_time(call);
}

/* In the order of the components: callees first. */
static void share(struct search *search)
{
	struct callgraph *graph = search->graph;

	for (size_t i = 0; i < graph->node_count; i++)
		search->components[search->component[i]].self +=
			graph->node[i].self;
	for (size_t i = 0; i < search->closed_count; i++) {
		size_t node = search->closed[i];
		size_t call = callgraph_first_call(graph, node);

		for (; call < graph->call_count &&
		       graph->call[call].from == node;
		     call++)
			take_share(search, &graph->call[call]);
	}
}

void times_share(struct callgraph *graph)
{
	size_t count = graph->node_count;
	size_t *room = memory_zeroed(7 * count, sizeof *room);
	struct search search = {
		.graph = graph,
		.order = room,
		.low = room + count,
		.next_call = room + 2 * count,
		.path = room + 3 * count,
		.open = room + 4 * count,
		.component = room + 5 * count,
		.closed = room + 6 * count,
		.components =
			memory_zeroed(count + 1, sizeof *search.components),
	};

	find_components(&search);
	count_calls(&search);
	share(&search);
	free(search.components);
	free(room);
}
