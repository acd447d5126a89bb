/* SPDX-License-Identifier: 0BSD */
/*
 * 1000 calls of work(), then a signal ends the process, or the program has its
 * own way with the signal, as the first argument says.  tests/gprof/ends.c
 * knows what is due.
 */
#include "gone.h"

#include <assert.h>
#include <dlfcn.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>

static volatile int zero, one = 1;

/* Raises each signal that has a name of its own in the table. */
#define RAISE(SIGNAL)                                                          \
	static void raise_##SIGNAL(void)                                       \
	{                                                                      \
		raise(SIGNAL);                                                 \
	}
RAISE(SIGTERM)
RAISE(SIGINT)
RAISE(SIGHUP)
RAISE(SIGQUIT)
RAISE(SIGSEGV)
RAISE(SIGBUS)
RAISE(SIGFPE)
RAISE(SIGILL)
RAISE(SIGABRT)
RAISE(SIGTRAP)
RAISE(SIGPIPE)
RAISE(SIGALRM)
RAISE(SIGXCPU)
RAISE(SIGXFSZ)
RAISE(SIGUSR1)
RAISE(SIGVTALRM)
RAISE(SIGPROF)
RAISE(SIGIO)
RAISE(SIGPWR)
RAISE(SIGSYS)
RAISE(SIGKILL)
#define RAISED(SIGNAL) {#SIGNAL, raise_##SIGNAL}

static void die_asked(void)
{
	kill(getpid(), SIGTERM);
	wait_forever();
}

/* What dies so on purpose: the undefined-behaviour sanitizer looks away. */
#define ON_PURPOSE __attribute__((no_sanitize("undefined")))

ON_PURPOSE static void die_null(void)
{
	*(volatile int *)(intptr_t)zero = 1;
}

ON_PURPOSE static void die_dividing(void)
{
#if defined __x86_64__ || defined __i386__ || defined __s390x__
	sink = one / zero;
#else
	raise(SIGFPE);
#endif
}

static void die_illegal(void)
{
	__builtin_trap();
}

static void die_beyond_file(void)
{
	FILE *file = tmpfile();
	char *page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fileno(file), 0);

	sink = *(volatile char *)page;
}

static void die_of_pipe(void)
{
	int ends[2];

	if (pipe(ends) == 0 && close(ends[0]) == 0)
		write(ends[1], "x", 1);
}

static void die_of_alarm(void)
{
	struct itimerval soon = {{0, 0}, {0, 3000}};

	setitimer(ITIMER_REAL, &soon, NULL);
	wait_forever();
}

static void die_of_size(void)
{
	static const struct rlimit limit = {1000000, RLIM_INFINITY};
	FILE *file = tmpfile();

	setrlimit(RLIMIT_FSIZE, &limit);
	ftruncate(fileno(file), 1000001);
}

static void die_aborting(void)
{
	abort();
}

static void die_asserting(void)
{
	freopen("/dev/null", "w", stderr);
	assert(zero);
}

OPAQUE static int overflow(volatile int *above)
{
	volatile int here[1000];

	here[0] = *above + 1;
	return one ? overflow(here) + here[0] : 0;
}

static void die_of_depth(void)
{
	volatile int start = 0;

	sink = overflow(&start);
}

static void *thread_depth(void *argument)
{
	work();
	die_of_depth();
	return argument;
}

static void die_of_depth_in_thread(void)
{
	thread_make(thread_depth);
	wait_forever();
}

static void *thread_null(void *argument)
{
	die_null();
	return argument;
}

static void die_null_in_thread(void)
{
	thread_make(thread_null);
	wait_forever();
}

static void die_in_malloc(void)
{
	struct itimerval soon = {{0, 0}, {0, 3000}};

	setitimer(ITIMER_REAL, &soon, NULL);
	for (size_t size = 1;; size = size * 5 % 99991)
		free(malloc(size));
}

static void die_in_stdio(void)
{
	struct itimerval soon = {{0, 0}, {0, 3000}};
	FILE *file = fopen("/dev/null", "w");

	setitimer(ITIMER_REAL, &soon, NULL);
	for (int i = 0; file; i++)
		fprintf(file, "%d%s", i, i % 64 ? "" : "\n");
}

