/* SPDX-License-Identifier: 0BSD */
/*
 * i386: the 64-bit atomics of C.  Told to use general registers only, GCC has
 * no instruction for them and calls libatomic, which need not be there, may
 * take locks, and may use x87 registers.  cmpxchg8b does all of them.
 *
 * The C ABI: arguments on the stack, a uint64_t result in edx:eax; ebx, esi,
 * edi and ebp are kept.  All orders are served by the strongest.
 *
 *      0    4    8        12       16 ...
 *      esi  ebx  return   pointer  the other arguments
 */
#include "mcount/asm.h"

.macro ATOMIC name
	PRIVATE	\name
	BEGIN	\name
	push	%ebx
	.cfi_adjust_cfa_offset 4
	.cfi_rel_offset %ebx, 0
	push	%esi
	.cfi_adjust_cfa_offset 4
	.cfi_rel_offset %esi, 0
	mov	12(%esp), %esi		/* pointer */
.endm

.macro ATOMIC_END name
	pop	%esi
	.cfi_adjust_cfa_offset -4
	.cfi_restore %esi
	pop	%ebx
	.cfi_adjust_cfa_offset -4
	.cfi_restore %ebx
	ret
	END	\name
.endm

/* Swaps nothing for the same nothing, or finds what is there. */
.macro LOAD
	mov	%ebx, %eax
	mov	%ecx, %edx
	lock cmpxchg8b (%esi)
.endm

/* *pointer = *pointer op argument; the old value is returned. */
.macro FETCH low, high
	LOAD
1:	mov	%eax, %ebx
	mov	%edx, %ecx
	\low	16(%esp), %ebx
	\high	20(%esp), %ecx
	lock cmpxchg8b (%esi)
	jne	1b
.endm

	.text
ATOMIC __atomic_load_8
	LOAD
ATOMIC_END __atomic_load_8

ATOMIC __atomic_store_8
	mov	16(%esp), %ebx
	mov	20(%esp), %ecx
1:	lock cmpxchg8b (%esi)		/* at last edx:eax is what is there */
	jne	1b
ATOMIC_END __atomic_store_8

ATOMIC __atomic_exchange_8
	mov	16(%esp), %ebx
	mov	20(%esp), %ecx
1:	lock cmpxchg8b (%esi)
	jne	1b
ATOMIC_END __atomic_exchange_8

ATOMIC __atomic_fetch_add_8
	FETCH	add, adc
ATOMIC_END __atomic_fetch_add_8

ATOMIC __atomic_fetch_sub_8
	FETCH	sub, sbb
ATOMIC_END __atomic_fetch_sub_8

/* (pointer, expected, desired, order, order): true, or *expected is updated */
ATOMIC __atomic_compare_exchange_8
	mov	16(%esp), %ecx		/* expected */
	mov	(%ecx), %eax
	mov	4(%ecx), %edx
	mov	20(%esp), %ebx
	mov	24(%esp), %ecx
	lock cmpxchg8b (%esi)
	mov	16(%esp), %ecx
	mov	%eax, (%ecx)
	mov	%edx, 4(%ecx)
	sete	%al			/* mov leaves the flags alone */
	movzbl	%al, %eax
ATOMIC_END __atomic_compare_exchange_8

END_OF_FILE
