/* SPDX-License-Identifier: 0BSD */
/*
 * sigaltstack(2), wrapped: the ticks come on a thread's alternate stack, since
 * its own may be one of a few KiB that a language runtime switches.  Where a
 * program sets one that is too small for them, the ticks of all its threads
 * come on their own stacks from then on.
 */
#include "profil/sampler.h"

#include <signal.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef AT_MINSIGSTKSZ
#define AT_MINSIGSTKSZ 51
#endif

/*
 * What the kernel pushes, by its own word or at least what we know of it, and
 * twice what our handler takes.
 */
static size_t size_needed(void)
{
	size_t frame = getauxval(AT_MINSIGSTKSZ);
	size_t known = sizeof(siginfo_t) + sizeof(ucontext_t);

	if (known < 2048)
		known = 2048;
	return (frame > known ? frame : known) + 2048;
}

__attribute__((weak, visibility("default"))) int
sigaltstack(const stack_t *restrict stack, stack_t *restrict old)
{
	if (stack && !(stack->ss_flags & SS_DISABLE) &&
	    stack->ss_size < size_needed())
		sampler_leave_alternate_stacks();
	return (int)syscall(SYS_sigaltstack, stack, old);
}
