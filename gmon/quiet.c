/* SPDX-License-Identifier: 0BSD */
/* Writing without SIGXFSZ and SIGPIPE. */
#include "gmon/quiet.h"
#include "gmon/kernel.h"

/* The signal that comes with an error of write, or 0. */
static int signal_of(long result)
{
	return result == -EFBIG ? SIGXFSZ : result == -EPIPE ? SIGPIPE : 0;
}

/* Take a signal that waits behind the mask out of the queue. */
static void drop(int signal)
{
	struct kernel_sigset one = kernel_sigset_of(signal);
	struct {
		long tv_sec, tv_nsec;
	} at_once = {0, 0};

	kernel(SYS_rt_sigtimedwait, &one, NULL, &at_once, sizeof one);
}

long quiet_write(int file, const void *bytes, size_t size)
{
	struct kernel_sigset mask, pending;
	int signal;
	long result;

	kernel_block_signals(&mask);
	kernel(SYS_rt_sigpending, &pending, sizeof pending);
	result = kernel(SYS_write, file, bytes, size);
	signal = signal_of(result);
	if (signal && !kernel_sigset_has(&pending, signal))
		drop(signal);
	kernel_restore_signals(&mask);
	return result;
}
