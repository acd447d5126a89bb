/* SPDX-License-Identifier: 0BSD */
/*
 * The two ends of the program's unwind data, where gcrt0.o is linked alone.
 * crtbegin.o has the first label under this very name (mold accepts no other),
 * crtend.o the zero that ends the list.  The linker places .eh_frame.* behind
 * every .eh_frame.
 */
#include "mcount/asm.h"

	.section .eh_frame, "a"
	.globl __EH_FRAME_BEGIN__
	.hidden __EH_FRAME_BEGIN__
__EH_FRAME_BEGIN__:

	.section .eh_frame.zzz, "a"
	.globl gcrt_frames_end
	.hidden gcrt_frames_end
	.p2align 2
gcrt_frames_end:
	.long 0

END_OF_FILE
