/* SPDX-License-Identifier: 0BSD */
/*
 * The call graph's times, judged by stock gprof: random programs, with cycles
 * in cycles, self recursion, functions that are only called, only sampled, or
 * neither.  A tick is a second here, so that gprof's hundredths are exact.
 */
#include "gmon/tool/callgraph.h"
#include "tests/harness.h"
#include "tests/suites.h"
#include "tests/tool/maker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FUNCTIONS = 24, FUNCTION_SIZE = 16, PROGRAMS = 24 };

/* Of two decimals, and of the shares that it added up. */
static const double tolerance = 0.02;

static char program_name[] = "program";
static const struct image image = {.path = program_name};

static uint32_t seed;

static unsigned number_below(unsigned end)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % end;
}

static char *build(const char *folder)
{
	char *program = text("%s/program", folder);
	FILE *source = fopen(text("%s.s", program), "w");

	ck_assert_ptr_nonnull(source);
	fputs("\t.text\n\t.balign 16\n", source);
	for (int i = 0; i < FUNCTIONS; i++)
		fprintf(source,
			"\t.globl f%d\n\t.type f%d, %%function\n"
			"f%d:\t.skip %d\n\t.size f%d, %d\n",
			i, i, i, FUNCTION_SIZE, i, FUNCTION_SIZE);
	fputs("\t.globl f_end\n\t.type f_end, %function\nf_end:\t.skip 16\n"
	      "\t.section .note.GNU-stack,\"\",%progbits\n", source);
	ck_assert_int_eq(fclose(source), 0);
	command_output(folder, "cc -shared -nostdlib -o program program.s");
	return program;
}

/* Where f0 is. */
static uint64_t start_of(const char *program)
{
	return strtoull(command_output("/", "nm '%s' | grep ' f0$'", program),
			NULL, 16);
}

/* Calls of any shape: the more, the more cycles. */
static void make_profile(struct maker *maker, uint64_t start, unsigned calls)
{
	make_header(maker);
	make_histogram(maker, start, start + FUNCTIONS * FUNCTION_SIZE,
		       FUNCTIONS * FUNCTION_SIZE / 2, 1);
	for (int i = 0; i < FUNCTIONS * FUNCTION_SIZE / 2; i++)
		make_number(maker, number_below(4) ? 0 : number_below(50), 2);
	for (unsigned i = 0; i < calls; i++)
		make_arc(maker,
			 start + number_below(FUNCTIONS) * FUNCTION_SIZE +
				 number_below(FUNCTION_SIZE),
			 start + number_below(FUNCTIONS) * FUNCTION_SIZE +
				 number_below(FUNCTION_SIZE),
			 1 + number_below(1000));
}

/* Our side, of the same file. */
static void make_graph(struct callgraph *graph, struct symbols *symbols,
		       uint64_t start, const char *path)
{
	static const struct target unknown;
	static struct profile profile;
	struct problem problem;

	for (int i = 0; i < FUNCTIONS; i++)
		symbols_add(symbols, &image,
			    start + (unsigned)i * FUNCTION_SIZE,
			    text("f%d", i), true);
	symbols_add(symbols, &image, start + FUNCTIONS * FUNCTION_SIZE,
		    "f_end", true);
	ck_assert(profile_add_file(&profile, path, &unknown, &problem));
	ck_assert(profile_finish(&profile, &problem));
	callgraph_make(graph, &profile, symbols);
}

/* The function that a line of gprof is about, or -1. */
static int function_of(const char *line)
{
	const char *name = strstr(line, " f");
	int number;

	return name && sscanf(name, " f%d", &number) == 1 ? number : -1;
}

static void check_near(double gprof, double ours, const char *line)
{
	ck_assert_msg(gprof > ours - tolerance && gprof < ours + tolerance,
		      "gprof has %.2f, gmon %.4f in\n%s", gprof, ours, line);
}

/* [7]  30.7  0.00  0.10  3000+30000  <cycle 1 as a whole> [4] */
static bool check_cycle(const struct callgraph *graph, const char *line,
			const char *next, double self, double callees)
{
	size_t count = 0, cycle = 0;
	double own = 0, others = 0;
	int member;

	if (!strstr(line, "as a whole"))
		return false;
	/* numbers of cycles differ; a cycle is known by its first member */
	member = function_of(next);
	ck_assert_int_ge(member, 0);
	cycle = graph->node[member].cycle;
	ck_assert_uint_ne(cycle, 0);
	for (size_t i = 0; i < FUNCTIONS; i++)
		if (graph->node[i].cycle == cycle) {
			own += graph->node[i].self;
			others += graph->node[i].callees;
			count++;
		}
	ck_assert_uint_ge(count, 2);
	check_near(self, own, line);
	check_near(callees, others, line);
	return true;
}

static const struct call *find_call(const struct callgraph *graph, int from,
				    int to)
{
	for (size_t i = 0; i < graph->call_count; i++)
		if (graph->call[i].from == (size_t)from &&
		    graph->call[i].to == (size_t)to)
			return &graph->call[i];
	return NULL;
}

/* The line of a callee: 0.10  0.02  30/40  f7 [3] */
static bool check_callee(const struct callgraph *graph, int from,
			 const char *line)
{
	unsigned long long count, all;
	double self, callees;
	int to = function_of(line);
	const struct call *call;

	if (sscanf(line, " %lf %lf %llu/%llu", &self, &callees, &count,
		   &all) != 4)
		return false;
	call = find_call(graph, from, to);
	ck_assert_msg(call != NULL, "f%d -> f%d", from, to);
	ck_assert_uint_eq(call->count, count);
	check_near(self, call->self, line);
	check_near(callees, call->callees, line);
	return true;
}

