/* SPDX-License-Identifier: 0BSD */
/*
 * x86-64.  Two entries with one contract each:
 *
 * mcount (_mcount): called when the frame of the entered function is up.
 *
 *      push %rbp;  mov %rsp,%rbp;  ...;  call *mcount@GOTPCREL(%rip)
 *
 *      frompc  8(%rbp)      selfpc  (%rsp)
 *
 * __fentry__ (-mfentry): called by the very first instruction.
 *
 *      call __fentry__;  push %rbp;  ...
 *
 *      frompc  8(%rsp)      selfpc  (%rsp)
 *
 *   GCC wraps the call in push %r10 / pop %r10 in a nested function: there
 *   frompc is 16(%rsp), and 8(%rsp) the static chain.  The fast path takes the
 *   chain for a frompc and does not find it; .Lfentry_record looks again.
 *
 * live     rdi rsi rdx rcx r8 r9  arguments;  rax  vector count of a variadic
 *          call;  r10  static chain, or the aligned frame's argument pointer;
 *          every vector, mask and x87 register
 * free     r11, flags
 * stack    GCC calls with any multiple of 8 (it is not aligned in up to 18 %
 *          of calls), so it is aligned here before C is called
 *
 * The fast path is at most 63 bytes, inside one aligned line: fetched from two
 * lines it costs a cycle more, which is 11 % of a hot leaf, and a return that
 * is the last byte of a line costs as much in most runs.
 */
#include "mcount/asm.h"

/* Reach threads_mine: fixed offset in the program, from the GOT in a library. */
#ifdef GCRT_SHARED
#define MINE_SAVE    push %rcx; .cfi_adjust_cfa_offset 8; \
		     mov threads_mine@gottpoff(%rip), %rcx
#define MINE_RESTORE pop %rcx; .cfi_adjust_cfa_offset -8
#define MINE(offset) %fs:offset(%rcx)
#define SAVED	     16
#else
#define MINE_SAVE
#define MINE_RESTORE
#define MINE(offset) %fs:threads_mine@tpoff + offset
#define SAVED	     8
#endif

.macro FAST_PATH frompc, off, miss
	mov	mcount_multiplier(%rip), %r11
	test	%r11, %r11
	je	\off			/* profiling is off, or TLS not there */
	imul	\frompc, %r11
	add	(%rsp), %r11		/* key = frompc * K + selfpc */
	push	%rax
	.cfi_adjust_cfa_offset 8
	MINE_SAVE
	mov	MINE(0), %eax		/* the mask before the entries: */
	and	%r11d, %eax		/* a handler may grow the table */
	add	MINE(8), %rax		/* the bucket */
	cmp	(%rax), %r11
	jne	\miss
	addq	$1, 8(%rax)		/* one instruction: signal-safe */
	MINE_RESTORE
	pop	%rax
	.cfi_adjust_cfa_offset -8
	ret
.endm

/* Look at the three entries behind the bucket; ARCS_NEAR is 3. */
.macro SLOW_PATH miss, record
	.cfi_adjust_cfa_offset SAVED
\miss:
	cmp	16(%rax), %r11
	je	1f
	cmp	32(%rax), %r11
	je	2f
	cmp	48(%rax), %r11
	jne	\record
	addq	$1, 56(%rax)
	jmp	3f
2:	addq	$1, 40(%rax)
	jmp	3f
1:	addq	$1, 24(%rax)
3:	.cfi_remember_state
	MINE_RESTORE
	pop	%rax
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_restore_state
.endm

	.text
	.globl mcount_code
	.hidden mcount_code
mcount_code:

BEGIN mcount, 6
	FAST_PATH 8(%rbp), .Lmcount_off, .Lmcount_miss
	SLOW_PATH .Lmcount_miss, .Lmcount_record
.Lmcount_record:
	MINE_RESTORE
	mov	8(%rbp), %r11		/* frompc */
	jmp	.Lrecord
END mcount
ALIAS _mcount, mcount

BEGIN __fentry__, 6
	FAST_PATH 8(%rsp), .Lfentry_off, .Lfentry_miss
	SLOW_PATH .Lfentry_miss, .Lfentry_record
.Lfentry_record:
	MINE_RESTORE
.Lfentry_frompc:
	mov	8(%rsp), %rax		/* selfpc */
	mov	16(%rsp), %r11		/* frompc */
	cmpw	$0x5a41, (%rax)		/* pop %r10 follows the call: */
	jne	.Lrecord
	mov	24(%rsp), %r11		/* a nested function */
	jmp	.Lrecord
END __fentry__

/*
 * Here rax is saved at (%rsp), selfpc is 8(%rsp), frompc is in r11.  The frame:
 *
 *      rbp points at the saved rbp, the saved rax is above
 *     -8   -16  -24  -32  -40  -48  -56   down to a multiple of 16
 *      rdi  rsi  rdx  rcx  r8   r9   r10
 */
BEGIN __mcount_internal
	.cfi_adjust_cfa_offset 8
.Lrecord:
	push	%rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbp, 0
	mov	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	push	%rdi
	push	%rsi
	push	%rdx
	push	%rcx
	push	%r8
	push	%r9
	push	%r10
	and	$-16, %rsp
	mov	%r11, %rdi		/* frompc */
	mov	16(%rbp), %rsi		/* selfpc */
	call	mcount_record
	lea	-56(%rbp), %rsp
	pop	%r10
	pop	%r9
	pop	%r8
	pop	%rcx
	pop	%rdx
	pop	%rsi
	pop	%rdi
	pop	%rbp
	.cfi_def_cfa %rsp, 16
	.cfi_restore %rbp
	pop	%rax
	.cfi_adjust_cfa_offset -8
	ret

	/* off: nothing is saved; before start the call is still counted */
.Lmcount_off:
	cmpb	$0, mcount_early(%rip)
	jne	1f
	ret
1:	push	%rax
	.cfi_adjust_cfa_offset 8
	mov	8(%rbp), %r11
	jmp	.Lrecord
	.cfi_adjust_cfa_offset -8
.Lfentry_off:
	cmpb	$0, mcount_early(%rip)
	jne	1f
	ret
1:	push	%rax
	.cfi_adjust_cfa_offset 8
	jmp	.Lfentry_frompc
END __mcount_internal

END_OF_FILE
