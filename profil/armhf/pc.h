/* SPDX-License-Identifier: 0BSD */
/* What the sampler must know of 32-bit ARM. */
#ifndef GCRT_PC_H
#define GCRT_PC_H

#include "gmon/kernel.h"

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

/* Thumb instructions are 2 bytes. */
#define PC_BIN_SIZE 2

static inline uintptr_t pc_of(const ucontext_t *context)
{
	return (uintptr_t)context->uc_mcontext.arm_pc;
}

/*
 * Where the code is that a pointer to a function or a call leads to: bit 0
 * says Thumb.
 */
static inline uintptr_t pc_of_pointer(const void *pointer)
{
	return (uintptr_t)pointer & ~(uintptr_t)1;
}

/* The kernel leaves the arguments of a system call in their registers. */
static inline bool pc_is_after_sigprocmask(const ucontext_t *context)
{
	const mcontext_t *state = &context->uc_mcontext;

	return state->arm_r7 == SYS_rt_sigprocmask && state->arm_r0 == 0 &&
	       state->arm_r3 == KERNEL_SIGNALS / 8;
}

#endif
