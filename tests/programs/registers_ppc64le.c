/* SPDX-License-Identifier: 0BSD */
/*
 * 64-bit POWER: what an ordinary call keeps (r14-r31, f14-f31, v20-v31) for
 * _mcount.
 *
 * calls main 1
 */
enum { REGISTER_COUNT = 18 /* r14-r31 */, FLOAT_COUNT = 42 };
enum { SHIFT_STEP = 16, SHIFT_COUNT = 1, ENTRY_COUNT = 1 };
#include "registers.h"

void _mcount(void);
void exercise(struct trial *trial);

_Static_assert(offsetof(struct trial, before) == 40 &&
		       offsetof(struct trial, after) == 184 &&
		       offsetof(struct trial, float_before) == 336 &&
		       offsetof(struct trial, float_after) == 672,
	       "the offsets below");

/*
 * The frame: r14-r31, f14-f31, v20-v31, trial; below it that of the function
 * that seems to call the entry, whose own caller is frompc.
 */
__asm__("	.text\n"
	"	.globl exercise\n"
	"	.type exercise, %function\n"
	"exercise:\n"
	"	mflr 0\n"
	"	std 0, 16(1)\n"
	"	stdu 1, -544(1)\n"
	"	std 3, 528(1)\n"
	"	.set k, 14\n"
	"	.rept 18\n"
	"	std k, 48 + 8 * (k - 14)(1)\n"
	"	stfd k, 192 + 8 * (k - 14)(1)\n"
	"	ld k, 40 + 8 * (k - 14)(3)\n"
	"	lfd k, 336 + 8 * (k - 14)(3)\n"
	"	.set k, k + 1\n"
	"	.endr\n"
	"	.set k, 20\n"
	"	.rept 12\n"
	"	li 4, 336 + 16 * (k - 20)\n"
	"	stvx k, 1, 4\n"
	"	li 4, 480 + 16 * (k - 20)\n"
	"	lvx k, 3, 4\n"
	"	.set k, k + 1\n"
	"	.endr\n"
	"	ld 4, 8(3)\n"
	"	std 4, 16(1)\n"
	"	stdu 1, -48(1)\n"
	"	std 1, 24(3)\n"
	"	std 2, 24(1)\n"
	"	ld 12, 0(3)\n"
	"	mtctr 12\n"
	"	bctrl\n"
	"	ld 2, 24(1)\n"
	"	ld 3, 576(1)\n"
	"	std 1, 32(3)\n"
	"	addi 1, 1, 48\n"
	"	.set k, 20\n"
	"	.rept 12\n"
	"	li 4, 816 + 16 * (k - 20)\n"
	"	stvx k, 3, 4\n"
	"	li 4, 336 + 16 * (k - 20)\n"
	"	lvx k, 1, 4\n"
	"	.set k, k + 1\n"
	"	.endr\n"
	"	.set k, 14\n"
	"	.rept 18\n"
	"	std k, 184 + 8 * (k - 14)(3)\n"
	"	stfd k, 672 + 8 * (k - 14)(3)\n"
	"	ld k, 48 + 8 * (k - 14)(1)\n"
	"	lfd k, 192 + 8 * (k - 14)(1)\n"
	"	.set k, k + 1\n"
	"	.endr\n"
	"	addi 1, 1, 544\n"
	"	ld 0, 16(1)\n"
	"	mtlr 0\n"
	"	blr\n"
	"	.size exercise, . - exercise\n");

static const struct entry entries[ENTRY_COUNT] = {
	{"_mcount", _mcount, exercise, "exercise"},
};

#include "registers_words.h"
