/* SPDX-License-Identifier: 0BSD */
/*
 * i386: eax ebx ecx edx esi edi ebp, the whole x87 and SSE state, the control
 * words and the direction flag, for mcount and __fentry__, with the stack at
 * every multiple of 4.
 *
 * calls main 1
 */
enum { REGISTER_COUNT = 6, FLOAT_COUNT = 64 /* FXSAVE */ };
enum { SHIFT_STEP = 4, SHIFT_COUNT = 4, ENTRY_COUNT = 2 };
#include "registers.h"

void mcount(void);
void __fentry__(void);
void exercise(struct trial *trial);

_Static_assert(offsetof(struct trial, before) == 20 &&
		       offsetof(struct trial, after) == 44 &&
		       offsetof(struct trial, float_before) == 80 &&
		       offsetof(struct trial, float_after) == 592,
	       "the offsets below");

/* On the stack at the call: frompc, entry, trial, what esp was. */
__asm__("	.text\n"
	"	.globl exercise\n"
	"	.type exercise, @function\n"
	"exercise:\n"
	"	push %ebx\n	push %esi\n	push %edi\n	push %ebp\n"
	"	mov 20(%esp), %eax\n"
	"	mov %esp, %ebx\n"
	"	and $-16, %esp\n"
	"	sub 8(%eax), %esp\n"
	"	push %ebx\n"
	"	push %eax\n"
	"	push (%eax)\n"
	"	push 4(%eax)\n"
	"	fxrstor 80(%eax)\n"
	"	lea -4(%esp), %ebp\n"	/* 4(%ebp) for mcount */
	"	mov %esp, 12(%eax)\n"
	"	mov 24(%eax), %ebx\n	mov 28(%eax), %ecx\n"
	"	mov 32(%eax), %edx\n	mov 36(%eax), %esi\n"
	"	mov 40(%eax), %edi\n	mov 20(%eax), %eax\n"
	"	call *4(%esp)\n"
	"	push %eax\n"
	"	mov 12(%esp), %eax\n"
	"	pop 44(%eax)\n"
	"	mov %ebx, 48(%eax)\n	mov %ecx, 52(%eax)\n"
	"	mov %edx, 56(%eax)\n	mov %esi, 60(%eax)\n"
	"	mov %edi, 64(%eax)\n"
	"	mov %esp, 16(%eax)\n"
	"	lea 4(%ebp), %ecx\n"	/* ebp is as it was if so is esp */
	"	cmp %esp, %ecx\n"
	"	je 1f\n"
	"	movl $0, 16(%eax)\n"
	"1:	pushf\n	pop %ecx\n"
	"	test $0x400, %ecx\n"
	"	je 1f\n"
	"	movl $0, 16(%eax)\n"
	"1:	fxsave 592(%eax)\n"
	"	fninit\n"
	"	mov 12(%esp), %esp\n"
	"	pop %ebp\n	pop %edi\n	pop %esi\n	pop %ebx\n"
	"	ret\n"
	"	.size exercise, . - exercise\n");

static const struct entry entries[ENTRY_COUNT] = {
	{"mcount", mcount, exercise, "exercise"},
	{"__fentry__", __fentry__, exercise, "exercise"},
};

/* FXSAVE's area: control words that differ from the usual, all in use. */
PLAIN static void state_prepare(struct trial *at)
{
	unsigned char *state = (unsigned char *)at->float_before;

	for (int i = 32; i < 288; i++)
		state[i] = (unsigned char)(i * 7 + i / 256 + at->frompc);
	memset(state, 0, 32);
	state[0] = 0x7f, state[1] = 0x0b;   /* round up */
	state[4] = 0xff;		    /* eight x87 registers in use */
	state[24] = 0xa0, state[25] = 0x3f; /* round down */
}

PLAIN static const char *state_complaint(const struct trial *at)
{
	const unsigned char *before = (const void *)at->float_before;
	const unsigned char *after = (const void *)at->float_after;

	if (memcmp(before, after, 5) != 0 ||
	    memcmp(before + 24, after + 24, 4) != 0)
		return "a control word";
	for (int i = 0; i < 8; i++) {
		if (memcmp(before + 32 + 16 * i, after + 32 + 16 * i, 10) != 0)
			return "an x87 register";
		if (memcmp(before + 160 + 16 * i, after + 160 + 16 * i, 16))
			return "an SSE register";
	}
	return NULL;
}
