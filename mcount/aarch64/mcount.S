/* SPDX-License-Identifier: 0BSD */
/*
 * AArch64.  One entry:
 *
 * _mcount: an ordinary call, which the compiler makes when the frame record
 * of the entered function is up.
 *
 *      stp x29, x30, [sp, -n]!;  mov x29, sp;  ...;  bl _mcount
 *
 *      GCC passes frompc in x0, clang before 20 passes nothing.  Neither takes
 *      -fomit-frame-pointer with -pg, so the frame record serves both.
 *
 * live     nothing but what any call keeps: x19-x29, sp, the low halves of
 *          v8-v15 (no vector register is touched, here or in C)
 * free     x0-x17; not x18, which is a nested function's chain or the
 *          platform's
 * frompc   [x29, 8], signed where the function signs it; selfpc  x30
 * stack    none of our own; C is entered by a branch and returns to the caller
 *
 *      x29 ->  0   caller's x29
 *              8   frompc
 */
#include "mcount/asm.h"

/* x11 = &threads_mine */
#ifdef GCRT_SHARED
#define MINE adrp x12, :gottprel:threads_mine;			\
	     ldr  x12, [x12, :gottprel_lo12:threads_mine];	\
	     mrs  x11, tpidr_el0;				\
	     add  x11, x11, x12
#else
#define MINE mrs  x11, tpidr_el0;				\
	     add  x11, x11, #:tprel_hi12:threads_mine, lsl #12;	\
	     add  x11, x11, #:tprel_lo12_nc:threads_mine
#endif

/* Goes on at \hit if the entry has the key; x12 is the bucket. */
.macro PROBE offset, hit
	ldr	x13, [x12, \offset]
	cmp	x13, x9
	b.eq	\hit
.endm

	.text
	.globl mcount_code
	PRIVATE mcount_code
mcount_code:

/*
 * The count is added to by ldxr/stxr and not by stadd: it is there on every
 * CPU, and on the line of a single writer no slower.  A signal clears the
 * monitor when its handler returns, so what the handler added is read again.
 */
BEGIN _mcount, 6
	adrp	x9, mcount_multiplier
	ldr	x9, [x9, :lo12:mcount_multiplier]
	mov	x1, x30			/* selfpc */
	.cfi_register x30, x1
	ldr	x30, [x29, 8]
	hint	7			/* xpaclri: take the signature off */
	mov	x0, x30			/* frompc */
	mov	x30, x1
	.cfi_restore x30
	cbz	x9, .Loff		/* profiling is off, or TLS not there */
	MINE
	madd	x9, x0, x9, x1		/* key = frompc * K + selfpc */
	ldr	x12, [x11]		/* the mask before the entries: */
	ldr	x13, [x11, 8]		/* a handler may grow the table */
	and	x12, x12, x9
	add	x12, x12, x13		/* the bucket */
	ldr	x13, [x12]
	cmp	x13, x9
	b.ne	.Lmiss
.Lcount:
	add	x12, x12, 8
1:	ldxr	x13, [x12]
	add	x13, x13, 1
	stxr	w14, x13, [x12]
	cbnz	w14, 1b
	ret

.Loff:
	adrp	x9, mcount_early
	ldrb	w9, [x9, :lo12:mcount_early]
	cbnz	w9, .Lrecord		/* before start the call is counted */
	ret
END _mcount

/* The three entries behind the bucket; ARCS_NEAR is 3. */
BEGIN __mcount_internal
.Lmiss:
	PROBE	16, 1f
	PROBE	32, 2f
	PROBE	48, 3f
.Lrecord:
	b	mcount_record
3:	add	x12, x12, 16
2:	add	x12, x12, 16
1:	add	x12, x12, 16
	b	.Lcount
END __mcount_internal

END_OF_FILE
