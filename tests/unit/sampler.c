/* SPDX-License-Identifier: 0BSD */
/* The signal of the ticks and who had it before; the takers; what is begun. */
#include "profil/sampler.h"
#include "gmon/kernel.h"
#include "gmon/state.h"
#include "gmon/warn.h"
#include "profil/engine.h"
#include "tests/harness.h"
#include "tests/suites.h"
#include "tests/unit/tools.h"

#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct state state;
THREADS_TLS struct threads_mine threads_mine;
static struct thread_table table, found;

static bool is_ours = true, was_refused;
static void (*in_tick)(void);
static int ticks;

void timer_start(void)
{
	errno = EPERM;
}

bool timer_tick(const siginfo_t *info, const ucontext_t *context)
{
	ck_assert_ptr_nonnull(info);
	ck_assert_ptr_nonnull(context);
	ticks++;
	if (in_tick)
		in_tick();
	return is_ours;
}

void timer_attach(struct thread_table *attached)
{
	ck_assert_ptr_eq(attached, &table);
	note("timer_attach");
}

void timer_detach(struct thread_table *detached)
{
	ck_assert_ptr_eq(detached, &table);
	note("timer_detach");
}

void timer_apply(void)
{
	note("apply");
}

void timer_apply_blocked(void)
{
	note("apply_blocked");
}

void timer_fork(void)
{
	note("fork");
}

uint32_t timer_rate_max(void)
{
	return 250;
}

void process_every(uint32_t seconds, void (*function)(void))
{
	ck_assert_uint_eq(seconds, 3);
	function();
}

bool process_was_refused(void)
{
	return was_refused;
}

void process_find_threads(void)
{
	note("find");
}

bool perf_attach(struct thread_table *attached)
{
	ck_assert_ptr_eq(attached, &table);
	note("perf_attach");
	return true;
}

void perf_detach(struct thread_table *detached)
{
	ck_assert_ptr_eq(detached, &table);
	note("perf_detach");
}

/* What is drained counts by what was on before. */
void perf_drain(void)
{
	note("%s", sampler_is_wanted() ? "drain_on" : "drain_off");
}

void perf_visit(struct thread_table *visited)
{
	ck_assert_ptr_eq(visited, &table);
	note("perf_visit");
}

struct thread_table *threads_find(struct threads *threads, int tid)
{
	ck_assert_ptr_eq(threads, &state.threads);
	ck_assert_int_eq(tid, kernel_gettid());
	return &found;
}

void warn(const char *format, ...)
{
	note("%s", format);
}

/* SIGUSR1 for the ticks, so that a runner with SIGURG would not matter. */
static void start(uint32_t rate, bool wall, bool perf)
{
	const struct sampler_options options = {
		.rate = rate, .signal = SIGUSR1, .wall = wall, .perf = perf};

	sampler_start(&options);
}

static int got, got_value;

static void take_plain(int signal)
{
	ck_assert_int_eq(signal, SIGUSR1);
	got++;
}

static void take_all(int signal, siginfo_t *info, void *context)
{
	ck_assert_ptr_nonnull(context);
	got_value = info->si_value.sival_int;
	take_plain(signal);
}

static const struct {
	struct sigaction before;
	int passed, value;
} befores[] = {
	{{.sa_handler = SIG_DFL}, 0, 0},
	{{.sa_handler = SIG_IGN}, 0, 0},
	{{.sa_handler = take_plain}, 1, 0},
	{{.sa_sigaction = take_all, .sa_flags = SA_SIGINFO}, 1, 4711},
};

/* A signal that is no tick goes where it would have gone. */
START_TEST(passes_on)
{
	sigaction(SIGUSR1, &befores[_i].before, NULL);
	start(100, false, false);
	sigqueue(getpid(), SIGUSR1, (union sigval){.sival_int = 4711});
	ck_assert_int_eq(ticks, 1);
	ck_assert_int_eq(got, 0);
	is_ours = false;
	sigqueue(getpid(), SIGUSR1, (union sigval){.sival_int = 4711});
	ck_assert_int_eq(ticks, 2);
	ck_assert_int_eq(got, befores[_i].passed);
	ck_assert_int_eq(got_value, befores[_i].value);
}
END_TEST

