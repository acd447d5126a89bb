/* SPDX-License-Identifier: 0BSD */
/*
 * The words of a stub.  A stub has no directive of its own: sections, symbol
 * types, unwind data, landing pads and notes are all written here, once.
 */
#ifndef GCRT_ASM_H
#define GCRT_ASM_H

#if defined __x86_64__
#define LANDING_PAD endbr64
#define ARCH_NOTE   PROPERTY_NOTE 0xc0000002, 3 /* x86: IBT, SHSTK */
#elif defined __i386__
#define LANDING_PAD endbr32
#define ARCH_NOTE   PROPERTY_NOTE 0xc0000002, 3
#elif defined __aarch64__
#define LANDING_PAD hint 34 /* bti c */
#define ARCH_NOTE   PROPERTY_NOTE 0xc0000000, 3 /* AArch64: BTI, PAC */
#else
#define LANDING_PAD
#define ARCH_NOTE
#endif

#ifdef __LP64__
#define NOTE_ALIGN 3
#else
#define NOTE_ALIGN 2
#endif

/* A global function; `align` is a power of two: its cache line, if it counts. */
.macro BEGIN name, align=4
	.text
	.globl \name
	.type \name, %function
	.p2align \align
\name:
	.cfi_startproc
	LANDING_PAD
.endm

.macro END name
	.cfi_endproc
	.size \name, . - \name
.endm

/* Known to the runtime only. */
.macro PRIVATE name
	.hidden \name
.endm

/* The same code under another global name. */
.macro ALIAS name, of
	.globl \name
	.type \name, %function
	.set \name, \of
.endm

/* NT_GNU_PROPERTY_TYPE_0 with one 4-byte property, padded to the word size */
.macro PROPERTY_NOTE type, bits
	.section .note.gnu.property, "a"
	.p2align NOTE_ALIGN
	.long 4, 2f - 1f, 5
	.asciz "GNU"
1:	.long \type, 4, \bits
	.p2align NOTE_ALIGN
2:
.endm

/* Ends every file: the stack is not executable, hardening stays on. */
.macro END_OF_FILE
	ARCH_NOTE
	.section .note.GNU-stack, "", %progbits
.endm

#endif
