/* SPDX-License-Identifier: 0BSD */
/* TEXT_SIZE bytes of text, as big programs have them. */
	.text
	.type	big_text, %function
big_text:
	.skip	TEXT_SIZE
	.size	big_text, . - big_text
	.section .note.GNU-stack, "", %progbits
