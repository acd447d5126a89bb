/* SPDX-License-Identifier: 0BSD */
/* Installing into a folder of this run, by the build's own rule. */
#include "tests/ways/prefix.h"
#include "tests/harness.h"
#include "tests/program.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* Suites run side by side, and two makes would build the same files. */
static char *make_in(const char *build, const char *compiler,
		     const char *words)
{
	return text("flock '%s/lock' env -u MAKEFLAGS -u MAKELEVEL make -s "
		    "--no-print-directory -C '%s' BUILD='%s' CC='%s' %s",
		    setting("BUILD"), setting("SOURCE"), build, compiler,
		    words);
}

char *make_command(const char *words, ...)
{
	va_list arguments;
	char *target;

	va_start(arguments, words);
	target = text_valist(words, arguments);
	va_end(arguments);
	return make_in(setting("BUILD"), setting("CC"), target);
}

char *make_musl_command(const char *words)
{
	return make_in(text("%s/musl", setting("BUILD")), "musl-gcc", words);
}

static bool is_native(void)
{
	return !*setting("RUN") || program_is_checked("valgrind", NULL);
}

bool prefix_has_glibc(void)
{
	if (is_native() && !program_is_for_musl())
		return true;
	skip("ways in on glibc: `make check` for this machine's own compiler "
	     "tests them");
	return false;
}

static bool has_musl_compiler(void)
{
	return command("/", "musl-gcc -dumpmachine").status == 0;
}

bool prefix_has_musl(void)
{
	bool here = is_native() && !program_is_checked("valgrind", NULL) &&
		    !program_is_checked("-fsanitize", NULL);

	if (here && has_musl_compiler())
		return true;
	skip("ways in on musl: %s", here ? "there is no musl-gcc"
					 : "tested natively");
	return false;
}

static void install(const char *prefix)
{
	command_output("/", "%s", make_command("PREFIX=%s install", prefix));
	if (is_native() && !program_is_for_musl() && has_musl_compiler())
		command_output("/", "%s",
			       make_musl_command(text("PREFIX=%s install",
						      prefix)));
}

const char *prefix_path(void)
{
	static char *prefix;
	int lock;

	if (prefix)
		return prefix;
	prefix = text("%s/prefix", getenv("RUN_DIRECTORY"));
	/* suites run beside one another: nobody installs over what is in use */
	lock = open(text("%s.lock", prefix), O_CREAT | O_RDWR | O_CLOEXEC,
		    0600);
	ck_assert(lock >= 0 && flock(lock, LOCK_EX) == 0);
	if (!file_exists(text("%s/complete", prefix))) {
		install(prefix);
		command_output("/", "touch %s/complete", prefix);
	}
	close(lock);
	return prefix;
}

static char *only_match(const char *pattern)
{
	char *path = command_output("/", "ls -d %s", pattern);

	path[strcspn(path, "\n")] = '\0';
	return path;
}

char *prefix_objects(bool musl)
{
	return only_match(text("%s/lib/gcrt/*-%s*", prefix_path(),
			       musl ? "musl" : "gnu"));
}

char *prefix_library(bool musl)
{
	return only_match(text("%s/lib/*-%s*", prefix_path(),
			       musl ? "musl" : "gnu"));
}
