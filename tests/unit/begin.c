/* SPDX-License-Identifier: 0BSD */
/* How a profile begins: once, in which order, and with what of the text. */
#include "gmon/fatal.h"
#include "gmon/gmon.h"
#include "gmon/held.h"
#include "gmon/kernel.h"
#include "gmon/life.h"
#include "gmon/name.h"
#include "gmon/output.h"
#include "gmon/state.h"
#include "gmon/warn.h"
#include "mcount/mcount.h"
#include "profil/sampler.h"
#include "tests/harness.h"
#include "tests/suites.h"
#include "tests/unit/tools.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <unistd.h>

static struct identity identity;
static struct image program;
static void (*while_starting)(void);
static int name_result, held_result;
static bool is_secure;

unsigned long getauxval(unsigned long type)
{
	return type == AT_SECURE && is_secure;
}

/* Until then nothing can be said. */
void warn_start(void)
{
	ck_assert(signals_are_blocked());
	saying_begin();
	note("warn");
}

void name_start(const char *argv0)
{
	note("name(%s)", argv0);
}

const char *output_start(void)
{
	note("output");
	return "/start";
}

void state_start(const struct options *options)
{
	note("state");
	state.options = *options;
	state.program = program;
	if (while_starting)
		while_starting();
	state.identity = &identity;
}

void threads_start(void (*ending)(struct thread_table *table))
{
	ending(NULL);
}

void sampler_detach(struct thread_table *table)
{
	ck_assert_ptr_null(table);
	note("threads(detach)");
}

void sampler_start(const struct sampler_options *options)
{
	note("sampler(%u,%d,%d,%d)", options->rate, options->signal,
	     options->wall, options->perf);
}

void sampler_leave_alternate_stacks(void)
{
	note("own_stacks");
}

void sampler_every(uint32_t seconds, void (*function)(void))
{
	note("every(%u)", seconds);
	function();
}

void fatal_start(void (*write)(void))
{
	note("fatal");
	write();
}

void fatal_dump_on(int signal, void (*dump)(void))
{
	note("dump_on(%d)", signal);
	dump();
}

void life_end(enum life_end end)
{
	note("end(%d)", end);
}

void life_dump(void)
{
	note("dump");
}

int name_make(char name[PATH_MAX], const struct options *options, int pid,
	      bool child)
{
	ck_assert_int_eq(pid, getpid());
	ck_assert(options->open_at_start && !child);
	strcpy(name, "usual");
	return name_result;
}

int held_open(const char *name)
{
	note("held(%s)", name);
	return held_result;
}

void ends_start(void)
{
	note("ends");
}

void fork_start(void)
{
	note("fork");
}

void moncontrol(int mode)
{
	note("moncontrol(%d)", mode);
}

void mcount_start(void)
{
	ck_assert(signals_are_blocked());
	note("mcount");
}

void mcount_attach(void)
{
	ck_assert(!signals_are_blocked());
	note("attach");
	errno = EIO;
}

void sampler_find_threads(void)
{
	note("find");
}

#define BEFORE(NAME) "warn name(" NAME ") output state threads(detach) "
#define AFTER(ON)    "ends fork moncontrol(" ON ") mcount attach find"
#define SAMPLER	     "sampler(100,23,0,0) "
#define BEGUN	     BEFORE("me") SAMPLER AFTER("1")

static const char *begin(const char *variable)
{
	char *environment[] = {(char *)variable, NULL};

	notes();
	life_begin(environment, "me");
	return notes();
}

