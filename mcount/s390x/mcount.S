/* SPDX-License-Identifier: 0BSD */
/*
 * s390x.  Two entries with one contract each:
 *
 * _mcount (GCC): called before anything else.
 *
 *      stg %r14,8(%r15);  brasl %r14,_mcount;  lg %r14,8(%r15)
 *
 *      frompc  8(%r15)      selfpc  %r14, to which it returns
 *
 * __fentry__ (-mfentry, GCC and clang): called by the very first instruction.
 *
 *      brasl %r0,__fentry__
 *
 *      frompc  %r14         selfpc  %r0, to which it returns by way of %r1
 *
 *   clang without -mfentry calls `mcount`, from where no caller can be found:
 *   there is no such name here.
 *
 * live     r2-r6, f0 f2 f4 f6, v24-v31  arguments;  r0  static chain;  r14 of
 *          __fentry__;  r7-r13, f8-f15
 * free     r1, which a PLT uses, too; the condition code
 * stack    nothing below r15 is in use.  The entered function has not yet
 *          touched the 160 bytes that its caller gave it but for 8(%r15), so
 *          registers are saved there; C gets a frame below
 *
 *      0           8       16  24  32  40  48  112  128  136  144  152
 *      back chain  frompc  r2  r3  r4  r5  r0  r14  f0   f2   f4   f6
 */
#include "mcount/asm.h"

#define FRAME 160

/* r3 = &threads_mine; r4 is free */
.macro MINE
	ear	%r3, %a0
	sllg	%r3, %r3, 32
	ear	%r3, %a1
#ifdef GCRT_SHARED
	lgrl	%r4, threads_mine@indntpoff
#else
	lgrl	%r4, .Lmine
#endif
	la	%r3, 0(%r3, %r4)
.endm

/*
 * r2 is frompc, r1 the multiplier; r2-r5 are saved.  Goes on behind at a miss,
 * with r1 the key and r4 the bucket.
 */
.macro FAST_PATH frompc, selfpc, count, miss
	MINE
	msgr	%r1, \frompc
	agr	%r1, \selfpc		/* key = frompc * K + selfpc */
	lg	%r4, 0(%r3)		/* the mask before the entries: */
	lg	%r5, 8(%r3)		/* a handler may grow the table */
	ngr	%r4, %r1
	agr	%r4, %r5		/* the bucket */
	cg	%r1, 0(%r4)
	jne	\miss
\count:
	agsi	8(%r4), 1		/* one instruction: signal-safe */
.endm

/* The three entries behind the bucket; ARCS_NEAR is 3. */
.macro SLOW_PATH count
	.rept	3
	la	%r4, 16(%r4)
	cg	%r1, 0(%r4)
	je	\count
	.endr
.endm

/* Leaves f0-f6 alone itself; the C library's functions need not. */
.macro RECORD frompc, selfpc
	stg	%r0, 48(%r15)
	.cfi_rel_offset %r0, 48
	stg	%r14, 112(%r15)
	.cfi_rel_offset %r14, 112
	std	%f0, 128(%r15)
	std	%f2, 136(%r15)
	std	%f4, 144(%r15)
	std	%f6, 152(%r15)
	lgr	%r3, \selfpc
	lgr	%r2, \frompc
	lgr	%r1, %r15
	aghi	%r15, -FRAME
	.cfi_adjust_cfa_offset FRAME
	stg	%r1, 0(%r15)
	brasl	%r14, mcount_record
	aghi	%r15, FRAME
	.cfi_adjust_cfa_offset -FRAME
	ld	%f0, 128(%r15)
	ld	%f2, 136(%r15)
	ld	%f4, 144(%r15)
	ld	%f6, 152(%r15)
	lg	%r0, 48(%r15)
	.cfi_restore %r0
	lg	%r14, 112(%r15)
	.cfi_restore %r14
.endm

	.text
	.globl mcount_code
	PRIVATE mcount_code
mcount_code:

BEGIN _mcount, 6
	stmg	%r2, %r5, 16(%r15)
	lgrl	%r1, mcount_multiplier
	lg	%r2, 8(%r15)
	cgije	%r1, 0, .Lmcount_off	/* profiling is off, or TLS not there */
	FAST_PATH %r2, %r14, .Lmcount_count, .Lmcount_miss
.Lmcount_return:
	lmg	%r2, %r5, 16(%r15)
	br	%r14
.Lmcount_miss:
	SLOW_PATH .Lmcount_count
.Lmcount_record:
	RECORD	%r2, %r14
	j	.Lmcount_return
.Lmcount_off:
	larl	%r1, mcount_early
	cli	0(%r1), 0
	jne	.Lmcount_record		/* before start the call is counted */
	j	.Lmcount_return
END _mcount

BEGIN __fentry__, 6
	.cfi_return_column %r0
	stmg	%r2, %r5, 16(%r15)
	lgrl	%r1, mcount_multiplier
	cgije	%r1, 0, .Lfentry_off
	FAST_PATH %r14, %r0, .Lfentry_count, .Lfentry_miss
.Lfentry_return:
	lgr	%r1, %r0
	lmg	%r2, %r5, 16(%r15)
	br	%r1
.Lfentry_miss:
	SLOW_PATH .Lfentry_count
.Lfentry_record:
	RECORD	%r14, %r0
	j	.Lfentry_return
.Lfentry_off:
	larl	%r1, mcount_early
	cli	0(%r1), 0
	jne	.Lfentry_record
	j	.Lfentry_return
END __fentry__

	.p2align 3
.Lmine:
	.quad	threads_mine@ntpoff

END_OF_FILE
