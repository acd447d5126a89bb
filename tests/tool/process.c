/* SPDX-License-Identifier: 0BSD */
/*
 * Real runs: what report shows of a program is what gprof shows; what it shows
 * of a whole process is what the program did; and other readers can read it.
 */
#include "tests/profile.h"
#include "tests/program.h"
#include "tests/suites.h"
#include "tests/ways/prefix.h"

#include <stdlib.h>
#include <string.h>

/* The tower's work takes no time: a round is less than a microsecond. */
#define IDLE "-DROUNDS=10000000"

/* A new folder with the program tower and its libraries. */
static char *make_tower_by(const char *cc, const char *link, const char *flags,
			   const char *behind)
{
	char *folder = directory_make();
	char *rest = text("-O1 -pg %s '%s/tests/programs/tower.c'", flags,
			  setting("SOURCE"));
	char *build = text("%s %s", cc, rest);

	command_output(folder,
		       "%s -DLAYER=3 -shared -fPIC -o libtower3.so && "
		       "%s -DLAYER=2 -shared -fPIC -o libtower2.so -L. "
		       "-ltower3 -Wl,-rpath,. && "
		       "%s -DLAYER=1 -shared -fPIC -o libtower1.so -L. "
		       "-ltower2 -Wl,-rpath,. && "
		       "%s -DPLUGIN -shared -fPIC -o plugin.so && "
		       "%s -O0 -DPLUGIN -shared -fPIC -o other.so && "
		       "%s %s -o tower -L. -ltower1 -Wl,-rpath,. "
		       "-Wl,-rpath-link,. -ldl -rdynamic %s 2>warnings",
		       build, build, build, build, build, link, rest, behind);
	return folder;
}

static char *make_tower(const char *flags)
{
	return make_tower_by(setting("CC"), text("%s -B'%s/'", setting("CC"),
						 setting("BUILD")), flags,
			     program_archive());
}

/* By glibc's compiler and by musl's; null, with a skip, without that one. */
static char *make_tower_on(int musl, const char *flags)
{
	if (!musl)
		return make_tower(flags);
	return prefix_has_musl()
		       ? make_tower_by("musl-gcc",
				       text("CC=musl-gcc %s/bin/gcrt-cc",
					    prefix_path()),
				       flags, "")
		       : NULL;
}

static bool is_native(void)
{
	if (!*setting("RUN"))
		return true;
	skip("gmon with real processes: only for this machine's programs");
	return false;
}

static char *gmon(const char *folder, const char *words)
{
	struct outcome outcome = command(folder, "'%s/gmon' %s",
					 setting("BUILD"), words);

	ck_assert_msg(outcome_exit(&outcome) == 0 && !*outcome.err,
		      "gmon %s: %s%s", words, outcome.out, outcome.err);
	return outcome.out;
}

static void has(const char *printed, const char *part)
{
	ck_assert_msg(strstr(printed, part) != NULL, "no \"%s\" in\n%.3000s", part,
		      printed);
}

/* A line "calls/all  NAME [index]" of callers in the graph. */
static void has_arc(const char *graph, unsigned calls, unsigned all,
		    const char *name)
{
	has(graph, text("%8u/%-8u    %s [", calls, all, name));
}

/* Every arc of every layer, caller and callee named right, so many runs. */
static void check_tower(const char *graph, unsigned runs)
{
	has_arc(graph, 10 * runs, 10 * runs, "main");
	has_arc(graph, 30 * runs, 30 * runs, "layer1");
	has_arc(graph, 60 * runs, 60 * runs, "layer2");
	has_arc(graph, 12 * runs, 12 * runs, "main");
	has_arc(graph, runs, runs, "main");
	has_arc(graph, 10 * runs, 10 * runs, "layer1");
	has_arc(graph, 30 * runs, 30 * runs, "layer2");
	has_arc(graph, 60 * runs, 60 * runs, "layer3");
	has_arc(graph, 12 * runs, 12 * runs, "plugin");
	has(graph, "work@libtower1.so [");
	has(graph, "work@plugin.so [");
}

