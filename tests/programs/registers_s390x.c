/* SPDX-License-Identifier: 0BSD */
/*
 * s390x: r0, r2-r13, f0-f15, and r14 where it is the caller's, for _mcount and
 * __fentry__.
 *
 * calls main 1
 */
enum { REGISTER_COUNT = 13 /* r0, r2-r13 */, FLOAT_COUNT = 16 };
enum { SHIFT_STEP = 8, SHIFT_COUNT = 1, ENTRY_COUNT = 2 };
#include "registers.h"

void _mcount(void);
void __fentry__(void);
void exercise_mcount(struct trial *trial);
void exercise_fentry(struct trial *trial);

_Static_assert(offsetof(struct trial, before) == 40 &&
		       offsetof(struct trial, after) == 144 &&
		       offsetof(struct trial, float_before) == 256 &&
		       offsetof(struct trial, float_after) == 384,
	       "the offsets below");

/* %f0-%f15 to or from 8-byte words at offset(%r1) */
#define F(code, n, offset) "	" code " %f" #n "," offset "+8*" #n "(%r1)\n"
#define FLOATS(code, offset)                                                   \
	F(code, 0, offset) F(code, 1, offset) F(code, 2, offset)               \
	F(code, 3, offset) F(code, 4, offset) F(code, 5, offset)               \
	F(code, 6, offset) F(code, 7, offset) F(code, 8, offset)               \
	F(code, 9, offset) F(code, 10, offset) F(code, 11, offset)             \
	F(code, 12, offset) F(code, 13, offset) F(code, 14, offset)            \
	F(code, 15, offset)
/* The frame: 160 for what is called, trial, f8-f15. */
#define SAVED(code)                                                            \
	"	lgr %r1,%r15\n"                                                \
	F(code, 8, "104") F(code, 9, "104") F(code, 10, "104")                 \
	F(code, 11, "104") F(code, 12, "104") F(code, 13, "104")               \
	F(code, 14, "104") F(code, 15, "104")

/* `call` expects the entry in r1 and frompc in r14. */
#define EXERCISE(name, call, r0_before, r0_after)                              \
	__asm__("	.text\n"                                               \
		"	.globl " name "\n"                                     \
		"	.type " name ", @function\n"                           \
		name ":\n"                                                     \
		"	stmg %r6,%r15,48(%r15)\n"                              \
		"	aghi %r15,-240\n"                                      \
		SAVED("std")                                                   \
		"	stg %r2,160(%r15)\n"                                   \
		"	stg %r15,24(%r2)\n"                                    \
		"	lgr %r1,%r2\n"                                         \
		FLOATS("ld", "256")                                            \
		"	lg %r14,8(%r1)\n"                                      \
		r0_before                                                      \
		"	lmg %r2,%r13,48(%r1)\n"                                \
		"	lg %r1,0(%r1)\n"                                       \
		call                                                           \
		"	lg %r1,160(%r15)\n"                                    \
		r0_after                                                       \
		"	stmg %r2,%r13,152(%r1)\n"                              \
		"	stg %r15,32(%r1)\n"                                    \
		FLOATS("std", "384")                                           \
		SAVED("ld")                                                    \
		"	lmg %r6,%r15,288(%r15)\n"                              \
		"	br %r14\n"                                             \
		"	.size " name ", . - " name "\n")

EXERCISE("exercise_mcount",
	 "	stg %r14,8(%r15)\n	basr %r14,%r1\n",
	 "	lg %r0,40(%r1)\n", "	stg %r0,144(%r1)\n");
/* r0 is the return address, so r14 is compared in its place */
EXERCISE("exercise_fentry",
	 "	basr %r0,%r1\n",
	 "	stg %r14,40(%r1)\n", "	stg %r14,144(%r1)\n");

static const struct entry entries[ENTRY_COUNT] = {
	{"_mcount", _mcount, exercise_mcount, "exercise_mcount"},
	{"__fentry__", __fentry__, exercise_fentry, "exercise_fentry"},
};

#include "registers_words.h"
