/* SPDX-License-Identifier: 0BSD */
/* A signal at every instruction: ptrace, and one copy for each. */
#include "tests/unit/stepper.h"
#include "pc.h"

#include <check.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#define SIGNAL_INTERRUPT SIGUSR1 /* the one that comes everywhere */
#define SIGNAL_MARK	 SIGUSR2 /* the tracer is told where we are */

/* What tracer, original and copies tell each other. */
static struct shared {
	bool ended;	       /* the original has finished act */
	uintptr_t interrupted; /* the pc at which the last copy was made */
	char wrong[400];       /* what the first wrong copy says */
} *shared;

static const struct stepper *current;
static volatile bool is_copy;

static void judge(void)
{
	const char *wrong = current->verify(is_copy);

	if (!wrong)
		_exit(0);
	snprintf(shared->wrong, sizeof shared->wrong,
		 "interrupted at %#lx: %s", (unsigned long)shared->interrupted,
		 wrong);
	_exit(1);
}

/* The original waits for its copy, so that there are never more than two. */
static void await_copy(pid_t copy)
{
	int status;

	while (waitpid(copy, &status, 0) < 0)
		if (errno != EINTR)
			_exit(2);
	if (status == 0)
		return;
	if (!shared->wrong[0])
		snprintf(shared->wrong, sizeof shared->wrong,
			 "interrupted at %#lx: ended with status %#x",
			 (unsigned long)shared->interrupted, status);
	_exit(1);
}

static void interrupted(int signal, siginfo_t *info, void *context)
{
	pid_t copy;

	(void)signal;
	(void)info;
	shared->interrupted = pc_of(context);
	copy = fork();
	if (copy == 0) {
		is_copy = true;
		alarm(20); /* a copy that hangs dies of it */
		if (current->copied)
			current->copied();
		current->interrupt();
		return;
	}
	await_copy(copy);
	/* not by a function that act may be in: see step_out */
	raise(SIGNAL_MARK);
}

static void be_stepped(void)
{
	struct sigaction action = {.sa_flags = SA_SIGINFO};

	action.sa_sigaction = interrupted;
	sigaction(SIGNAL_INTERRUPT, &action, NULL);
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
		_exit(77);
	if (current->prepare)
		current->prepare();
	kill(getpid(), SIGNAL_MARK);
	current->act();
	if (!is_copy)
		shared->ended = true;
	judge();
}

/* Let it go on and wait; the signal it stopped with, 0 if it ended. */
static int go_on(pid_t process, bool step, int signal)
{
	int status = 0;

	ptrace(step ? PTRACE_SINGLESTEP : PTRACE_CONT, process, NULL,
	       (void *)(intptr_t)signal);
	if (waitpid(process, &status, __WALL) != process)
		return 0;
	return WIFSTOPPED(status) ? WSTOPSIG(status) : 0;
}

static uintptr_t pc_now(pid_t process)
{
	siginfo_t info;

	/* of a trap after one instruction: where it stopped */
	if (ptrace(PTRACE_GETSIGINFO, process, NULL, &info) != 0)
		return 0;
	return (uintptr_t)info.si_addr;
}

/*
 * Step from the mark in the handler back to where it came from, which no code
 * on the way out of the handler can be taken for.
 */
static bool step_out(pid_t process)
{
	for (int steps = 0; steps < 1000; steps++)
		if (go_on(process, true, 0) != SIGTRAP)
			return false;
		else if (pc_now(process) == shared->interrupted)
			return true;
	return false;
}

/* Interrupt it here; false if that ended it. */
static bool interrupt_here(pid_t process)
{
	int signal = SIGNAL_INTERRUPT;

	/* while it is blocked it waits, and comes by again; so does SIGCHLD */
	do
		signal = go_on(process, false, signal);
	while (signal && signal != SIGNAL_MARK);
	return signal == SIGNAL_MARK && step_out(process);
}

static int step_through(pid_t process)
{
	int places = 0;

	while (go_on(process, true, 0) == SIGTRAP && !shared->ended &&
	       interrupt_here(process))
		places++;
	if (shared->ended)
		go_on(process, false, 0);
	else if (!shared->wrong[0])
		strcpy(shared->wrong, "it stopped in the middle");
	return places;
}

static void stay_on_this_cpu(void)
{
	cpu_set_t cpu;

	CPU_ZERO(&cpu);
	CPU_SET(sched_getcpu(), &cpu);
	sched_setaffinity(0, sizeof cpu, &cpu);
}

int stepper_run(const struct stepper *stepper)
{
	int status, places = 0;
	pid_t process;

	current = stepper;
	stay_on_this_cpu(); /* three times as fast */
	shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(shared, MAP_FAILED);
	process = fork();
	if (process == 0)
		be_stepped();
	ck_assert_int_eq(waitpid(process, &status, __WALL), process);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		return 0;
	ck_assert(WIFSTOPPED(status) && WSTOPSIG(status) == SIGNAL_MARK);
	places = step_through(process);
	kill(process, SIGKILL);
	ck_assert_msg(!shared->wrong[0], "%s (after %d places)", shared->wrong,
		      places);
	return places;
}
