/* SPDX-License-Identifier: 0BSD */
/* What the sampler must know of 64-bit RISC-V. */
#ifndef GCRT_PC_H
#define GCRT_PC_H

#include "gmon/kernel.h"

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

/* Compressed instructions are 2 bytes. */
#define PC_BIN_SIZE 2

static inline uintptr_t pc_of(const ucontext_t *context)
{
	return (uintptr_t)context->uc_mcontext.__gregs[REG_PC];
}

/* Where the code is that a pointer to a function or a call leads to. */
static inline uintptr_t pc_of_pointer(const void *pointer)
{
	return (uintptr_t)pointer;
}

/* The kernel leaves the arguments of a system call in their registers. */
static inline bool pc_is_after_sigprocmask(const ucontext_t *context)
{
	const unsigned long *regs = context->uc_mcontext.__gregs;

	/* a7, a0 and a3 */
	return regs[17] == SYS_rt_sigprocmask && regs[10] == 0 &&
	       regs[13] == KERNEL_SIGNALS / 8;
}

#endif
