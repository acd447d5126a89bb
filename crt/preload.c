/* SPDX-License-Identifier: 0BSD */
/*
 * libgmon.so's start.  The library is preloaded into every program that runs
 * under the variable, most of which are not profiled: it begins at the first
 * counted call, or when the program's own start object calls monstartup, and
 * does nothing in a program that reaches neither.
 *
 * Calls of IFUNC resolvers come before the constructor, when the program's
 * thread-local storage is not there yet; they wait in the shared table.
 */
#include "gmon/kernel.h"
#include "gmon/life.h"
#include "gmon/state.h"
#include "mcount/shared.h"

#include <errno.h>
#include <unistd.h>

static char *const *environment_at_start;
static const char *name_at_start;

static int pid_at_start;

/* A child that was forked before the first counted call is one all the same. */
static void begin(void)
{
	if (!state_started())
		state.forked = kernel_getpid() != pid_at_start;
	life_begin(environment_at_start, name_at_start);
}

/*
 * DT_INIT itself: the compiler's own one would call the program's
 * __gmon_start__, and that monstartup, before any constructor of ours.
 * glibc hands the arguments over; with -z initfirst `environ` is not set.
 */
void gcrt_loaded(int argc, char **argv, char **environment);

void gcrt_loaded(int argc, char **argv, char **environment)
{
	if (environ) {
		environment_at_start = environ;
		name_at_start = program_invocation_name;
	} else {
		environment_at_start = environment;
		name_at_start = argc > 0 ? argv[0] : NULL;
	}
	pid_at_start = kernel_getpid();
	state_starter = begin;
	if (shared_is_used())
		begin();
}

__attribute__((destructor)) static void unloaded(void)
{
	ends_hook();
}
