/* SPDX-License-Identifier: 0BSD */
/*
 * 1000 calls of work(), then the program turns into a daemon, goes elsewhere,
 * gives up its rights or its descriptors, and makes 10 calls more.
 * tests/gprof/strays.c knows what is due.
 */
#include "gone.h"

#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

static void must(int result)
{
	if (result < 0) {
		perror("strays");
		exit(98);
	}
}

static void is_daemon(void)
{
	must(daemon(1, 0));
	work_often(10);
}

static void is_daemon_at_root(void)
{
	must(daemon(0, 0));
	work_often(10);
}

/* The parent leaves by exit(), the one in between by _exit(). */
static void is_daemon_by_hand(void)
{
	pid_t child = fork();

	must(child);
	if (child)
		exit(3);
	must(setsid());
	child = fork();
	must(child);
	if (child)
		_exit(3);
	for (int file = 0; file < 3; file++)
		must(close(file));
	must(open("/dev/null", O_RDWR));
	must(dup(0));
	must(dup(0));
	work_often(10);
}

/* What is opened next gets the numbers of stdin, stdout and stderr. */
static void closes_all(void)
{
	for (int file = 0; file < 2000; file++)
		close(file);
	for (int file = 0; file < 3; file++)
		must(open("mine", O_WRONLY | O_CREAT | O_APPEND, 0644));
	must((int)write(2, "mine\n", 5));
	work_often(10);
}

/* The program's own file gets every number, that of ours too. */
static void takes_all(void)
{
	closes_all();
	for (int file = 3; file < 1100; file++)
		must(dup2(2, file));
}

static void has_none_free(void)
{
	static const struct rlimit none = {3, 3};

	work_often(10);
	must(setrlimit(RLIMIT_NOFILE, &none));
}

static void goes_elsewhere(void)
{
	must(chdir("/proc"));
	work_often(10);
}

static void goes_below(void)
{
	must(mkdir("below", 0777));
	must(chdir("below"));
	work_often(10);
}

static void loses_directory(void)
{
	goes_below();
	must(rmdir("../below"));
}

static void drops_rights(void)
{
	work_often(10);
	must(setgroups(0, NULL));
	must(setgid(65534));
	must(setuid(65534));
}

static void changes_root(void)
{
	goes_below();
	must(chroot("."));
}

static void changes_root_and_drops(void)
{
	changes_root();
	drops_rights();
}

static void masks_all(void)
{
	umask(077);
	work_often(10);
}

static void masks_nothing(void)
{
	umask(0);
	work_often(10);
}

static void limits_size(void)
{
	static const struct rlimit small = {100, 100};

	work_often(10);
	must(setrlimit(RLIMIT_FSIZE, &small));
}

const struct way ways[] = {
	{"daemon", is_daemon},
	{"daemon-at-root", is_daemon_at_root},
	{"daemon-by-hand", is_daemon_by_hand},
	{"closes-all", closes_all},
	{"takes-all", takes_all},
	{"none-free", has_none_free},
	{"elsewhere", goes_elsewhere},
	{"below", goes_below},
	{"directory-lost", loses_directory},
	{"drops-rights", drops_rights},
	{"changes-root", changes_root},
	{"changes-root-and-drops", changes_root_and_drops},
	{"umask-077", masks_all},
	{"umask-0", masks_nothing},
	{"size", limits_size},
	{NULL, NULL},
};
