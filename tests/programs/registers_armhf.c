/* SPDX-License-Identifier: 0BSD */
/*
 * 32-bit ARM: r0-r11, d0-d15, the stacked word that becomes lr again, for
 * __gnu_mcount_nc called from ARM and from Thumb code, with the stack at every
 * multiple of 4.
 *
 * calls main 1
 */
enum { REGISTER_COUNT = 13 /* r0-r11, lr */, FLOAT_COUNT = 16 };
enum { SHIFT_STEP = 4, SHIFT_COUNT = 2, ENTRY_COUNT = 2 };
#include "registers.h"

void __gnu_mcount_nc(void);
void exercise_arm(struct trial *trial);
void exercise_thumb(struct trial *trial);

_Static_assert(offsetof(struct trial, before) == 20 &&
		       offsetof(struct trial, after) == 72 &&
		       offsetof(struct trial, float_before) == 128 &&
		       offsetof(struct trial, float_after) == 256,
	       "the offsets below");

/* On the stack at the call: frompc, trial, what sp was. */
#define EXERCISE(name, mode)                                                   \
	__asm__("	.text\n"                                               \
		"	.syntax unified\n"                                     \
		"	." mode "\n"                                           \
		"	.p2align 2\n"                                          \
		"	.globl " name "\n"                                     \
		"	.type " name ", %function\n"                           \
		name ":\n"                                                     \
		"	push {r3-r11, lr}\n"                                   \
		"	vpush {d8-d15}\n"                                      \
		"	ldr r1, [r0, #8]\n"                                    \
		"	mov r2, sp\n"                                          \
		"	sub r3, r2, r1\n"                                      \
		"	mov sp, r3\n"                                          \
		"	push {r0, r2}\n"                                       \
		"	mov r1, sp\n"                                          \
		"	str r1, [r0, #12]\n"                                   \
		"	add r1, r0, #128\n"                                    \
		"	vldm r1, {d0-d15}\n"                                   \
		"	ldr lr, [r0, #4]\n"                                    \
		"	str lr, [r0, #68]\n"                                   \
		"	ldr ip, [r0]\n"                                        \
		"	add r0, r0, #20\n"                                     \
		"	ldm r0, {r0-r11}\n"                                    \
		"	push {lr}\n"                                           \
		"	blx ip\n"                                              \
		"	ldr ip, [sp]\n"                                        \
		"	add ip, ip, #72\n"                                     \
		"	stm ip, {r0-r11}\n"                                    \
		"	str lr, [ip, #48]\n"                                   \
		"	mov r0, sp\n"                                          \
		"	sub ip, ip, #72\n"                                     \
		"	str r0, [ip, #16]\n"                                   \
		"	add ip, ip, #256\n"                                    \
		"	vstm ip, {d0-d15}\n"                                   \
		"	ldr r1, [sp, #4]\n"                                    \
		"	mov sp, r1\n"                                          \
		"	vpop {d8-d15}\n"                                       \
		"	pop {r3-r11, pc}\n"                                    \
		"	.size " name ", . - " name "\n")

EXERCISE("exercise_arm", "arm");
EXERCISE("exercise_thumb", "thumb");

static const struct entry entries[ENTRY_COUNT] = {
	{"__gnu_mcount_nc", __gnu_mcount_nc, exercise_arm, "exercise_arm"},
	{"__gnu_mcount_nc", __gnu_mcount_nc, exercise_thumb, "exercise_thumb"},
};

#include "registers_words.h"