static void check_blocked(void)
{
	for (int signal = 1; signal < 32; signal++)
		if (signal != SIGKILL && signal != SIGSTOP)
			ck_assert_int_eq(signal_is_blocked(signal), 1);
}

/* No other handler comes between; calls go on; errno is the program's. */
START_TEST(takes_the_signal)
{
	struct sigaction now;

	errno = 4711;
	start(100, false, false);
	ck_assert_int_eq(errno, 4711);
	in_tick = check_blocked;
	raise(SIGUSR1);
	ck_assert_int_eq(ticks, 1);
	sigaction(SIGUSR1, NULL, &now);
	ck_assert_int_eq(now.sa_flags & (SA_RESTART | SA_SIGINFO | SA_ONSTACK),
			 SA_RESTART | SA_SIGINFO | SA_ONSTACK);
	ck_assert_int_eq(now.sa_flags & (SA_NODEFER | (int)SA_RESETHAND), 0);
}
END_TEST

static int stack_flag(void)
{
	struct sigaction now;

	sigaction(SIGUSR1, NULL, &now);
	return now.sa_flags & SA_ONSTACK;
}

START_TEST(leaves_alternate_stacks)
{
	start(100, false, false);
	ck_assert_int_ne(stack_flag(), 0);
	sampler_leave_alternate_stacks();
	ck_assert_int_eq(stack_flag(), 0);
	raise(SIGUSR1);
	ck_assert_int_eq(ticks, 1);
	ck_assert_ptr_null(sampler_complaint());
}
END_TEST

/* Before the start there is no signal yet, but the start knows. */
START_TEST(left_before_start)
{
	sampler_leave_alternate_stacks();
	start(100, false, false);
	ck_assert_int_eq(stack_flag(), 0);
}
END_TEST

/* What the program put over it stays, and is complained about. */
START_TEST(taken_over)
{
	struct sigaction theirs = befores[_i].before, now;

	start(100, false, false);
	ck_assert_ptr_null(sampler_complaint());
	was_refused = true;
	ck_assert_ptr_nonnull(strstr(sampler_complaint(), "refused timers"));
	sigaction(SIGUSR1, &theirs, NULL);
	sampler_leave_alternate_stacks();
	sigaction(SIGUSR1, NULL, &now);
	ck_assert_ptr_eq(now.sa_handler, theirs.sa_handler);
	ck_assert_ptr_nonnull(strstr(sampler_complaint(), "took over"));
}
END_TEST

static const struct {
	uint32_t asked;
	bool wall, perf;
	uint32_t rate, reached;
	const char *said;
} rates[] = {
	{100, false, false, 100, 100, ""},
	{249, false, false, 249, 249, ""},
	{100000, false, false, 100000, 250, ""}, /* an overrun says how many */
	{100000, true, false, 100000, 100000, ""},
	{1000, false, true, 1000, 1000, ""},
	{20000, false, true, 20000, 20000, ""},
	{20001, false, true, 20000, 20000,
	 "engine=perf: rate=%u is the highest"},
	{100000, true, true, 100000, 100000, ""}, /* rings know no wall */
};

START_TEST(limits_the_rate)
{
	start(rates[_i].asked, rates[_i].wall, rates[_i].perf);
	ck_assert_str_eq(notes(), rates[_i].said);
	ck_assert_uint_eq(sampler_rate(), rates[_i].rate);
	ck_assert_uint_eq(sampler_rate_reached(), rates[_i].reached);
	ck_assert_int_eq(sampler.period, NS_PER_S / rates[_i].rate);
	ck_assert(sampler.perf == (rates[_i].perf && !rates[_i].wall));
	ck_assert(sampler.wall == rates[_i].wall);
	ck_assert_int_eq(sampler.signal, SIGUSR1);
	sampler_settle();
	ck_assert_str_eq(notes(), sampler.perf ? "drain_off" : "");
}
END_TEST

static bool take_for_gmon(struct thread_ticks *from, uintptr_t pc,
			  uint32_t weight)
{
	ck_assert_ptr_eq(from, &table.ticks);
	ck_assert_uint_eq(pc, 0x1234);
	note("gmon:%u", weight);
	return weight < 5;
}

