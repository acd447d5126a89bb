/* SPDX-License-Identifier: 0BSD */
/*
 * What a sample costs over an empty handler: catches one signal of the
 * sampler, gives the sampler its handler back, and sends it that same signal
 * again and again.
 *
 * `us` is the time of one such signal, `empty` of one to an empty handler.
 */
#include "clock.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { COUNT = 20000 };

static siginfo_t caught;
static volatile sig_atomic_t is_caught;

static void catch (int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)context;
	if (!is_caught)
		caught = *info;
	is_caught = 1;
}

static void nothing(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)info;
	(void)context;
}

static double time_of_signal(int signal)
{
	double start = seconds(CLOCK_THREAD_CPUTIME_ID);
	int pid = getpid();

	for (int i = 0; i < COUNT; i++)
		syscall(SYS_rt_tgsigqueueinfo, pid, pid, signal, &caught);
	return (seconds(CLOCK_THREAD_CPUTIME_ID) - start) / COUNT * 1e6;
}

int main(void)
{
	static const int signals[] = {SIGURG, SIGPROF};
	struct sigaction theirs = {.sa_handler = SIG_DFL}, ours;
	int signal = 0;

	for (int i = 0; i < 2 && theirs.sa_handler == SIG_DFL; i++) {
		signal = signals[i];
		sigaction(signal, NULL, &theirs);
	}
	if (theirs.sa_handler == SIG_DFL)
		return 2;
	ours = theirs;
	ours.sa_flags |= SA_SIGINFO;
	ours.sa_sigaction = catch;
	sigaction(signal, &ours, NULL);
	while (!is_caught)
		;
	ours.sa_sigaction = nothing;
	sigaction(signal, &ours, NULL);
	time_of_signal(signal);
	printf("empty %.4f\n", time_of_signal(signal));
	sigaction(signal, &theirs, NULL);
	time_of_signal(signal);
	printf("us %.4f\n", time_of_signal(signal));
	return 0;
}