/* The whole process is one graph; and twenty of them, at other addresses. */
START_TEST(processes_add_up)
{
	char *folder, *graph;

	if (!is_native() ||
	    !(folder = make_tower_on(_i, _i ? IDLE : "-DROUNDS=50000")))
		return;
	command_output(folder, "GMON_OPTIONS=images=all ./tower");
	check_tower(gmon(folder, "report -b -q tower"), 1);
	command_output(folder, "mkdir d; for i in 1 2 3 4 5 6 7 8 9 10; do "
			       "PROFDIR=d GMON_OPTIONS=images=all ./tower & "
			       "PROFDIR=d GMON_OPTIONS=images=all ./tower; "
			       "wait; done");
	gmon(folder, "sum d/*.tower");
	graph = gmon(folder, "report -b -q tower gmon.sum");
	check_tower(graph, 20);
	ck_assert_str_eq(command_output(folder, "PROFDIR=d '%s/gmon' report "
						"-b -q tower",
					setting("BUILD")),
			 graph);
}
END_TEST

/* musl has no name for the vDSO, where its clock spends time: the file has. */
START_TEST(every_image_has_a_name)
{
	char *folder;

	if (!is_native() || !(folder = make_tower_on(1, "")))
		return;
	command_output(folder, "GMON_OPTIONS=images=all:rate=1000 ./tower");
	has(gmon(folder, "report -b -p tower"), "work@plugin.so");
}
END_TEST

/* Two libraries get one another's addresses, 1000 times. */
START_TEST(plugins_are_told_apart)
{
	char *folder, *graph;

	if (!is_native() || !(folder = make_tower_on(_i, IDLE)))
		return;
	command_output(folder, "GMON_OPTIONS=images=all ./tower 1000");
	graph = gmon(folder, "report -b -q tower");
	ck_assert_int_eq(text_count(graph, "    1500/1500        main ["), 2);
	has_arc(graph, 1500, 1500, "plugin@plugin.so");
	has_arc(graph, 1500, 1500, "plugin@other.so");
}
END_TEST

/* So do four threads at once: each library with all of its calls, 5 times. */
START_TEST(unloads_are_told_apart)
{
	static const char *const names[] = {"one", "two", "three", "four"};
	char *folder = directory_make(), *flat;
	char *build = text("%s -O1 -pg -pthread '%s/tests/programs/churn.c'",
			   setting("CC"), setting("SOURCE"));

	if (!is_native())
		return;
	for (int i = 0; i < 4; i++)
		command_output(folder, "%s -DNAME=%s -shared -fPIC -o %s.so",
			       build, names[i], names[i]);
	command_output(folder, "%s -B'%s/' -o churn -ldl -rdynamic %s", build,
		       setting("BUILD"), program_archive());
	for (int i = 0; i < 5; i++) {
		command_output(folder, "GMON_OPTIONS=images=all ./churn 1000 "
				       "%s", _i ? "rotate" : "");
		flat = command_output(folder, "'%s/gmon' report -b -p churn | "
				      "awk '/four|one|three|two/ { print $4, "
				      "$NF }' | sort -k 2", setting("BUILD"));
		for (int k = 0; k < 4; k++) {
			has(flat, text("3000 %s\n", names[k]));
			has(flat, text("6000 %s_part\n", names[k]));
			if (!_i)
				/* musl's dlclose() unloads nothing */
				has(flat, text("%d %s_end\n",
					       program_is_for_musl() ? 1 : 1000,
					       names[k]));
		}
	}
}
END_TEST

/* A folder with visitor, or null. */
static char *make_visitor(void)
{
	char *folder = directory_make();

	if (!is_native())
		return NULL;
	command_output(folder,
		       "%s -O1 -pg '%s/tests/programs/visitor.c' -B'%s/' "
		       "-o visitor -ldl -rdynamic %s",
		       setting("CC"), setting("SOURCE"), setting("BUILD"),
		       program_archive());
	return folder;
}

static void make_visited(const char *folder, const char *flags,
			 const char *name)
{
	command_output(folder, "%s -O1 -pg -shared -fPIC %s -o %s.so "
			       "'%s/tests/programs/visitor.c'",
		       setting("CC"), flags, name, setting("SOURCE"));
}

static const char *const fates[] = {"keep", "close"};

