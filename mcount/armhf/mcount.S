/* SPDX-License-Identifier: 0BSD */
/*
 * 32-bit ARM, from ARM and from Thumb code.  Two entries, one body:
 *
 * __gnu_mcount_nc (GCC): called before anything else, or behind the push of
 * the saved registers; takes its stacked word away and puts it back into lr.
 *
 *      push {lr};  bl __gnu_mcount_nc
 *
 *      frompc  [sp]         selfpc  lr
 *
 *   GCC wraps that in push {ip} / pop {ip} in a nested function.
 *
 * mcount (clang): an ordinary call, when the frame of the function is up.
 *
 *      push {..., r11, lr};  add r11, sp, n;  bl mcount       ARM
 *      push {..., r7, lr};   add r7, sp, n;   bl mcount       Thumb
 *
 *      frompc  [r11, #4] or [r7, #4]                selfpc  lr
 *
 * live     r0-r3  arguments;  d0-d7  arguments;  r4-r11, d8-d15
 * free     ip, flags, FPSCR's are untouched
 * bit 0    of both addresses says Thumb; it is cleared, since gprof looks for
 *          addresses of code
 * stack    GCC calls with any multiple of 4, so it is aligned here before C is
 *          called; both paths have saved five registers, and C is called with
 *          r4 pointing at
 *
 *      0    4    8    12   16   20   24       28
 *      r4   r5   r0   r1   r2   r3   selfpc   frompc
 *
 * The unwind opcodes say the same: take r0-r3 off, pc from selfpc, lr from
 * frompc.  (By lr alone a leaf, which has not saved it, could not be left.)
 * They hold where r4 does; elsewhere it is better to say nothing: unwinding
 * then ends, which a thread that is cancelled there survives.
 */
#include "mcount/asm.h"

	.syntax	unified
	.arm

/* r0 = &threads_mine; lr and ip are free */
.macro MINE
	mrc	p15, 0, r0, c13, c0, 3
	ldr	lr, .Lmine
#ifdef GCRT_SHARED
.Lmine_pc:
	ldr	lr, [pc, lr]
#endif
	add	r0, r0, lr
.endm

	.text
	.globl	mcount_code
	PRIVATE mcount_code
mcount_code:

BEGIN mcount
	.fnstart
	tst	lr, #1
	ldreq	ip, [r11, #4]
	ldrne	ip, [r7, #4]
	push	{ip}
	.cfi_adjust_cfa_offset 4
	b	__gnu_mcount_nc
	.cantunwind
	.fnend
END mcount

/*
 * The count is added to by ldrexd/strexd: the kernel clears the monitor when
 * it returns from a signal, so what its handler added is read again.
 */
BEGIN __gnu_mcount_nc, 6
	.fnstart
	.cantunwind
	.cfi_def_cfa_offset 4
	push	{r0-r3, lr}
	.cfi_adjust_cfa_offset 20
	.cfi_rel_offset lr, 16
	ldr	ip, .Lmultiplier
.Lmultiplier_pc:
	ldr	ip, [pc, ip]
	ldr	r2, [sp, #20]
	bic	r3, lr, #1		/* selfpc */
	bic	r2, r2, #1		/* frompc */
	cmp	ip, #0
	beq	.Loff			/* profiling is off, or TLS not there */
	MINE
	mla	ip, r2, ip, r3		/* frompc * K + selfpc */
	ldr	r1, [r0]		/* the mask before the entries: */
	ldr	r0, [r0, #4]		/* a handler may grow the table */
	and	ip, ip, r1
	ldr	r1, [r0, ip]!		/* r0: the bucket */
	cmp	r1, r2			/* the key is both addresses */
	ldreq	r1, [r0, #4]
	cmpeq	r1, r3
	bne	.Lmiss
.Lcount:
	add	r0, r0, #8
1:	ldrexd	r2, r3, [r0]
	adds	r2, r2, #1
	adc	r3, r3, #0
	strexd	ip, r2, r3, [r0]
	cmp	ip, #0
	bne	1b
.Lreturn:
	pop	{r0-r3, ip}
	.cfi_remember_state
	.cfi_adjust_cfa_offset -20
	.cfi_register lr, ip
	pop	{lr}
	.cfi_adjust_cfa_offset -4
	bx	ip
	.cfi_restore_state

	/* the three entries behind the bucket; ARCS_NEAR is 3 */
.Lmiss:
	.rept	3
	ldr	r1, [r0, #16]!
	cmp	r1, r2
	ldreq	r1, [r0, #4]
	cmpeq	r1, r3
	beq	.Lcount
	.endr

.Lrecord:
	push	{r4, r5}
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset r4, 0
	.cfi_rel_offset r5, 4
	mov	r4, sp
	.fnend
	.fnstart
	.cfi_def_cfa_register r4
	bic	sp, sp, #7
#ifdef __ARM_PCS_VFP
	vpush	{d0-d7}			/* the C library may use them */
#endif
	mov	r0, r2
	mov	r1, r3
	bl	mcount_record
#ifdef __ARM_PCS_VFP
	vpop	{d0-d7}
#endif
	mov	sp, r4
	/* vsp = r4; r4, r5; r0-r3; pc; lr */
	.unwind_raw 32, 0x94, 0xa1, 0xb1, 0x0f, 0x88, 0x00, 0x84, 0x00
	.fnend
	.fnstart
	.cantunwind
	.cfi_def_cfa_register sp
	pop	{r4, r5}
	.cfi_adjust_cfa_offset -8
	.cfi_restore r4
	.cfi_restore r5
	b	.Lreturn

.Loff:
	ldr	ip, .Learly
.Learly_pc:
	ldrb	ip, [pc, ip]
	cmp	ip, #0
	beq	.Lreturn
	b	.Lrecord		/* before start the call is counted */
	.fnend

	/* pc is two instructions ahead */
.Lmultiplier:
	.word	mcount_multiplier - (.Lmultiplier_pc + 8)
.Learly:
	.word	mcount_early - (.Learly_pc + 8)
.Lmine:
#ifdef GCRT_SHARED
	.word	threads_mine(gottpoff) + (. - .Lmine_pc - 8)
#else
	.word	threads_mine(tpoff)
#endif
END __gnu_mcount_nc

END_OF_FILE