/* All lines of the graph; how many were compared. */
static int check_graph(const struct callgraph *graph, char *printed)
{
	int current = -1, compared = 0;
	char *line = strtok(printed, "\n");

	for (char *next; line; line = next) {
		double self, callees;

		next = strtok(NULL, "\n");
		if (strncmp(line, "-----", 5) == 0)
			current = -1;
		if (sscanf(line, "[%*d] %*f %lf %lf", &self, &callees) == 2) {
			compared++;
			if (check_cycle(graph, line, next, self, callees))
				continue;
			current = function_of(line);
			ck_assert_int_ge(current, 0);
			check_near(self, graph->node[current].self, line);
			check_near(callees, graph->node[current].callees,
				   line);
		} else if (current >= 0 && line[0] == ' ') {
			compared += check_callee(graph, current, line);
		}
	}
	return compared;
}

START_TEST(times_are_those_of_gprof)
{
	char *folder = directory_make();
	char *program = build(folder);
	uint64_t start = start_of(program);
	struct maker maker = {.width = sizeof(void *)};
	struct symbols symbols = {.count = 0};
	struct callgraph graph;
	int compared;

	seed = (uint32_t)_i;
	make_profile(&maker, start, 5 + (unsigned)_i);
	make_file(&maker, text("%s/gmon.out", folder));
	make_graph(&graph, &symbols, start, text("%s/gmon.out", folder));
	compared = check_graph(&graph,
			       command_output(folder, "%s -b -q program "
						      "gmon.out | grep -v "
						      "'^ *<'",
					      setting("GPROF")));
	ck_assert_int_ge(compared, FUNCTIONS);
}
END_TEST

/* Functions by their numbers in the file of callgrind's format. */
struct incoming {
	unsigned long long self, calls, time;
};

/* Costs of functions, and of the calls to them. */
static void read_callgrind(char *printed, struct incoming *functions)
{
	struct incoming *function = NULL;
	unsigned long long cost;
	size_t number;
	bool called = false;

	for (char *line = strtok(printed, "\n"); line;
	     line = strtok(NULL, "\n")) {
		if (sscanf(line, "fn=(%zu)", &number) == 1 ||
		    sscanf(line, "cfn=(%zu)", &number) == 1) {
			ck_assert_uint_lt(number, 4 * FUNCTIONS);
			function = &functions[number];
			called = false;
		} else if (strncmp(line, "calls=", 6) == 0) {
			function->calls++;
			called = true;
		} else if (sscanf(line, "0 %llu", &cost) == 1) {
			*(called ? &function->time : &function->self) += cost;
		}
	}
}

/* Who is called, if only in a cycle, has at least its own time of it. */
START_TEST(calls_bring_a_function_its_time)
{
	char *folder = directory_make();
	uint64_t start = start_of(build(folder));
	struct maker maker = {.width = sizeof(void *)};
	struct incoming functions[4 * FUNCTIONS] = {{0, 0, 0}};

	seed = (uint32_t)_i;
	make_profile(&maker, start, 5 + (unsigned)_i);
	make_file(&maker, text("%s/gmon.out", folder));
	read_callgrind(command_output(folder, "'%s/gmon' callgrind program "
					      "gmon.out", setting("BUILD")),
		       functions);
	for (size_t i = 0; i < 4 * FUNCTIONS; i++) {
		const struct incoming *function = &functions[i];

		/* each call's cost is rounded */
		if (function->calls)
			ck_assert_uint_ge(function->time + function->calls,
					  function->self);
	}
}
END_TEST

/* Deep as no stack is. */
START_TEST(chains_may_be_long)
{
	enum { LENGTH = 300000 };
	struct profile profile = {.kind = {.rate = 1}};
	struct symbols symbols = {.count = 0};
	struct range range = {16, 20, 1, NULL, ""}, *made;
	const uint16_t ticks = 7;
	struct callgraph graph;
	struct problem problem;

	for (unsigned i = 0; i < LENGTH; i++) {
		symbols_add(&symbols, &image, 16 + 4 * i, "f", true);
		if (i)
			arcs_add(&profile.arcs,
				 &(struct arc){16 + 4 * i, 12 + 4 * i, 3});
	}
	/* and the first half of it once more, as a cycle */
	arcs_add(&profile.arcs, &(struct arc){16, 16 + 4 * (LENGTH / 2), 1});
	made = ranges_get(&profile.ranges, &range, &problem);
	range_add(made, 0, &ticks, 1);
	ck_assert(profile_finish(&profile, &problem));
	callgraph_make(&graph, &profile, &symbols);
	ck_assert_uint_eq(graph.cycle_count, 1);
	ck_assert_uint_eq(graph.node[0].cycle, 1);
	ck_assert_uint_eq(graph.node[LENGTH / 2].cycle, 1);
	ck_assert_uint_eq(graph.node[LENGTH / 2 + 1].cycle, 0);
	ck_assert_double_eq_tol(node_time(&graph.node[LENGTH - 1]), 7, 1e-6);
	callgraph_free(&graph);
}
END_TEST

Suite *tool_times_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("tool_times", &tcase);

	tcase_add_loop_test(tcase, times_are_those_of_gprof, 0, PROGRAMS);
	tcase_add_loop_test(tcase, calls_bring_a_function_its_time, 0,
			    PROGRAMS);
	tcase_add_test(tcase, chains_may_be_long);
	return suite;
}