/* Copies of a file are one library, whatever they are called. */
START_TEST(copies_are_one)
{
	char *folder = make_visitor();
	struct outcome outcome;

	if (!folder)
		return;
	make_visited(folder, "-DBURN=0 -Wl,--build-id", "a");
	command_output(folder, "for i in 1 2 3 4 5 6 7 8 9; do "
			       "cp a.so a$i.so; done");
	outcome = command(folder, "GMON_OPTIONS=images=all ./visitor %s "
				  "./a*.so", fates[_i]);
	ck_assert_msg(outcome.status == 0 && !*outcome.err, "%s", outcome.err);
	has(gmon(folder, "report -b -q visitor"), " 60/60          work [");
}
END_TEST

/* Of two that have one place in the file the second is left out, entirely. */
START_TEST(left_out_is_outside)
{
	char *folder = make_visitor(), *graph;
	struct outcome outcome;

	if (!folder)
		return;
	make_visited(folder, "-DBURN=0 -Wl,--build-id=0xdeadbeefdeadbeef", "a");
	make_visited(folder, "-DBURN=50000000 -DLONGER "
			     "-Wl,--build-id=0xdeadbeefdeadbeef", "b");
	outcome = command(folder, "GMON_OPTIONS=images=all:verbose=1 ./visitor "
				  "%s ./a.so ./b.so", fates[_i]);
	ck_assert_msg(strstr(outcome.err, "b.so is left out") &&
			      strstr(outcome.err, ", 9 outside"),
		      "%s", outcome.err);
	graph = gmon(folder, "report -b -q visitor");
	has(graph, " 6/6           work [");
	ck_assert_int_eq(text_count(graph, " 3/3           main ["), 1);
	ck_assert_ptr_null(strstr(graph, "   <external> [1]      "));
}
END_TEST

/* Its time was in the kernel's ring when the library went. */
START_TEST(rings_are_told_apart)
{
	char *folder = make_visitor();
	struct outcome outcome;

	if (!folder)
		return;
	make_visited(folder, "-DBURN=50000000", "a");
	make_visited(folder, "-DBURN=0 -DLONGER", "b");
	outcome = command(folder, "GMON_OPTIONS=images=all:engine=perf:"
				  "rate=1000 ./visitor close ./a.so ./b.so");
	ck_assert_msg(outcome.status == 0, "%s", outcome.err);
	if (*outcome.err) {
		skip("rings of unloaded libraries: %s", outcome.err);
		return;
	}
	ck_assert_str_eq(command_output(folder,
					"'%s/gmon' report -b -w -p visitor | "
					"awk '$1 + 0 > 90 { print $NF }'",
					setting("BUILD")),
			 "work@a.so\n");
}
END_TEST

/* Eight processes of a real job leave eight files, and these are one picture. */
START_TEST(jobs_are_one_picture)
{
	char *folder = directory_make(), *graph;
	char *build = text("-O1 -fno-inline -pg '%s/tests/programs/job.c'",
			   setting("SOURCE"));

	if (!is_native())
		return;
	if (command("/", "command -v mpirun && echo '#include <mpi.h>' | "
			 "mpicc -xc -c - -o /dev/null").status) {
		skip("a job of 8 processes: there is no mpirun, or no mpi.h");
		return;
	}
	command_output(folder,
		       "gcc %s -DPARTS -shared -fPIC -o libparts.so && "
		       "mpicc %s -B'%s/' -o job -L. -lparts -Wl,-rpath,. && "
		       "mkdir d", build, build, setting("BUILD"));
	ck_assert_str_eq(command_output(folder,
					"OMPI_ALLOW_RUN_AS_ROOT=1 "
					"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
					"PROFDIR=d GMON_OPTIONS=images=all "
					"timeout 100 mpirun --oversubscribe "
					"-np 8 ./job; ls d | wc -l"),
			 "2040000\n8\n");
	gmon(folder, "sum d/*.job");
	graph = gmon(folder, "report -b -q job gmon.sum");
	has(graph, text("%8u/%-8u    __libc_start_call_main", 8, 8));
	has_arc(graph, 8, 8, "main");
	has_arc(graph, 3600, 3600, "share");
	has_arc(graph, 7200, 7200, "part");
	has(graph, "       7/7           ompi_");
	has(graph, "    7         combine [");
}
END_TEST

