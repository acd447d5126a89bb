/* SPDX-License-Identifier: 0BSD */
/*
 * The call graph with its times, by gprof's rule: the time of a function, its
 * own and what its callees gave it, is shared among its callers by the number
 * of their calls.  Functions that call each other in a circle are a cycle,
 * which has time and callers as one function has; calls within it take no
 * time.
 */
#ifndef GMON_TOOL_CALLGRAPH_H
#define GMON_TOOL_CALLGRAPH_H

#include "gmon/tool/profile.h"
#include "gmon/tool/symbols.h"

struct node {
	const struct symbol *symbol;
	double self;	/* seconds */
	double callees; /* that calls to others gave it */
	uint64_t calls; /* from others */
	uint64_t self_calls;
	size_t cycle; /* the number of its cycle, 1 ...; 0: in none */
};

struct call {
	size_t from, to; /* nodes */
	uint64_t count;
	double self, callees; /* of the callee's, this call's share */
};

struct callgraph {
	struct node *node; /* as many as there are symbols, in their order */
	size_t node_count;
	struct call *call; /* each pair once, by caller; not from oneself */
	size_t call_count;
	size_t cycle_count;
	double total; /* own times of all */
};

/* Make it of a finished profile.  The symbols must live as long. */
void callgraph_make(struct callgraph *graph, const struct profile *profile,
		    const struct symbols *symbols);

static inline double node_time(const struct node *node)
{
	return node->self + node->callees;
}

static inline double call_time(const struct call *call)
{
	return call->self + call->callees;
}

/* The node's first call; they end where the next node's begin. */
size_t callgraph_first_call(const struct callgraph *graph, size_t node);

void callgraph_free(struct callgraph *graph);

#endif
