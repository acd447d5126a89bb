/* SPDX-License-Identifier: 0BSD */
/*
 * 64-bit RISC-V: the atomics of C on one and two bytes.  GCC before 13 has no
 * code for them and calls libatomic, which need not be there and may take
 * locks.  The CPU has 4-byte ones, so they change a part of the word.
 *
 * The C ABI.  All orders are served by the strongest.
 */
#include "mcount/asm.h"

/* a0 = the word of the pointer a0, t0 = the part's shift, t1 = its mask */
.macro PART mask
	andi	t0, a0, 3
	slliw	t0, t0, 3
	andi	a0, a0, -4
	li	t1, \mask
	sllw	t1, t1, t0
.endm

/* (pointer, desired, order): the old value */
.macro EXCHANGE name, mask, bits
	PRIVATE	\name
	BEGIN	\name
	PART	\mask
	sllw	a1, a1, t0
1:	lr.w.aqrl t2, (a0)
	xor	t3, t2, a1
	and	t3, t3, t1
	xor	t3, t3, t2		/* the word with the part replaced */
	sc.w.aqrl t4, t3, (a0)
	bnez	t4, 1b
	srlw	a0, t2, t0
	slli	a0, a0, 64 - \bits
	srli	a0, a0, 64 - \bits
	ret
	END	\name
.endm

/* (pointer, expected, desired, order, order): true, or *expected is updated */
.macro COMPARE_EXCHANGE name, mask, bits, load, store
	PRIVATE	\name
	BEGIN	\name
	PART	\mask
	\load	t5, (a1)
	sllw	t5, t5, t0
	sllw	a2, a2, t0
	and	a2, a2, t1
1:	lr.w.aqrl t2, (a0)
	and	t3, t2, t1
	bne	t3, t5, 2f
	xor	t3, t3, t2
	or	t3, t3, a2
	sc.w.aqrl t4, t3, (a0)
	bnez	t4, 1b
	li	a0, 1
	ret
2:	srlw	t3, t3, t0
	\store	t3, (a1)
	li	a0, 0
	ret
	END	\name
.endm

	.text
EXCHANGE __atomic_exchange_1, 0xff, 8
EXCHANGE __atomic_exchange_2, 0xffff, 16
COMPARE_EXCHANGE __atomic_compare_exchange_1, 0xff, 8, lbu, sb
COMPARE_EXCHANGE __atomic_compare_exchange_2, 0xffff, 16, lhu, sh

END_OF_FILE
