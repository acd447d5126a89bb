/* SPDX-License-Identifier: 0BSD */
/* Which signals are caught, and that a process dies of them all the same. */
#include "gmon/fatal.h"
#include "gmon/kernel.h"
#include "gmon/pages.h"
#include "tests/harness.h"
#include "tests/suites.h"
#include "tests/unit/calls.h"
#include "tests/unit/tools.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>

/* What a process that has died since did before. */
static struct {
	int written, sent; /* how often */
	const char *at;	   /* where the stack was */
} *seen;

static bool is_refusing;
static int pages_asked;

void *pages_map(size_t size, enum pages_in_child in_child)
{
	ck_assert_int_eq(in_child, PAGES_KEPT);
	pages_asked++;
	return is_refusing ? NULL : aligned_alloc(65536, size);
}

static void write_profile(void)
{
	char here;

	seen->written++;
	seen->at = &here;
}

static bool watch(long number, const long *arguments, long *result)
{
	(void)arguments;
	(void)result;
	seen->sent += number == SYS_tgkill;
	return false;
}

/* All signals as a program finds them, and not those of the runner. */
static void begin(void)
{
	const struct rlimit no_core = {0, 0};

	seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	calls_answer = watch;
	setrlimit(RLIMIT_CORE, &no_core);
	for (int signal = 1; signal <= SIGRTMAX; signal++)
		if (signal < 32 || signal >= SIGRTMIN)
			sigaction(signal, &(struct sigaction){0}, NULL);
}

static void ignore_call(int signal)
{
	(void)signal;
}

static void take_all(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)info;
	(void)context;
}

/* How a child ends that does `what` with a signal. */
static int death(void (*what)(int signal), int signal)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		what(signal);
		_exit(0);
	}
	waitpid(child, &status, WUNTRACED);
	if (WIFSTOPPED(status))
		kill(child, SIGKILL);
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void raise_it(int signal)
{
	raise(signal);
}

/* The kernel knows which end a process.  Real-time signals are not caught. */
START_TEST(catches_what_kills)
{
	struct sigaction now;

	begin();
	if (_i == SIGKILL || _i == SIGSTOP)
		return;
	if (death(raise_it, _i)) {
		fatal_start(write_profile);
		sigaction(_i, NULL, &now);
		ck_assert_int_eq(now.sa_flags & (SA_SIGINFO | SA_ONSTACK),
				 SA_SIGINFO | SA_ONSTACK);
		ck_assert_int_eq(death(raise_it, _i), _i);
		ck_assert_int_eq(seen->written, 1);
	} else {
		fatal_start(write_profile);
		sigaction(_i, NULL, &now);
		ck_assert(now.sa_handler == SIG_DFL);
	}
}
END_TEST

static const struct sigaction theirs[] = {
	{.sa_handler = SIG_IGN},
	{.sa_handler = ignore_call},
	{.sa_sigaction = take_all, .sa_flags = SA_SIGINFO},
	/* a flag and no handler is the default's */
	{.sa_handler = SIG_DFL, .sa_flags = SA_RESTART},
};

START_TEST(leaves_what_is_theirs)
{
	struct sigaction now;

	begin();
	sigaction(SIGTERM, &theirs[_i], NULL);
	fatal_start(write_profile);
	sigaction(SIGTERM, NULL, &now);
	ck_assert((now.sa_handler == theirs[_i].sa_handler) == (_i != 3));
	sigaction(SIGHUP, NULL, &now);
	ck_assert(now.sa_handler != SIG_DFL);
}
END_TEST

static char *nowhere;

static void fault(int signal)
{
	(void)signal;
	*(volatile char *)nowhere = 1;
}

static void send(int signal)
{
	kill(getpid(), signal);
}

static volatile int depth_limit = 1000000000;

static int overflow(int depth)
{
	volatile char frame[4096];

	frame[depth % 4096] = (char)depth;
	return depth >= depth_limit ? 0
				    : overflow(depth + 1) + frame[depth % 4096];
}

static void overflow_stack(int signal)
{
	const struct rlimit small = {1 << 20, 1 << 20};
	void *memory = NULL;

	(void)signal;
	setrlimit(RLIMIT_STACK, &small);
	fatal_attach(&memory);
	overflow(0);
}

/* Sent by the kernel itself, and not for an instruction. */
static void expire(int signal)
{
	const struct itimerval soon = {.it_value.tv_usec = 1};

	(void)signal;
	setitimer(ITIMER_REAL, &soon, NULL);
	pause();
}

/* A handler of the program's calls what it found there, without more. */
static void call_ours(int signal)
{
	struct sigaction ours;

	sigaction(signal, NULL, &ours);
	ours.sa_sigaction(signal, (siginfo_t *)nowhere, nowhere);
}