/* gprof's own profile, but for the functions that it lists with nothing. */
START_TEST(programs_are_as_by_gprof)
{
	static const char *const sources[] = {"mixture.c", "chains.c",
					      "nested.c", "exceptions.cc"};
	static const char filter[] =
		"sed 's/\\[[0-9]*\\]//g; s/ *$//' | grep '[1-9].* ' | "
		"grep -v '^ *%\\|^ *time\\|^granularity\\|^Each' | sort";
	char *program, *folder, *ours;
	struct outcome run;

	if (!is_native() || !program_is_there(sources[_i]))
		return;
	program = program_build(mode_found, sources[_i], "-O1");
	run = program_run_well(program, "");
	folder = text("%s", run.directory);
	ours = command_output(folder, "'%s/gmon' report -b -p '%s' | %s",
			      setting("BUILD"), program, filter);
	ck_assert_str_ne(ours, "");
	ck_assert_str_eq(ours, command_output(folder,
					      "%s -b -p '%s' gmon.out | %s",
					      setting("GPROF"), program,
					      filter));
}
END_TEST

/* The picture is one, with every hot function and its share. */
START_TEST(pictures_are_drawn)
{
	char *folder, *plain;
	struct outcome outcome;

	if (!is_native())
		return;
	folder = make_tower("");
	command_output(folder, "GMON_OPTIONS=images=all:rate=1000 ./tower");
	gmon(folder, "graph -o tower.dot tower");
	outcome = command(folder, "dot -Tplain tower.dot");
	if (outcome_exit(&outcome) == 127) {
		skip("no dot (graphviz): pictures are not drawn");
		return;
	}
	ck_assert_msg(outcome_exit(&outcome) == 0 && !*outcome.err, "%s",
		      outcome.err);
	plain = outcome.out;
	has(plain, "main\\n");
	has(plain, "layer3\\nlibtower3.so\\n");
	has(plain, "work@libtower3.so\\n");
	has(plain, "plugin\\nplugin.so\\n");
	ck_assert_int_ge(text_count(plain, "\nedge "), 6);
}
END_TEST

/* As callgrind_annotate shows so many calls of a library's function. */
static char *called(const char *function, int calls, const char *folder,
		    const char *library)
{
	return text(":%s (%dx) [%s/%s]", function, calls,
		    realpath(folder, NULL), library);
}

/* callgrind_annotate reads it, and finds all time, and who called whom. */
START_TEST(callgrind_is_read)
{
	char *folder, *total;
	struct outcome outcome;

	if (!is_native())
		return;
	folder = make_tower("");
	command_output(folder, "GMON_OPTIONS=images=all:rate=1000 ./tower");
	gmon(folder, "callgrind -o callgrind.out tower");
	outcome = command(folder, "callgrind_annotate --inclusive=yes "
				  "--tree=both --threshold=100 callgrind.out");
	if (outcome_exit(&outcome) == 127) {
		skip("no callgrind_annotate (valgrind): its format is not read");
		return;
	}
	ck_assert_msg(outcome_exit(&outcome) == 0 && !*outcome.err, "%s",
		      outcome.err);
	has(outcome.out, "(100.0%)  PROGRAM TOTALS");
	has(outcome.out, called("layer3", 60, folder, "libtower3.so"));
	has(outcome.out, called("layer2", 30, folder, "libtower2.so"));
	has(outcome.out, called("work@plugin.so", 12, folder, "plugin.so"));
	total = command_output(folder, "sed -n 's/^summary: //p' "
				       "callgrind.out");
	ck_assert_int_gt(atoi(total), 0);
}
END_TEST

Suite *tool_process_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("tool_process", &tcase);

	tcase_add_loop_test(tcase, processes_add_up, 0, 2);
	tcase_add_test(tcase, every_image_has_a_name);
	tcase_add_loop_test(tcase, plugins_are_told_apart, 0, 2);
	tcase_add_loop_test(tcase, unloads_are_told_apart, 0, 2);
	tcase_add_loop_test(tcase, copies_are_one, 0, 2);
	tcase_add_loop_test(tcase, left_out_is_outside, 0, 2);
	tcase_add_test(tcase, rings_are_told_apart);
	tcase_add_test(tcase, jobs_are_one_picture);
	tcase_add_loop_test(tcase, programs_are_as_by_gprof, 0, 4);
	tcase_add_test(tcase, pictures_are_drawn);
	tcase_add_test(tcase, callgrind_is_read);
	return suite;
}
