/* SPDX-License-Identifier: 0BSD */
/*
 * 64-bit RISC-V: what an ordinary call keeps (s0-s11, fs0-fs11, gp, tp) for
 * _mcount as GCC calls it.
 *
 * calls main 1
 */
enum { REGISTER_COUNT = 14 /* s0-s11, gp, tp */, FLOAT_COUNT = 12 };
enum { SHIFT_STEP = 16, SHIFT_COUNT = 1, ENTRY_COUNT = 1 };
#include "registers.h"

void _mcount(void);
void exercise(struct trial *trial);

_Static_assert(offsetof(struct trial, before) == 40 &&
		       offsetof(struct trial, after) == 152 &&
		       offsetof(struct trial, float_before) == 272 &&
		       offsetof(struct trial, float_after) == 368,
	       "the offsets below");

/* The frame: s0-s11, fs0-fs11, trial, ra. */
__asm__("	.text\n"
	"	.globl exercise\n"
	"	.type exercise, %function\n"
	"exercise:\n"
	"	addi sp, sp, -208\n"
	"	sd ra, 200(sp)\n"
	"	sd a0, 192(sp)\n"
	"	sd sp, 24(a0)\n"
	"	sd gp, 136(a0)\n"
	"	sd tp, 144(a0)\n"
	"	.irp k, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11\n"
	"	sd s\\k, 8 * \\k(sp)\n"
	"	fsd fs\\k, 96 + 8 * \\k(sp)\n"
	"	ld s\\k, 40 + 8 * \\k(a0)\n"
	"	fld fs\\k, 272 + 8 * \\k(a0)\n"
	"	.endr\n"
	"	ld t0, 0(a0)\n"
	"	ld a0, 8(a0)\n"
	"	jalr t0\n"
	"	ld a0, 192(sp)\n"
	"	sd sp, 32(a0)\n"
	"	sd gp, 248(a0)\n"
	"	sd tp, 256(a0)\n"
	"	.irp k, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11\n"
	"	sd s\\k, 152 + 8 * \\k(a0)\n"
	"	fsd fs\\k, 368 + 8 * \\k(a0)\n"
	"	ld s\\k, 8 * \\k(sp)\n"
	"	fld fs\\k, 96 + 8 * \\k(sp)\n"
	"	.endr\n"
	"	ld ra, 200(sp)\n"
	"	addi sp, sp, 208\n"
	"	ret\n"
	"	.size exercise, . - exercise\n");

static const struct entry entries[ENTRY_COUNT] = {
	{"_mcount", _mcount, exercise, "exercise"},
};

#include "registers_words.h"
