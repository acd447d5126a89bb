/* SPDX-License-Identifier: 0BSD */
/* What the sampler must know of 64-bit POWER. */
#ifndef GCRT_PC_H
#define GCRT_PC_H

#include <stdint.h>
#include <ucontext.h>

/* Instructions are 4 bytes. */
#define PC_BIN_SIZE 4

static inline uintptr_t pc_of(const ucontext_t *context)
{
	return (uintptr_t)context->uc_mcontext.gp_regs[32];
}

#endif
