/* SPDX-License-Identifier: 0BSD */
/*
 * 64-bit POWER, ELFv2.  One entry:
 *
 * _mcount: an ordinary call when the frame of the entered function is up.
 *
 *      mflr 0;  std 0,16(1);  stdu 1,-n(1);  bl _mcount;  nop
 *
 * live     nothing but what any call keeps: r1, r2, r13-r31, f14-f31, v20-v31,
 *          cr2-cr4
 * free     r0, r3-r12, cr0
 * frompc   16 bytes above where the back chain points;  selfpc  lr
 * stack    none of our own; C is entered by a branch, keeps lr in the frame of
 *          the entered function, and returns to it
 *
 *      r1 -> 0   back chain -> 0   back chain
 *            8   cr                8   cr
 *            16  lr of C           16  frompc
 *
 * Two doors: from another TOC by the first instruction, with r12 pointing at
 * it; from this one behind the two that set r2.
 */
#include "mcount/asm.h"

.macro OWN_TOC name
0:	addis	2, 12, .TOC. - 0b@ha
	addi	2, 2, .TOC. - 0b@l
	.localentry \name, . - \name
.endm

/* r6 = &threads_mine */
.macro MINE
#ifdef GCRT_SHARED
	addis	6, 2, threads_mine@got@tprel@ha
	ld	6, threads_mine@got@tprel@l(6)
	add	6, 6, threads_mine@tls
#else
	addis	6, 13, threads_mine@tprel@ha
	addi	6, 6, threads_mine@tprel@l
#endif
.endm

	.text
	.globl mcount_code
	PRIVATE mcount_code
mcount_code:

/*
 * The count is added to by ldarx/stdcx.: a handler's own stdcx. ends the
 * reservation, so what it added is read again.
 */
BEGIN _mcount, 6
	OWN_TOC	_mcount
	addis	5, 2, mcount_multiplier@toc@ha
	ld	5, mcount_multiplier@toc@l(5)
	ld	3, 0(1)
	mflr	4			/* selfpc */
	ld	3, 16(3)		/* frompc */
	cmpdi	5, 0
	beq-	.Loff			/* profiling is off, or TLS not there */
	MINE
	mulld	7, 3, 5
	add	7, 7, 4			/* key = frompc * K + selfpc */
	ld	8, 0(6)			/* the mask before the entries: */
	ld	9, 8(6)			/* a handler may grow the table */
	and	8, 8, 7
	add	8, 8, 9			/* the bucket */
	ld	9, 0(8)
	cmpd	9, 7
	bne-	.Lmiss
.Lcount:
	addi	8, 8, 8
1:	ldarx	9, 0, 8
	addi	9, 9, 1
	stdcx.	9, 0, 8
	bne-	1b
	blr

	/* the three entries behind the bucket; ARCS_NEAR is 3 */
.Lmiss:
	.rept	3
	ldu	9, 16(8)
	cmpd	9, 7
	beq	.Lcount
	.endr
.Lrecord:
	b	mcount_record

.Loff:
	addis	5, 2, mcount_early@toc@ha
	lbz	5, mcount_early@toc@l(5)
	cmpwi	5, 0
	bne	.Lrecord		/* before start the call is counted */
	blr
END _mcount

END_OF_FILE