/* Twice, in a child that blocks no signals. */
static void fork_and_begin(const char *name)
{
	char *none[] = {NULL};
	pid_t child = fork();
	int status;

	if (child == 0) {
		kernel_restore_signals(&(struct kernel_sigset){{0}});
		life_begin(none, name);
		life_begin(none, name);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
}

START_TEST(begins_once)
{
	errno = 4711;
	ck_assert_str_eq(begin(NULL), BEGUN);
	ck_assert_str_eq(state.images.directory, "/start");
	ck_assert_str_eq(begin("GMON_OPTIONS=start=off"), "");
	ck_assert(!signals_are_blocked());
	ck_assert_int_eq(errno, 4711);
	/* a forked child has it already */
	fork_and_begin("child");
	ck_assert_str_eq(notes(), "");
}
END_TEST

static const struct {
	const char *value, *started;
} options[] = {
	{"rate=250:signal=ALRM", "sampler(250,14,0,0) " AFTER("1")},
	{"clock=wall", "sampler(100,23,1,0) " AFTER("1")},
	{"engine=perf", "sampler(100,23,0,1) " AFTER("1")},
	{"fatal=1", SAMPLER "fatal end(2) " AFTER("1")},
	{"dump=ALRM", SAMPLER "dump_on(14) dump " AFTER("1")},
	{"every=9", SAMPLER "every(9) dump " AFTER("1")},
	{"open=start", SAMPLER "held(usual) " AFTER("1")},
	{"start=off", SAMPLER AFTER("0")},
};

START_TEST(options_start_things)
{
	ck_assert_str_eq(begin(text("GMON_OPTIONS=%s", options[_i].value)),
			 text(BEFORE("me") "%s", options[_i].started));
	ck_assert_str_eq(said(), "");
}
END_TEST

/* Before the signal of the ticks is taken. */
START_TEST(under_valgrind)
{
	const char *done = begin(_i ? "LD_PRELOAD=/lib/libgmon.so.1"
				    : "LD_PRELOAD=a.so:/usr/libexec/valgrind/"
				      "vgpreload_core-amd64-linux.so");

	ck_assert_int_eq(strstr(done, "threads(detach) own_stacks sampler(") !=
				 NULL, !_i);
	ck_assert_int_eq(strstr(done, "own_stacks") != NULL, !_i);
}
END_TEST

/* open=start without a name is for the writer to say. */
START_TEST(nothing_to_hold)
{
	name_result = _i ? 1 : -ENAMETOOLONG;
	ck_assert_str_eq(begin("GMON_OPTIONS=open=start"), BEGUN);
	ck_assert_str_eq(said(), "");
}
END_TEST

START_TEST(cannot_hold)
{
	held_result = -EACCES;
	begin("GMON_OPTIONS=open=start");
	ck_assert_str_eq(said(), "gcrt: cannot open usual at start: Permission "
				 "denied; trying again at exit\n");
}
END_TEST

/* What runs with more rights than its caller does not ask the caller. */
START_TEST(untrusted)
{
	is_secure = _i;
	begin("GMON_OPTIONS=start=off:nonsense");
	ck_assert_int_eq(state.is_untrusted, is_secure);
	ck_assert_int_eq(state.options.start, is_secure);
	ck_assert_int_eq(lines_said(), !is_secure);
}
END_TEST

static const struct {
	const char *value;
	bool bsd, all_images;
	int lines;
} formats[] = {
	{"format=bsd", true, false, 0},
	{"images=all", false, true, 0},
	{"format=bsd:images=all", false, true, 1},
};

START_TEST(format_for_all_images)
{
	begin(text("GMON_OPTIONS=%s", formats[_i].value));
	ck_assert_int_eq(state.options.bsd, formats[_i].bsd);
	ck_assert_int_eq(state.options.all_images, formats[_i].all_images);
	ck_assert_int_eq(lines_said(), formats[_i].lines);
}
END_TEST

/* Another thread asks while the first is at it; so does a child it forks. */
static void ask_again(void)
{
	char *none[] = {NULL};

	while_starting = NULL;
	notes();
	life_begin(none, "me");
	ck_assert_str_eq(notes(), "");
	fork_and_begin("child");
	ck_assert_str_eq(notes(), BEFORE("child") SAMPLER AFTER("1"));
}

START_TEST(begins_at_once)
{
	while_starting = ask_again;
	ck_assert_str_eq(begin(NULL), "threads(detach) " SAMPLER AFTER("1"));
}
END_TEST

START_TEST(empty_range)
{
	saying_begin();
	monstartup(0x2000, _i ? 0x2000 : 0x1000);
	ck_assert_str_eq(said(),
			 "gcrt: monstartup: the range is empty, ignored\n");
	ck_assert_str_eq(notes(), "");
}
END_TEST

/* Off by option, and on afterwards; the second call changes the range. */
START_TEST(monstartup_begins)
{
	setenv("GMON_OPTIONS", "start=off", 1);
	program = (struct image){.lowpc = 0x1000, .highpc = 0x2000};
	monstartup(0x1000, 0x2000);
	ck_assert_str_eq(notes(),
			 text(BEFORE("%s") SAMPLER AFTER("0") " moncontrol(1)",
			      program_invocation_name));
	monstartup(0x1800, 0x2000);
	ck_assert_str_eq(notes(), "moncontrol(1)");
	ck_assert_uint_eq(state.profiled.lowpc, 0x1800);
	monstartup(0, 0x3000);
	ck_assert_uint_eq(state.profiled.lowpc, 0x1000);
	ck_assert_uint_eq(state.program.lowpc, 0x1000);
}
END_TEST

/* Text [0x1008, 0x2004) at link time, and what is left of it. */
enum { LOW = 0x1008, HIGH = 0x2004 };
static const struct {
	uintptr_t lowpc, highpc; /* asked for, less the bias */
	uintptr_t left_lowpc, left_highpc;
} ranges[] = {
	{LOW, HIGH, LOW, HIGH},
	{0x1000, HIGH, LOW, HIGH}, /* from the ELF header on */
	{0x1000, 0x9000, LOW, HIGH},
	{0x1400, 0x1800, 0x1400, 0x1800},
	{0x1400, 0x9000, 0x1400, HIGH},
	{0x1000, 0x1800, LOW, 0x1800},
	/* whole bins, but no byte more than was asked for at the end */
	{0x1409, 0x1801, 0x1408, 0x1801},
	/* beside it */
	{0x1000, 0x1004, LOW, LOW},
	{0x1000, LOW, LOW, LOW},
	{0x3000, 0x9000, LOW, LOW},
	{0x3000, 0x3004, LOW, LOW},
};

/* Where it runs as linked, above that, and below: the bias wraps. */
static const uintptr_t biases[] = {0, 0x555000, -(uintptr_t)0x1000};

START_TEST(narrows)
{
	enum { COUNT = sizeof ranges / sizeof *ranges };
	uintptr_t bias = biases[_i / COUNT];

	program = (struct image){.lowpc = LOW, .highpc = HIGH, .bias = bias};
	monstartup(ranges[_i % COUNT].lowpc + bias,
		   ranges[_i % COUNT].highpc + bias);
	ck_assert_uint_eq(state.profiled.lowpc, ranges[_i % COUNT].left_lowpc);
	ck_assert_uint_eq(state.profiled.highpc,
			  ranges[_i % COUNT].left_highpc);
	ck_assert_uint_eq(state.profiled.bias, bias);
}
END_TEST

/* Less the bias it would end far above the text. */
START_TEST(below_the_bias)
{
	program = (struct image){.lowpc = LOW, .highpc = HIGH, .bias = 0x7000};
	monstartup(0x1000, 0x6000);
	ck_assert_uint_eq(state.profiled.lowpc, LOW);
	ck_assert_uint_eq(state.profiled.highpc, LOW);
}
END_TEST

/* So far above the text that less the bias it wraps. */
START_TEST(above_all)
{
	program = (struct image){.lowpc = LOW, .highpc = HIGH,
				 .bias = -(uintptr_t)0x1000};
	monstartup(-(uintptr_t)0x800, -(uintptr_t)0x400);
	ck_assert_uint_eq(state.profiled.lowpc, LOW);
	ck_assert_uint_eq(state.profiled.highpc, LOW);
}
END_TEST

/* Behind text that ends within a bin. */
START_TEST(behind_half_a_bin)
{
	program = (struct image){.lowpc = LOW, .highpc = HIGH - 1};
	monstartup(HIGH - 1, 0x9000);
	ck_assert_uint_eq(state.profiled.lowpc, state.profiled.highpc);
}
END_TEST

Suite *unit_begin_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_begin", &tcase);

	tcase_add_test(tcase, begins_once);
	tcase_add_loop_test(tcase, options_start_things, 0,
			    sizeof options / sizeof *options);
	tcase_add_loop_test(tcase, under_valgrind, 0, 2);
	tcase_add_loop_test(tcase, nothing_to_hold, 0, 2);
	tcase_add_test(tcase, cannot_hold);
	tcase_add_loop_test(tcase, untrusted, 0, 2);
	tcase_add_loop_test(tcase, format_for_all_images, 0,
			    sizeof formats / sizeof *formats);
	tcase_add_test(tcase, begins_at_once);
	tcase_add_loop_test(tcase, empty_range, 0, 2);
	tcase_add_test(tcase, monstartup_begins);
	tcase_add_loop_test(tcase, narrows, 0,
			    3 * sizeof ranges / sizeof *ranges);
	tcase_add_test(tcase, below_the_bias);
	tcase_add_test(tcase, above_all);
	tcase_add_test(tcase, behind_half_a_bin);
	return suite;
}
