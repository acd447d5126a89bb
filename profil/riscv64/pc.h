/* SPDX-License-Identifier: 0BSD */
/* What the sampler must know of 64-bit RISC-V. */
#ifndef GCRT_PC_H
#define GCRT_PC_H

#include <stdint.h>
#include <ucontext.h>

/* Compressed instructions are 2 bytes. */
#define PC_BIN_SIZE 2

static inline uintptr_t pc_of(const ucontext_t *context)
{
	return (uintptr_t)context->uc_mcontext.__gregs[REG_PC];
}

#endif
