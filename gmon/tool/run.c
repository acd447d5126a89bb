/* SPDX-License-Identifier: 0BSD */
/* Running other programs. */
#include "gmon/tool/run.h"

#include <errno.h>
#include <fcntl.h>
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

static int wait_for(pid_t pid, int *status)
{
	while (waitpid(pid, status, 0) < 0)
		if (errno != EINTR)
			return errno;
	return 0;
}

static bool write_all(const char *bytes, size_t size, struct problem *problem)
{
	while (size) {
		ssize_t written = write(STDOUT_FILENO, bytes, size);

		if (written < 0 && errno != EINTR)
			return problem_set(problem, "standard output: %s",
					   strerror(errno));
		if (written > 0) {
			bytes += written;
			size -= (size_t)written;
		}
	}
	return true;
}

/* All that comes from the pipe, to standard output. */
static bool copy(int pipe, struct problem *problem)
{
	char bytes[16384];
	ssize_t size;

	while ((size = read(pipe, bytes, sizeof bytes))) {
		if (size < 0 && errno != EINTR)
			return problem_set(problem, "pipe: %s",
					   strerror(errno));
		if (size > 0 && !write_all(bytes, (size_t)size, problem))
			return false;
	}
	return true;
}

/* Run it, and copy what comes from the pipe, if there is one, meanwhile. */
static int run(char *const *argv, int input, int output, const int *pipe,
	       struct problem *problem)
{
	bool copied = true;
	int status = 0;
	pid_t pid;
	int error = spawn(&pid, argv, input, pipe ? pipe[1] : output);

	if (pipe) {
		close(pipe[1]);
		copied = error || copy(pipe[0], problem);
		close(pipe[0]);
	}
	if (!error)
		error = wait_for(pid, &status);
	if (!copied)
		return -1;
	if (error)
		problem_set(problem, "%s: %s", argv[0], strerror(error));
	else if (WIFSIGNALED(status))
		problem_set(problem, "%s: ended by %s", argv[0],
			    strsignal(WTERMSIG(status)));
	return error || !WIFEXITED(status) ? -1 : WEXITSTATUS(status);
}

/* The keys that end it must leave us to tidy up, as system(3) does. */
static int run_quietly(char *const *argv, int input, int output,
		       const int *pipe, struct problem *problem)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, old[2];
	int status;

	sigaction(SIGINT, &ignore, &old[0]);
	sigaction(SIGQUIT, &ignore, &old[1]);
	status = run(argv, input, output, pipe, problem);
	sigaction(SIGINT, &old[0], NULL);
	sigaction(SIGQUIT, &old[1], NULL);
	return status;
}

int run_program(char *const *argv, int input, int output,
		struct problem *problem)
{
	return run_quietly(argv, input, output, NULL, problem);
}

int run_copied(char *const *argv, struct problem *problem)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC)) {
		problem_set(problem, "pipe: %s", strerror(errno));
		return -1;
	}
	return run_quietly(argv, -1, -1, ends, problem);
}
