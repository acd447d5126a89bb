/* SPDX-License-Identifier: 0BSD */
/*
 * The matrix: every way in which a user may come to a profiled program.  A
 * cell is one of them.
 */
#ifndef TESTS_CELLS_H
#define TESTS_CELLS_H

#include <stdbool.h>

enum libc { GLIBC, MUSL, LIBC_COUNT };
enum compiler { GCC, CLANG_14, CLANG_19, COMPILER_COUNT };
enum linker { BFD, GOLD, LLD, MOLD, LINKER_COUNT };
enum kind { PIE, NO_PIE, STATIC, STATIC_PIE, KIND_COUNT };
enum way {
	FOUND,	       /* -B */
	ALONE,	       /* -nostartfiles gcrt0.o */
	WRAPPER,       /* gcrt-cc, gcrt-c++ */
	PKG_CONFIG,    /* pkg-config gcrt */
	CONFIG,	       /* clang --config */
	ARCHIVE,       /* libgmon.a under the C library's own start object */
	PRELOAD,       /* libgmon.so over the C library's runtime */
	PRELOAD_NOW,   /* the same, with -z now */
	COMPILED_ONLY, /* libgmon.so, and -pg forgotten at the link */
	WAY_COUNT
};
enum call { PG, FENTRY, INSTRUMENT, CALL_COUNT };
enum extra { PLAIN, GC_SECTIONS, NOW, AS_NEEDED, LTO, EXTRA_COUNT };
enum language { C, CXX, FORTRAN, ADA, OPENMP, LANGUAGE_COUNT };

struct cell {
	enum libc libc;
	enum compiler compiler;
	enum linker linker;
	enum kind kind;
	enum way way;
	enum call call;
	enum extra extra;
	enum language language;
};

/* Words that name the cell, blanks between them. */
char *cell_name(const struct cell *cell);

/* The same without the way in and the kind of call: the toolchain's part. */
char *cell_toolchain(const struct cell *cell);

/* Compiler, kind and way alone. */
char *cell_kind(const struct cell *cell);

/* The choices that the matrix has: the others make no sense. */
bool cell_is_there(const struct cell *cell);

/* Those of them that `make check` looks at. */
bool cell_is_core(const struct cell *cell);

/* Null, or why this cell is known not to work, whatever we do. */
const char *cell_limit(const struct cell *cell);

#endif
