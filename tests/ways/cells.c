/* SPDX-License-Identifier: 0BSD */
/* Which cells there are, and how they are called. */
#include "tests/ways/cells.h"
#include "tests/harness.h"

static const char *const compiler_names[] = {"gcc", "clang-14", "clang-19"};
static const char *const linker_names[] = {"bfd", "gold", "lld", "mold"};
static const char *const kind_names[] = {"PIE", "no-pie", "static",
					 "static-pie"};
static const char *const way_names[] = {
	"-B",	      "gcrt0.o",    "gcrt-cc",
	"pkg-config", "--config",   "libgmon.a",
	"LD_PRELOAD", "LD_PRELOAD,now", "LD_PRELOAD,-pg-not-linked",
};
static const char *const call_names[] = {"-pg", "-mfentry",
					 "-finstrument-functions"};
static const char *const extra_names[] = {"", " --gc-sections", " -z,now",
					  " --as-needed", " -flto"};
static const char *const language_names[] = {"C", "C++", "Fortran", "Ada",
					     "OpenMP"};

char *cell_toolchain(const struct cell *cell)
{
	return text("%s %s %s %s %s%s", cell->libc == MUSL ? "musl" : "glibc",
		    compiler_names[cell->compiler], linker_names[cell->linker],
		    kind_names[cell->kind], language_names[cell->language],
		    extra_names[cell->extra]);
}

char *cell_name(const struct cell *cell)
{
	return text("%s %s %s", cell_toolchain(cell), way_names[cell->way],
		    call_names[cell->call]);
}

char *cell_kind(const struct cell *cell)
{
	return text("%s %s %s", compiler_names[cell->compiler],
		    kind_names[cell->kind], way_names[cell->way]);
}

static bool is_static(const struct cell *cell)
{
	return cell->kind == STATIC || cell->kind == STATIC_PIE;
}

static bool is_clang(const struct cell *cell)
{
	return cell->compiler != GCC;
}

static bool way_is_there(const struct cell *cell)
{
	switch (cell->way) {
	case PRELOAD:
	case PRELOAD_NOW:
	case COMPILED_ONLY:
		/* musl has no mcount: nothing links without libgmon */
		return !is_static(cell) && cell->libc == GLIBC;
	case CONFIG:
		return is_clang(cell) && cell->libc == GLIBC;
	case FOUND:
		/* musl's wrapper names its start object by its path */
		return cell->libc == GLIBC;
	default:
		return true;
	}
}

/* Debian has musl for gcc, and for C. */
static bool language_is_there(const struct cell *cell)
{
	switch (cell->language) {
	case FORTRAN:
	case ADA:
		return cell->compiler == GCC && cell->libc == GLIBC;
	case CXX:
	case OPENMP:
		return cell->libc == GLIBC;
	default:
		return true;
	}
}

bool cell_is_there(const struct cell *cell)
{
	int special = (cell->call != PG) + (cell->extra != PLAIN) +
		      (cell->language != C);

	if (cell->libc == MUSL && is_clang(cell))
		return false;
	if (special > 1 ||
	    (special == 1 && cell->way != FOUND && cell->way != ALONE &&
	     cell->way != WRAPPER && cell->way != PRELOAD &&
	     !(cell->way == ARCHIVE && cell->call != PG)))
		return false;
	return way_is_there(cell) && language_is_there(cell);
}

bool cell_is_core(const struct cell *cell)
{
	bool compiler = is_clang(cell), linker = cell->linker != BFD,
	     kind = cell->kind != PIE, way = cell->way != FOUND,
	     call = cell->call != PG, language = cell->language != C,
	     extra = cell->extra != PLAIN;
	int changes = compiler + linker + kind + way + call + extra + language;

	if (cell->libc == MUSL)
		return changes <= 1 + kind;
	return changes <= 1 ||
	       (changes == 2 && ((compiler && (way || kind || call)) ||
				 (kind && (linker || way || language))));
}

const char *cell_limit(const struct cell *cell)
{
	if (is_clang(cell) && cell->kind == STATIC_PIE &&
	    (cell->way == FOUND || cell->way == PKG_CONFIG ||
	     cell->way == ARCHIVE))
		return "clang takes gcrt1.o for -static-pie -pg, which cannot "
		       "start; gcrt-cc and gcrt-static-pie.cfg repair it";
	if (cell->linker == GOLD && cell->kind == STATIC &&
	    cell->way == ALONE && !is_clang(cell) &&
	    (cell->language == CXX || cell->language == ADA))
		return "gold leaves gcc's unwind data without an end or a "
		       "header; -Wl,--eh-frame-hdr makes one";
	return NULL;
}
