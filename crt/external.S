/* SPDX-License-Identifier: 0BSD */
/*
 * The last code of the runtime.  <external> stands for every caller that is in
 * no known image: gprof drops an arc whose caller has no symbol, and with it
 * the callee's call count.  16 bytes, so that its bins are its own; in .text
 * with other code, so that no linker drops or folds it.  C and the assembler
 * cannot spell the name; the build renames it.
 */
#include "mcount/asm.h"

	.text
	.globl mcount_code_end
	.hidden mcount_code_end, gcrt_external
	.p2align 4
mcount_code_end:
BEGIN gcrt_external
	.skip	16 - (. - gcrt_external)
END gcrt_external

END_OF_FILE
