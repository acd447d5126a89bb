/* SPDX-License-Identifier: 0BSD */
/*
 * i386.  Two entries with one contract each:
 *
 * mcount (_mcount): called when the frame of the entered function is up.
 *
 *      push %ebp;  mov %esp,%ebp;  ...;  call mcount  or  *mcount@GOT(%ebx)
 *
 *      frompc  4(%ebp)      selfpc  (%esp)
 *
 * __fentry__ (-mfentry, never with PIC): called by the very first instruction.
 *
 *      call __fentry__;  push %ebp;  ...
 *
 *      frompc  4(%esp)      selfpc  (%esp)
 *
 *   GCC wraps the call in push %ecx / pop %ecx in a nested function: there
 *   frompc is 8(%esp), and 4(%esp) the static chain.  The fast path takes the
 *   chain for a frompc and does not find it; .Lfentry_miss looks again.
 *
 * live     eax edx ecx  arguments (regparm, fastcall), static chain;  ebx  the
 *          GOT of a PIC caller;  esi edi ebp;  every x87 and SSE register
 * free     flags
 * stack    GCC calls with any multiple of 4, so it is aligned here before C is
 *          called; both paths have saved three registers:
 *
 *      0    4    8    12
 *      edx  ecx  eax  selfpc
 *
 * The fast path takes two lines of 64 bytes: without addresses relative to the
 * pc, and with a key of two words, it does not fit into one.
 */
#include "mcount/asm.h"

/* Reach threads_mine: at a fixed offset, or in a library from the GOT. */
#ifdef GCRT_SHARED
#define MINE_FIND    add $_GLOBAL_OFFSET_TABLE_ + (. - \here), %ecx; \
		     mov threads_mine@gotntpoff(%ecx), %ecx
#define MINE(offset) %gs:offset(%ecx)
#else
#define MINE_FIND
#define MINE(offset) %gs:threads_mine@ntpoff + offset
#endif

.macro SAVE register
	push	\register
	.cfi_adjust_cfa_offset 4
.endm

.macro RESTORE register
	pop	\register
	.cfi_adjust_cfa_offset -4
.endm

/* Ends either path: what follows has the three registers still saved. */
.macro RETURN
	RESTORE	%edx
	RESTORE	%ecx
	RESTORE	%eax
	ret
	.cfi_adjust_cfa_offset 12
.endm

/*
 * Add 1 in two instructions.  A signal between them finds the carry in the
 * flags, which are saved and restored with the other registers; what its
 * handler adds, carries included, comes on top: sums do not depend on order.
 * (A handler that never returns takes the carry with it, and a reader in
 * another thread may miss it: if it comes between these two instructions, in
 * that one of 2^32 calls that carries.)
 */
.macro COUNT
	addl	$1, 8(%eax)
	adcl	$0, 12(%eax)
	RETURN
.endm

/* frompc is an operand that is valid when the three registers are saved. */
.macro FAST_PATH frompc, here, off, miss
	SAVE	%eax
	SAVE	%ecx
	SAVE	%edx
	call	.Lpc
\here:
	mov	12(%esp), %edx		/* selfpc */
	mov	mcount_multiplier - \here(%ecx), %eax
	test	%eax, %eax
	je	\off			/* profiling is off, or TLS not there */
	MINE_FIND
	imul	\frompc, %eax
	add	%edx, %eax		/* frompc * K + selfpc */
	and	MINE(0), %eax		/* the mask before the entries: */
	add	MINE(4), %eax		/* a handler may grow the table */
	mov	\frompc, %ecx
	cmp	(%eax), %ecx		/* the key is both addresses */
	jne	\miss
	cmp	4(%eax), %edx
	jne	\miss
	COUNT
.endm

/* Before start the call is counted, else not. */
.macro OFF_PATH frompc, here, off, record
\off:
	cmpb	$0, mcount_early - \here(%ecx)
	je	.Lreturn
	mov	\frompc, %ecx
	jmp	\record
.endm

	.text
	.globl mcount_code
	PRIVATE mcount_code
mcount_code:

BEGIN mcount, 6
	FAST_PATH 4(%ebp), .Lmcount_here, .Lmcount_off, .Lmiss
	OFF_PATH 4(%ebp), .Lmcount_here, .Lmcount_off, .Lrecord
END mcount
ALIAS _mcount, mcount

BEGIN __fentry__, 6
	FAST_PATH 16(%esp), .Lfentry_here, .Lfentry_off, .Lfentry_miss
	OFF_PATH 16(%esp), .Lfentry_here, .Lfentry_off, .Lfentry_record
.Lfentry_miss:
	cmpb	$0x59, (%edx)		/* pop %ecx does not follow the call: */
	jne	.Lmiss			/* not a nested function */
.Lfentry_record:
	cmpb	$0x59, (%edx)
	jne	.Lrecord
	mov	20(%esp), %ecx		/* its caller */
	jmp	.Lrecord
END __fentry__

/* The frame is as drawn above; ecx is frompc, edx selfpc, eax the bucket. */
BEGIN __mcount_internal
	.cfi_adjust_cfa_offset 12
.Lmiss:					/* three more entries: ARCS_NEAR */
	.rept	3
	add	$16, %eax
	cmp	(%eax), %ecx
	jne	1f
	cmp	4(%eax), %edx
	je	.Lcount
1:
	.endr

.Lrecord:
	SAVE	%ebp
	.cfi_rel_offset %ebp, 0
	mov	%esp, %ebp
	.cfi_def_cfa_register %ebp
	and	$-16, %esp
	sub	$8, %esp
	push	%edx			/* selfpc */
	push	%ecx			/* frompc */
	call	mcount_record
	leave
	.cfi_def_cfa %esp, 16
	.cfi_restore %ebp
.Lreturn:
	RETURN
.Lcount:
	COUNT
END __mcount_internal

PRIVATE gcrt_pc
BEGIN gcrt_pc
.Lpc:
	mov	(%esp), %ecx
	ret
END gcrt_pc

END_OF_FILE
