/* SPDX-License-Identifier: 0BSD */
/*
 * All suites, in the order in which they run.  Each line SUITE(name) stands
 * for `Suite *name_suite(void)`, defined in a file of the group's folder.
 */
#ifndef TESTS_SUITES_H
#define TESTS_SUITES_H

#include <check.h>

/* tests/unit: C files of the runtime, alone */
#define UNIT_SUITES(SUITE) \
	SUITE(unit_arcs) \
	SUITE(unit_spread) \
	SUITE(unit_shared) \
	SUITE(unit_histogram) \
	SUITE(unit_bins) \
	SUITE(unit_profil) \
	SUITE(unit_sprofil) \
	SUITE(unit_threads) \
	SUITE(unit_merge) \
	SUITE(unit_write) \
	SUITE(unit_bsd) \
	SUITE(unit_name) \
	SUITE(unit_options) \
	SUITE(unit_signals) \
	SUITE(unit_output) \
	SUITE(unit_held) \
	SUITE(unit_owned) \
	SUITE(unit_quiet) \
	SUITE(unit_warn) \
	SUITE(unit_clocks) \
	SUITE(unit_tasks) \
	SUITE(unit_altstack) \
	SUITE(unit_pages) \
	SUITE(unit_bytes) \
	SUITE(unit_state) \
	SUITE(unit_images) \
	SUITE(unit_aside) \
	SUITE(unit_aliases) \
	SUITE(unit_begin) \
	SUITE(unit_gmon) \
	SUITE(unit_profile) \
	SUITE(unit_summary) \
	SUITE(unit_fork) \
	SUITE(unit_ends) \
	SUITE(unit_unload) \
	SUITE(unit_instrument) \
	SUITE(unit_record) \
	SUITE(unit_caller) \
	SUITE(unit_sampler) \
	SUITE(unit_timer) \
	SUITE(unit_process) \
	SUITE(unit_perf) \
	SUITE(unit_fatal) \
	SUITE(unit_alone) \
	SUITE(unit_musl) \
	SUITE(unit_preload) \
	SUITE(unit_start) \
	SUITE(unit_unwind) \
	SUITE(unit_steps) \
	SUITE(unit_storm) \
	SUITE(unit_races)

/* tests/gprof: programs, judged by stock gprof */
#define GPROF_SUITES(SUITE)                                                    \
	SUITE(control)                                                         \
	SUITE(counts)                                                          \
	SUITE(ends)                                                            \
	SUITE(entries)                                                         \
	SUITE(faults)                                                          \
	SUITE(files)                                                           \
	SUITE(hostile)                                                         \
	SUITE(lifetime)                                                        \
	SUITE(names)                                                           \
	SUITE(refusal)                                                         \
	SUITE(sanitized)                                                       \
	SUITE(sizes)                                                           \
	SUITE(strays)                                                          \
	SUITE(times)                                                           \
	SUITE(profil_programs)                                                 \
	SUITE(engines)                                                         \
	SUITE(shares)                                                          \
	SUITE(trust)                                                           \
	SUITE(thread_counts)                                                   \
	SUITE(thread_handlers)                                                 \
	SUITE(thread_forks)                                                    \
	SUITE(thread_execs)                                                    \
	SUITE(thread_times)                                                    \
	SUITE(thread_windows)

/* tests/tool: the gmon command, where it can be built */
#ifdef WITHOUT_TOOL
#define TOOL_SUITES(SUITE)
#else
#define TOOL_SUITES(SUITE) \
	SUITE(tool_reader) \
	SUITE(tool_sums) \
	SUITE(tool_symbols) \
	SUITE(tool_times) \
	SUITE(tool_command) \
	SUITE(tool_process)
#endif

/* tests/shape: the objects and the sources themselves */
#define SHAPE_SUITES(SUITE) \
	SUITE(exports) \
	SUITE(layers) \
	SUITE(objects) \
	SUITE(pages)

/* tests/ways: every way in, as an install makes it */
#define WAYS_SUITES(SUITE) \
	SUITE(install) \
	SUITE(wrapper) \
	SUITE(preload) \
	SUITE(libcs) \
	SUITE(builds) \
	SUITE(package) \
	SUITE(ways)

#define ALL_SUITES(SUITE) \
	UNIT_SUITES(SUITE) \
	GPROF_SUITES(SUITE) \
	TOOL_SUITES(SUITE) \
	SHAPE_SUITES(SUITE) \
	WAYS_SUITES(SUITE)

#define SUITE_DECLARE(name) Suite *name##_suite(void);
ALL_SUITES(SUITE_DECLARE)
#undef SUITE_DECLARE

#endif
