/* SPDX-License-Identifier: 0BSD */
/*
 * A signal that waited while it was blocked is seen on its way out of
 * sigprocmask, one that did not is not.  Exits with 0 if both were told apart.
 */
#include "pc.h"

#include <signal.h>
#include <time.h>

static volatile int seen = -1;

static void on_signal(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)info;
	seen = pc_is_after_sigprocmask(context);
}

static int is_seen(void)
{
	int was = seen;

	seen = -1;
	return was;
}

int main(void)
{
	struct sigaction action = {.sa_sigaction = on_signal,
				   .sa_flags = SA_SIGINFO};
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL,
				 .sigev_signo = SIGUSR1};
	struct itimerspec soon = {.it_value = {.tv_nsec = 20000000}};
	sigset_t set;
	timer_t timer;

	sigaction(SIGUSR1, &action, NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	for (int i = 0; i < 3; i++) {
		sigprocmask(SIG_BLOCK, &set, NULL);
		raise(SIGUSR1);
		if (is_seen() != -1)
			return 2;
		sigprocmask(SIG_UNBLOCK, &set, NULL);
		if (is_seen() != 1)
			return 3;
	}
	timer_create(CLOCK_MONOTONIC, &event, &timer);
	for (int i = 0; i < 3; i++) {
		timer_settime(timer, 0, &soon, NULL);
		while (seen == -1)
			;
		if (is_seen() != 0)
			return 4;
	}
	return 0;
}