static const struct {
	void (*what)(int signal);
	int signal, sent;
} deaths[] = {
	{fault, SIGSEGV, 0}, /* the instruction itself does it again */
	{overflow_stack, SIGSEGV, 0},
	{send, SIGSEGV, 1}, /* no instruction is to blame */
	{send, SIGFPE, 1},
	{send, SIGTERM, 1},
	{expire, SIGALRM, 1},
	{call_ours, SIGSEGV, 1},
	{call_ours, SIGTERM, 1},
};

START_TEST(dies_as_before)
{
	begin();
	nowhere = mmap(NULL, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	fatal_start(write_profile);
	ck_assert_int_eq(death(deaths[_i].what, deaths[_i].signal),
			 deaths[_i].signal);
	ck_assert_int_eq(seen->written, 1);
	ck_assert_int_eq(seen->sent, deaths[_i].sent);
}
END_TEST

static void check_blocked(void)
{
	for (int signal = 1; signal < 32; signal++)
		if (signal != SIGKILL && signal != SIGSTOP)
			seen->sent += !signal_is_blocked(signal);
	seen->written++;
}

/* While it writes nothing comes between. */
START_TEST(writes_alone)
{
	begin();
	calls_answer = NULL;
	fatal_start(check_blocked);
	ck_assert_int_eq(death(send, SIGTERM), SIGTERM);
	ck_assert_int_eq(seen->written, 1);
	ck_assert_int_eq(seen->sent, 0);
}
END_TEST

static stack_t current_stack(void)
{
	stack_t stack;

	sigaltstack(NULL, &stack);
	return stack;
}

/* Only where it is wanted, and where there is none; the next owner's, too. */
START_TEST(alternate_stacks)
{
	const stack_t none = {.ss_flags = SS_DISABLE};
	stack_t own = {.ss_sp = malloc(65536), .ss_size = 65536};
	void *memory = NULL;

	begin();
	sigaltstack(&none, NULL);
	fatal_attach(&memory);
	ck_assert_ptr_null(memory);
	ck_assert_int_eq(current_stack().ss_flags, SS_DISABLE);
	fatal_start(write_profile);
	fatal_attach(&memory);
	ck_assert_ptr_nonnull(memory);
	ck_assert_int_eq(current_stack().ss_flags, 0);
	ck_assert_ptr_eq(current_stack().ss_sp, memory);
	ck_assert_uint_eq(current_stack().ss_size, 262144);
	fatal_attach(&memory);
	sigaltstack(&none, NULL);
	fatal_attach(&memory);
	ck_assert_ptr_eq(current_stack().ss_sp, memory);
	ck_assert_int_eq(pages_asked, 1);
	sigaltstack(&own, NULL);
	memory = NULL;
	fatal_attach(&memory);
	ck_assert_ptr_null(memory);
	ck_assert_ptr_eq(current_stack().ss_sp, own.ss_sp);
}
END_TEST

START_TEST(no_memory_for_it)
{
	void *memory = NULL;

	begin();
	fatal_start(write_profile);
	sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
	is_refusing = true;
	fatal_attach(&memory);
	ck_assert_ptr_null(memory);
	ck_assert_int_eq(pages_asked, 1);
	ck_assert_int_eq(current_stack().ss_flags, SS_DISABLE);
}
END_TEST

/* The handler runs on it. */
START_TEST(runs_on_it)
{
	void *memory = NULL;

	begin();
	fatal_start(write_profile);
	sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
	fatal_attach(&memory);
	ck_assert_int_eq(death(send, SIGTERM), SIGTERM);
	ck_assert(seen->at >= (char *)memory &&
		  seen->at < (char *)memory + 262144);
}
END_TEST

/* A signal that asks for a snapshot: the program goes on, in its calls, too. */
START_TEST(dumps)
{
	struct sigaction now;
	void *memory = NULL;

	begin();
	fatal_dump_on(SIGUSR2, check_blocked);
	raise(SIGUSR2);
	raise(SIGUSR2);
	ck_assert_int_eq(seen->written, 2);
	ck_assert_int_eq(seen->sent, 0);
	sigaction(SIGUSR2, NULL, &now);
	ck_assert_int_eq(now.sa_flags & (SA_RESTART | SA_ONSTACK),
			 SA_RESTART | SA_ONSTACK);
	/* that alone needs no stack; nor is it taken for a fatal one */
	fatal_attach(&memory);
	ck_assert_ptr_null(memory);
	fatal_start(write_profile);
	raise(SIGUSR2);
	ck_assert_int_eq(seen->written, 3);
}
END_TEST

Suite *unit_fatal_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_fatal", &tcase);

	tcase_add_loop_test(tcase, catches_what_kills, 1, 32);
	tcase_add_loop_test(tcase, leaves_what_is_theirs, 0,
			    sizeof theirs / sizeof *theirs);
	tcase_add_loop_test(tcase, dies_as_before, 0,
			    sizeof deaths / sizeof *deaths);
	tcase_add_test(tcase, writes_alone);
	tcase_add_test(tcase, alternate_stacks);
	tcase_add_test(tcase, no_memory_for_it);
	tcase_add_test(tcase, runs_on_it);
	tcase_add_test(tcase, dumps);
	return suite;
}
