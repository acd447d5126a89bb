/* SPDX-License-Identifier: 0BSD */
/*
 * AArch64: what an ordinary call keeps (x19-x29, d8-d15) for _mcount.  A nested
 * function has put its chain (x18) aside.
 *
 * calls main 1
 */
enum { REGISTER_COUNT = 11 /* x19-x29 */, FLOAT_COUNT = 8 };
enum { SHIFT_STEP = 16, SHIFT_COUNT = 1, ENTRY_COUNT = 1 };
#include "registers.h"

void _mcount(void);
void exercise(struct trial *trial);

_Static_assert(offsetof(struct trial, before) == 40 &&
		       offsetof(struct trial, after) == 128 &&
		       offsetof(struct trial, float_before) == 224 &&
		       offsetof(struct trial, float_after) == 288,
	       "the offsets below");

/* The frame: x29, x30, x19-x28, d8-d15, trial, and a frame record with frompc. */
__asm__("	.text\n"
	"	.globl exercise\n"
	"	.type exercise, %function\n"
	"exercise:\n"
	"	stp x29, x30, [sp, -192]!\n"
	"	.irp k, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28\n"
	"	str x\\k, [sp, 16 + 8 * (\\k - 19)]\n"
	"	.endr\n"
	"	.irp k, 8, 9, 10, 11, 12, 13, 14, 15\n"
	"	str d\\k, [sp, 96 + 8 * (\\k - 8)]\n"
	"	ldr d\\k, [x0, 224 + 8 * (\\k - 8)]\n"
	"	.endr\n"
	"	str x0, [sp, 160]\n"
	"	ldr x1, [x0, 8]\n"
	"	stp x29, x1, [sp, 176]\n"
	"	add x29, sp, 176\n"
	"	str x29, [x0, 120]\n"
	"	mov x1, sp\n"
	"	str x1, [x0, 24]\n"
	"	.irp k, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28\n"
	"	ldr x\\k, [x0, 40 + 8 * (\\k - 19)]\n"
	"	.endr\n"
	"	ldr x1, [x0]\n"
	"	blr x1\n"
	"	ldr x0, [sp, 160]\n"
	"	.irp k, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29\n"
	"	str x\\k, [x0, 128 + 8 * (\\k - 19)]\n"
	"	.endr\n"
	"	mov x1, sp\n"
	"	str x1, [x0, 32]\n"
	"	.irp k, 8, 9, 10, 11, 12, 13, 14, 15\n"
	"	str d\\k, [x0, 288 + 8 * (\\k - 8)]\n"
	"	ldr d\\k, [sp, 96 + 8 * (\\k - 8)]\n"
	"	.endr\n"
	"	.irp k, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28\n"
	"	ldr x\\k, [sp, 16 + 8 * (\\k - 19)]\n"
	"	.endr\n"
	"	ldp x29, x30, [sp], 192\n"
	"	ret\n"
	"	.size exercise, . - exercise\n");

static const struct entry entries[ENTRY_COUNT] = {
	{"_mcount", _mcount, exercise, "exercise"},
};

#include "registers_words.h"
