/* SPDX-License-Identifier: 0BSD */
/* Writing when a signal comes, and dying of it as if nothing had been. */
#include "gmon/fatal.h"
#include "gmon/kernel.h"
#include "gmon/pages.h"

#include <stdbool.h>
#include <string.h>

/* Those whose default action ends the process (signal(7)), but SIGKILL. */
static const int fatal_signals[] = {
	SIGHUP,	 SIGINT,  SIGQUIT,   SIGILL,  SIGTRAP, SIGABRT, SIGBUS,
	SIGFPE,	 SIGUSR1, SIGSEGV,   SIGUSR2, SIGPIPE, SIGALRM, SIGTERM,
	SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF, SIGIO,   SIGPWR,	SIGSYS,
	SIGSTKFLT,
};

/*
 * The kernel's frame with the widest registers is 11 KiB; the writer's 2.  But
 * handlers of the program that ask for one come here as well, which used to
 * have all of the thread's stack: what is not used costs nothing.
 */
enum { ALTERNATE_STACK_SIZE = 1 << 18 };

static void (*write_last)(void);
static void (*write_dump)(void);

static void set_default(int signal)
{
	struct sigaction action;

	memset(&action, 0, sizeof action);
	action.sa_handler = SIG_DFL;
	kernel_sigaction(signal, &action, NULL);
}

/*
 * Whether the kernel has called: with everything blocked.  A handler of the
 * program that came after ours may call what signal() had told it was there
 * before, and hands over the number and nothing else.
 */
static bool kernel_has_called(void)
{
	struct kernel_sigset mask;

	kernel(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &mask, sizeof mask);
	for (size_t i = 0; i < sizeof fatal_signals / sizeof *fatal_signals;
	     i++)
		if (!kernel_sigset_has(&mask, fatal_signals[i]))
			return false;
	return true;
}

/*
 * A fault of the instruction itself comes again as soon as the handler
 * returns to it, with its own cause and address.  Any other signal is sent
 * again; it waits until the handler is left, since its number is blocked.
 */
static void on_fatal(int signal, siginfo_t *info, void *context)
{
	bool is_fault = (signal == SIGSEGV || signal == SIGBUS ||
			 signal == SIGFPE || signal == SIGILL) &&
			kernel_has_called() && info->si_code > 0;

	(void)context;
	write_last();
	set_default(signal);
	if (!is_fault)
		kernel(SYS_tgkill, kernel_getpid(), kernel_gettid(), signal);
}

static void on_dump(int signal)
{
	(void)signal;
	write_dump();
}

void fatal_start(void (*write)(void))
{
	struct sigaction ours, theirs;

	write_last = write;
	memset(&ours, 0, sizeof ours);
	ours.sa_sigaction = on_fatal;
	ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
	sigfillset(&ours.sa_mask);
	for (size_t i = 0; i < sizeof fatal_signals / sizeof *fatal_signals;
	     i++)
		if (kernel_sigaction(fatal_signals[i], NULL, &theirs) == 0 &&
		    theirs.sa_handler == SIG_DFL)
			kernel_sigaction(fatal_signals[i], &ours, NULL);
}

void fatal_attach(void **memory)
{
	stack_t stack;

	if (!write_last)
		return;
	if (kernel(SYS_sigaltstack, NULL, &stack) < 0 ||
	    !(stack.ss_flags & SS_DISABLE))
		return;
	if (!*memory)
		*memory = pages_map(ALTERNATE_STACK_SIZE, PAGES_KEPT);
	stack.ss_sp = *memory;
	stack.ss_size = ALTERNATE_STACK_SIZE;
	stack.ss_flags = 0;
	if (stack.ss_sp)
		kernel(SYS_sigaltstack, &stack, NULL);
}

void fatal_dump_on(int signal, void (*dump)(void))
{
	struct sigaction ours;

	write_dump = dump;
	memset(&ours, 0, sizeof ours);
	ours.sa_handler = on_dump;
	ours.sa_flags = SA_RESTART | SA_ONSTACK;
	sigfillset(&ours.sa_mask);
	kernel_sigaction(signal, &ours, NULL);
}
