/* SPDX-License-Identifier: 0BSD */
/* What the sampler must know of x86-64. */
#ifndef GCRT_PC_H
#define GCRT_PC_H

#include "gmon/kernel.h"

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

/* Instructions have any length; gprof cannot read bins below 2 bytes. */
#define PC_BIN_SIZE 2

static inline uintptr_t pc_of(const ucontext_t *context)
{
	return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
}

/* Where the code is that a pointer to a function or a call leads to. */
static inline uintptr_t pc_of_pointer(const void *pointer)
{
	return (uintptr_t)pointer;
}

/* The kernel leaves the arguments of a system call in their registers. */
static inline bool pc_is_after_sigprocmask(const ucontext_t *context)
{
	const greg_t *regs = context->uc_mcontext.gregs;

	return regs[REG_RCX] == regs[REG_RIP] && regs[REG_RAX] == 0 &&
	       regs[REG_R10] == KERNEL_SIGNALS / 8;
}

#endif