static bool take_for_profil(struct thread_ticks *from, uintptr_t pc,
			    uint32_t weight)
{
	ck_assert_ptr_eq(from, &table.ticks);
	ck_assert_uint_eq(pc, 0x1234);
	note("profil:%u", weight);
	return true;
}

/* Each tick goes to all that are on; what cannot be kept is counted so. */
START_TEST(two_takers)
{
	start(100, false, true);
	sampler_deliver(&table.ticks, 0x1234, 1);
	ck_assert_str_eq(notes(), "");
	sampler_turn(TAKER_GMON, take_for_gmon, true);
	ck_assert_str_eq(notes(), "drain_off apply");
	sampler_deliver(&table.ticks, 0x1234, 2);
	ck_assert_str_eq(notes(), "gmon:2");
	sampler_turn(TAKER_PROFIL, take_for_profil, true);
	ck_assert_str_eq(notes(), "drain_on apply");
	sampler_deliver(&table.ticks, 0x1234, 3);
	ck_assert_str_eq(notes(), "gmon:3 profil:3");
	ck_assert_uint_eq(table.ticks.held, 0);
	sampler_deliver(&table.ticks, 0x1234, 5);
	ck_assert_str_eq(notes(), "gmon:5 profil:5");
	ck_assert_uint_eq(table.ticks.held, 5);
	sampler_turn(TAKER_GMON, NULL, false);
	ck_assert_str_eq(notes(), "drain_on apply");
	ck_assert(sampler_is_wanted());
	sampler_deliver(&table.ticks, 0x1234, 7);
	ck_assert_str_eq(notes(), "profil:7");
	ck_assert_uint_eq(table.ticks.held, 5);
	sampler_turn(TAKER_PROFIL, NULL, false);
	ck_assert_str_eq(notes(), "drain_on apply");
	ck_assert(!sampler_is_wanted());
}
END_TEST

/* Nothing of a dead owner is left; the ring comes before its timer. */
START_TEST(attaches)
{
	struct kernel_sigset mask;

	start(100, false, _i);
	memset(&mask, 0xff, sizeof mask);
	sampler_attach(&table, &mask);
	ck_assert_str_eq(notes(), text("timer_detach perf_detach %s"
				       "timer_attach apply_blocked",
				       _i ? "perf_attach " : ""));
	for (int signal = 1; signal <= KERNEL_SIGNALS; signal++)
		ck_assert_int_eq(kernel_sigset_has(&mask, signal),
				 signal != SIGUSR1);
	sampler_detach(&table);
	ck_assert_str_eq(notes(), "timer_detach perf_detach");
	ck_assert_ptr_eq(sampler_my_table(), &found);
	threads_mine.table = &table;
	ck_assert_ptr_eq(sampler_my_table(), &table);
}
END_TEST

static void every(void)
{
	note("every");
}

START_TEST(asks_its_parts)
{
	sigset_t blocked;

	start(100, false, false);
	sigfillset(&blocked);
	pthread_sigmask(SIG_BLOCK, &blocked, NULL);
	sampler_visit(&table);
	ck_assert_str_eq(notes(), "perf_visit");
	ck_assert_int_eq(signal_is_blocked(SIGUSR1), 0);
	ck_assert_int_eq(signal_is_blocked(SIGUSR2), 1);
	sampler_find_threads();
	sampler_every(3, every);
	sampler_fork();
	ck_assert_str_eq(notes(), "find every fork");
}
END_TEST

Suite *unit_sampler_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_sampler", &tcase);

	tcase_add_loop_test(tcase, passes_on, 0,
			    sizeof befores / sizeof *befores);
	tcase_add_test(tcase, takes_the_signal);
	tcase_add_test(tcase, leaves_alternate_stacks);
	tcase_add_test(tcase, left_before_start);
	tcase_add_loop_test(tcase, taken_over, 0,
			    sizeof befores / sizeof *befores);
	tcase_add_loop_test(tcase, limits_the_rate, 0,
			    sizeof rates / sizeof *rates);
	tcase_add_test(tcase, two_takers);
	tcase_add_loop_test(tcase, attaches, 0, 2);
	tcase_add_test(tcase, asks_its_parts);
	return suite;
}