static void die_in_dlopen(void)
{
	dlopen(plugin, RTLD_NOW);
}

static void die_in_crowd(void)
{
	crowd_make();
	printf("at least %lu\n", crowd_worked());
	fflush(stdout);
	abort();
}

/* Handlers of the program's own. */

static void (*before)(int signal);

/* Who calls a handler with its number alone leaves anything in the rest. */
typedef void full_handler(int signal, long anything, long more);

static void on_signal(int signal)
{
	(void)signal;
	work_often(10);
}

static void kill_by_default(int number)
{
	signal(number, SIG_DFL);
	raise(number);
}

static void on_signal_chain(int signal)
{
	work_often(10);
	if (before == SIG_DFL)
		kill_by_default(signal);
	else if (before != SIG_IGN)
		((full_handler *)(void *)before)(signal, 16, 16);
}

static void on_signal_again(int number)
{
	work_often(10);
	kill_by_default(number);
}

static void live_handling(void)
{
	signal(SIGTERM, on_signal);
	raise(SIGTERM);
}

static void live_handling_fault(void)
{
	struct sigaction action = {.sa_handler = on_signal_again,
				   .sa_flags = SA_ONSTACK};
	static char stack[65536];
	stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};

	sigaltstack(&alternate, NULL);
	sigaction(SIGSEGV, &action, NULL);
	die_of_depth();
}

static void live_ignoring(void)
{
	signal(SIGTERM, SIG_IGN);
	raise(SIGTERM);
}

/* What the shell before us ignores stays ignored. */
static void live_as_before(void)
{
	raise(SIGTERM);
	work_often(10);
}

static void live_waiting(void)
{
	sigset_t terms;
	int signal;

	sigemptyset(&terms);
	sigaddset(&terms, SIGTERM);
	sigprocmask(SIG_BLOCK, &terms, NULL);
	raise(SIGTERM);
	sigwait(&terms, &signal);
	work_often(10);
}

static void die_chaining(void)
{
	before = signal(SIGTERM, on_signal_chain);
	raise(SIGTERM);
}

static void die_again(void)
{
	signal(SIGTERM, on_signal_again);
	raise(SIGTERM);
}

const struct way ways[] = {
	RAISED(SIGTERM),
	RAISED(SIGINT),
	RAISED(SIGHUP),
	RAISED(SIGQUIT),
	RAISED(SIGSEGV),
	RAISED(SIGBUS),
	RAISED(SIGFPE),
	RAISED(SIGILL),
	RAISED(SIGABRT),
	RAISED(SIGTRAP),
	RAISED(SIGPIPE),
	RAISED(SIGALRM),
	RAISED(SIGXCPU),
	RAISED(SIGXFSZ),
	RAISED(SIGUSR1),
	RAISED(SIGVTALRM),
	RAISED(SIGPROF),
	RAISED(SIGIO),
	RAISED(SIGPWR),
	RAISED(SIGSYS),
	RAISED(SIGKILL),
	{"asked", die_asked},
	{"null", die_null},
	{"dividing", die_dividing},
	{"illegal", die_illegal},
	{"beyond-file", die_beyond_file},
	{"pipe", die_of_pipe},
	{"alarm", die_of_alarm},
	{"size", die_of_size},
	{"abort", die_aborting},
	{"assert", die_asserting},
	{"depth", die_of_depth},
	{"depth-in-thread", die_of_depth_in_thread},
	{"null-in-thread", die_null_in_thread},
	{"in-malloc", die_in_malloc},
	{"in-stdio", die_in_stdio},
	{"in-dlopen", die_in_dlopen},
	{"crowd", die_in_crowd},
	{"handling", live_handling},
	{"handling-depth", live_handling_fault},
	{"ignoring", live_ignoring},
	{"as-before", live_as_before},
	{"waiting", live_waiting},
	{"chaining", die_chaining},
	{"again", die_again},
	{NULL, NULL},
};
