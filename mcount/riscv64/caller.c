/* SPDX-License-Identifier: 0BSD */
/*
 * 64-bit RISC-V: where frompc is.  GCC passes it in a0; clang before 20 passes
 * nothing and leaves the function's own argument there, but keeps a frame
 * pointer, so that frompc is below s0.  With GCC s0 is any register of the
 * caller's, unless the function keeps a frame pointer, too; then both places
 * have the same.
 *
 * The rule: a0, if it is the return address of a call in the program's text;
 * else the frame, if the function has one; else a0 (a caller in a library).
 * It is wrong for a clang function whose first argument is a return address.
 */
#include "mcount/mcount.h"

#include <stdbool.h>
#include <string.h>

/* Called by: the stub. */
void mcount_record_caller(uintptr_t a0, uintptr_t selfpc, const uintptr_t *s0,
			  uintptr_t sp);

/* The program's text, by the linker; libgmon.so cannot know its begin. */
#pragma GCC visibility push(hidden)
extern const char __executable_start[] __attribute__((weak));
extern const char etext[];
#pragma GCC visibility pop

/* How far before its call a prologue is sought: 64 to 128 instructions. */
enum { PROLOGUE_MAX = 256 };

static uint32_t halfword(uintptr_t pc)
{
	return *(const uint16_t *)pc;
}

static uint32_t word(uintptr_t pc)
{
	return halfword(pc) | halfword(pc + 2) << 16;
}

/* Whether jal ra, jalr ra or c.jalr ends here. */
static bool follows_call(uintptr_t pc)
{
	uint32_t last = halfword(pc - 2);
	uint32_t opcode = word(pc - 4) & 0xfff;

	return opcode == 0x0ef || opcode == 0x0e7 ||
	       ((last & 0xf07f) == 0x9002 && last != 0x9002);
}

static bool is_call_of_program(uintptr_t pc)
{
	uintptr_t first = (uintptr_t)__executable_start;

	return first && !(pc & 1) && pc >= first + 4 &&
	       pc <= (uintptr_t)etext && follows_call(pc);
}

/* The n of "sd s0, n(sp)" or c.sdsp at pc, or -1. */
static int saves_s0_at(uintptr_t pc)
{
	uint32_t code = halfword(pc);

	if ((code & 0xe07f) == 0xe022) /* c.sdsp s0 */
		return (int)((code >> 7 & 0x38) | (code >> 1 & 0x1c0));
	code = word(pc);
	if ((code & 0x01fff07f) == 0x00813023) /* sd s0, n(sp) */
		return (int)((code >> 7 & 0x1f) | (code >> 20 & 0xfe0));
	return -1;
}

/* The n of "addi s0, sp, n" or c.addi4spn at pc, or -1. */
static int sets_s0_to(uintptr_t pc)
{
	uint32_t code = halfword(pc);

	if ((code & 0xe01f) == 0 && code) /* c.addi4spn s0 */
		return (int)((code >> 7 & 0x30) | (code >> 1 & 0x3c0) |
			     (code >> 4 & 4) | (code >> 2 & 8));
	code = word(pc);
	if ((code & 0x000fffff) == 0x00010413) /* addi s0, sp, n */
		return (int)(code >> 20);
	return -1;
}

static bool is_return(uintptr_t pc)
{
	return halfword(pc) == 0x8082 || word(pc) == 0x00008067;
}

/*
 * How far above sp the code before the call sets s0, or -1: s0 is saved at
 * n(sp) and then set to sp + n + 16.  Behind a return another function begins.
 * What is read is code: an image begins with other sections.
 */
static int frame_size(uintptr_t call)
{
	int set = -1;

	for (uintptr_t pc = call - 4; pc > call - PROLOGUE_MAX; pc -= 2) {
		int here = sets_s0_to(pc), saved = saves_s0_at(pc);

		if (is_return(pc))
			break;
		if (here >= 0)
			set = here;
		if (saved >= 0 && saved + 16 == set)
			return set;
	}
	return -1;
}

/*
 * Whether the function has a frame, and s0 is where it would be: a function
 * before it may have ended without a return.  More stack than one instruction
 * can take is taken in a second step, by sp alone.
 */
enum { ONE_STEP_MAX = 2032, FRAME_MAX = 1 << 20 };

static bool has_frame(uintptr_t call, uintptr_t s0, uintptr_t sp)
{
	int size = frame_size(call);

	return size >= 0 && (s0 == sp + (uintptr_t)size ||
			     (s0 - sp > ONE_STEP_MAX && s0 - sp < FRAME_MAX &&
			      s0 % 16 == 0));
}

void mcount_record_caller(uintptr_t a0, uintptr_t selfpc, const uintptr_t *s0,
			  uintptr_t sp)
{
	if (is_call_of_program(a0) || !has_frame(selfpc, (uintptr_t)s0, sp))
		mcount_record(a0, selfpc);
	else
		mcount_record(s0[-1], selfpc + 1);
}
