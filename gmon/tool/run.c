/* SPDX-License-Identifier: 0BSD */
/* Running other programs. */
#include "gmon/tool/run.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int spawn(pid_t *pid, char *const *argv, int input, int output)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t keys;
	int error;

	posix_spawn_file_actions_init(&actions);
	if (input >= 0)
		posix_spawn_file_actions_adddup2(&actions, input, 0);
	if (output >= 0)
		posix_spawn_file_actions_adddup2(&actions, output, 1);
	sigemptyset(&keys);
	sigaddset(&keys, SIGINT);
	sigaddset(&keys, SIGQUIT);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigdefault(&attributes, &keys);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
	error = posix_spawnp(pid, argv[0], &actions, &attributes, argv,
			     environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	return error;
}

int run_program(char *const *argv, int input, int output,
		struct problem *problem)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, old[2];
	int status = 0, error;
	pid_t pid;

	/* the keys that end it must leave us to tidy up, as system(3) does */
	sigaction(SIGINT, &ignore, &old[0]);
	sigaction(SIGQUIT, &ignore, &old[1]);
	error = spawn(&pid, argv, input, output);
	while (!error && waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			error = errno;
	sigaction(SIGINT, &old[0], NULL);
	sigaction(SIGQUIT, &old[1], NULL);
	if (error)
		problem_set(problem, "%s: %s", argv[0], strerror(error));
	else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE)
		return 0;
	else if (WIFSIGNALED(status))
		problem_set(problem, "%s: ended by %s", argv[0],
			    strsignal(WTERMSIG(status)));
	return error || !WIFEXITED(status) ? -1 : WEXITSTATUS(status);
}
