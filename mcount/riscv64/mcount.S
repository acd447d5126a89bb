/* SPDX-License-Identifier: 0BSD */
/*
 * 64-bit RISC-V.  One entry:
 *
 * _mcount: an ordinary call in the prologue of the entered function.
 *
 *      GCC              addi sp, sp, -n;  sd ra, ...;  mv a0, ra;  call _mcount
 *      clang before 20  sd ra, n-8(sp);  sd s0, n-16(sp);  addi s0, sp, n;
 *                       call _mcount
 *
 *      GCC passes frompc in a0 and keeps no frame pointer; clang leaves the
 *      function's own argument in a0 and keeps one.  caller.c tells them apart
 *      at the first call of an arc, and enters an arc whose frompc came from
 *      the frame with selfpc + 1, which no call site can have.  So a key made
 *      of a0 is only ever met by a call that passes frompc there, and a key of
 *      the frame only by one that does not.
 *
 * live     nothing but what any call keeps: s0-s11, fs0-fs11, sp, gp, tp
 * free     a0-a7, t0-t6
 * frompc   a0 or -8(s0);  selfpc  ra
 * stack    none of our own; C is entered by a branch and returns to the caller
 *
 *      s0 -> -16  caller's s0
 *            -8   frompc
 *
 * Built without relaxation: an IFUNC resolver may call before gp is set.
 */
#include "mcount/asm.h"

/* t1 = &threads_mine */
.macro MINE
#ifdef GCRT_SHARED
	la.tls.ie t1, threads_mine
	add	t1, t1, tp
#else
	lui	t1, %tprel_hi(threads_mine)
	add	t1, t1, tp, %tprel_add(threads_mine)
	addi	t1, t1, %tprel_lo(threads_mine)
#endif
.endm

/* t4 = the key, t5 = its bucket; t0 holds K. */
.macro BUCKET frompc, selfpc
	mul	t4, \frompc, t0
	ld	t5, 0(t1)		/* the mask before the entries: */
	ld	t6, 8(t1)		/* a handler may grow the table */
	add	t4, t4, \selfpc		/* frompc * K + selfpc */
	and	t5, t5, t4
	add	t5, t5, t6
.endm

/* Goes on at \hit, with t5 the entry, if one of three behind has the key. */
.macro PROBE_NEAR hit
	.rept	3			/* ARCS_NEAR */
	addi	t5, t5, 16
	ld	t6, 0(t5)
	beq	t6, t4, \hit
	.endr
.endm

	.text
	.globl mcount_code
	PRIVATE mcount_code
mcount_code:

BEGIN _mcount, 6
	ld	t0, mcount_multiplier
	mv	a1, ra
	beqz	t0, .Loff		/* profiling is off, or TLS not there */
	MINE
	BUCKET	a0, a1
	ld	t6, 0(t5)
	bne	t6, t4, .Lmiss
.Lcount:
	li	t6, 1
	addi	t5, t5, 8
	amoadd.d zero, t6, (t5)		/* one instruction: signal-safe */
	ret
.Loff:
	lbu	t0, mcount_early
	bnez	t0, .Lrecord		/* before start the call is counted */
	ret
END _mcount

/*
 * Within 2 KiB above sp there is stack: below it are the frames of whoever
 * called the thread's function, above it at least its thread-local storage.
 * So whatever s0 is, -8(s0) can be read here.  Bigger frames are C's.
 */
BEGIN __mcount_internal
.Lmiss:
	PROBE_NEAR .Lcount
	addi	t2, s0, -16
	sub	t2, t2, sp
	andi	t3, s0, 7
	sltiu	t2, t2, 2032
	bnez	t3, .Lrecord
	beqz	t2, .Lrecord
	ld	t2, -8(s0)
	addi	t3, a1, 1
	BUCKET	t2, t3
	ld	t6, 0(t5)
	beq	t6, t4, .Lcount
	PROBE_NEAR .Lcount
.Lrecord:
	mv	a2, s0
	mv	a3, sp
	tail	mcount_record_caller
END __mcount_internal

END_OF_FILE
