/* SPDX-License-Identifier: 0BSD */
/*
 * Before main: the first hook that the C library runs starts profiling, so
 * that constructors are counted; the last one to run at exit writes.
 *
 * glibc runs .preinit_array first, and hands over (argc, argv, envp): in a
 * dynamic program `environ` is still empty there.  musl ignores that section
 * and hands nothing to .init_array, but has `environ` by then.
 */
#include "gmon/life.h"

#include <errno.h>
#include <unistd.h>

static void begin(int argc, char **argv, char **environment)
{
	if (environ)
		life_begin(environ, program_invocation_name);
	else
		life_begin(environment, argc > 0 ? argv[0] : NULL);
}

typedef void start_hook(int argc, char **argv, char **environment);
typedef void end_hook(void);

#define HOOK(name, type) __attribute__((section(name), used)) static type *const
HOOK(".preinit_array", start_hook) at_preinit = begin;
HOOK(".init_array.00000", start_hook) at_init = begin;
HOOK(".fini_array.00000", end_hook) at_fini = ends_hook;
