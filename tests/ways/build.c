/* SPDX-License-Identifier: 0BSD */
/*
 * The command lines of the cells.  Each is a few variables of the shell and
 * one line that uses them, which is what a user would write.
 */
#include "tests/ways/build.h"
#include "tests/ways/prefix.h"

#include <string.h>

static const char *const compilers[LANGUAGE_COUNT][COMPILER_COUNT] = {
	[C] = {"gcc", "clang-14", "clang-19"},
	[CXX] = {"g++", "clang++-14", "clang++-19"},
	[FORTRAN] = {"gfortran"},
	[ADA] = {"gcc"},
	[OPENMP] = {"gcc", "clang-14", "clang-19"},
};

static const char *const sources[] = {
	[C] = "chains.c",	 [CXX] = "exceptions.cc",
	[FORTRAN] = "shapes.f90", [ADA] = "guarded.adb",
	[OPENMP] = "parallel.c",
};

static const char *const language_flags[] = {
	[C] = "",
	[CXX] = "-pthread",
	[FORTRAN] = "-fno-inline -fno-ipa-cp -fno-ipa-sra",
	[ADA] = "",
	[OPENMP] = "-fopenmp",
};

static const char *const linkers[] = {"bfd", "gold", "lld", "mold"};
static const char *const kinds[] = {"", "-no-pie", "-static", "-static-pie"};
static const char *const calls[] = {
	"-pg", "-pg -mfentry", "-finstrument-functions",
};
static const char *const extras[] = {
	"", "-ffunction-sections -fdata-sections", "", "", "-flto",
};
static const char *const link_extras[] = {
	"", "-Wl,--gc-sections", "-Wl,-z,now", "-Wl,--as-needed", "-flto",
};

/* $DRIVE links with the compiler, $WRAP with gcrt-cc. */
static const char *const way_lines[] = {
	[FOUND] = "$DRIVE -pg $MODE -B$FOUND $LINK",
	[ALONE] = "$DRIVE -pg $MODE -nostartfiles $DIR/$START $LINK",
	[WRAPPER] = "$WRAP $CALL $MODE $LINK",
	[PKG_CONFIG] = "$DRIVE $MODE $LINK $("
		       "PKG_CONFIG_PATH=$LIB/pkgconfig pkg-config --libs gcrt)",
	[CONFIG] = "$DRIVE --config $DIR/$CONFIG -pg $MODE $LINK",
	[ARCHIVE] = "$DRIVE -pg $MODE $LINK $DIR/libgmon.a",
	[PRELOAD] = "$DRIVE -pg $MODE $LINK",
	[PRELOAD_NOW] = "$DRIVE -pg $MODE $LINK -Wl,-z,now",
	[COMPILED_ONLY] = "$DRIVE $MODE $LINK",
};
/* musl's wrapper has its start objects on every line, but for these two */
static const char *const musl_lines[] = {
	[ALONE] = "$DRIVE -pg $MODE -nostartfiles $DIR/$START $LINK",
	[WRAPPER] = "$WRAP $CALL $MODE $LINK",
	[PKG_CONFIG] = "$DRIVE $MODE $LINK $("
		       "PKG_CONFIG_PATH=$LIB/pkgconfig pkg-config --libs gcrt)",
	[ARCHIVE] = "$DRIVE -pg $MODE $LINK $DIR/libgmon.a",
};

const char *cell_source(const struct cell *cell)
{
	return sources[cell->language];
}

static const char *compiler_of(const struct cell *cell)
{
	return cell->libc == MUSL ? "musl-gcc"
				  : compilers[cell->language][cell->compiler];
}

/* gnatlink wants the binder's file in its folder, and its name first. */
static char *drivers(const struct cell *cell)
{
	const char *compiler = compiler_of(cell);
	const char *wrapper = text("%s/bin/gcrt-%s", prefix_path(),
				   cell->language == CXX ? "c++" : "cc");
	const char *variable = cell->language == CXX ? "CXX" : "CC";

	if (cell->language == ADA)
		return text("gnatbind %s guarded.ali || exit; "
			    "DRIVE='gnatlink guarded.ali --LINK=gcc'; "
			    "WRAP='gnatlink guarded.ali --LINK=%s'",
			    cell->kind >= STATIC ? "-static" : "-shared",
			    wrapper);
	return text("DRIVE=%s; WRAP='env %s=%s %s'", compiler, variable,
		    compiler, wrapper);
}

static char *variables(const struct cell *cell)
{
	bool pie = cell->kind == STATIC_PIE, musl = cell->libc == MUSL;
	char *objects = prefix_objects(musl);

	return text("MODE=%s; CALL='%s'; DIR=%s; LIB=%s; FOUND=%s; START=%s; "
		    "CONFIG=%s; LINK='%s %s %s -fuse-ld=%s -o program'; %s",
		    kinds[cell->kind],
		    cell->call == INSTRUMENT ? calls[INSTRUMENT] : "-pg",
		    objects, prefix_library(musl),
		    cell->compiler == GCC ? text("%s/lib/gcrt", prefix_path())
					  : text("%s/", objects),
		    pie ? "grcrt0.o" : "gcrt0.o",
		    pie ? "gcrt-static-pie.cfg" : "gcrt.cfg",
		    cell->language == ADA ? "" : "program.o",
		    language_flags[cell->language], link_extras[cell->extra],
		    linkers[cell->linker], drivers(cell));
}

static struct outcome compile(const struct cell *cell, const char *directory,
			      const char *call)
{
	const char *programs = text("%s/tests/programs", setting("SOURCE"));
	const char *files = text("%s/%s -o program.o", programs,
				 cell_source(cell));

	if (cell->language == ADA)
		files = text("%s/guarded.adb %s/guards.adb", programs,
			     programs);
	return command(directory, "%s -O1 %s %s %s %s -c %s",
		       compiler_of(cell), call, kinds[cell->kind],
		       language_flags[cell->language], extras[cell->extra],
		       files);
}

static struct outcome build(const struct cell *cell, const char *directory,
			    const char *call, const char *line)
{
	struct outcome outcome = compile(cell, directory, call);

	if (outcome.status)
		return outcome;
	return command(directory, "%s; %s", variables(cell), line);
}

static bool is_preload(enum way way)
{
	return way == PRELOAD || way == PRELOAD_NOW || way == COMPILED_ONLY;
}

struct trial cell_try(const struct cell *cell)
{
	char *directory = directory_make();
	const char *line = cell->libc == MUSL ? musl_lines[cell->way]
					      : way_lines[cell->way];
	struct trial trial = {0};

	trial.build = build(cell, directory, calls[cell->call], line);
	if (trial.build.status == 0)
		trial.run = command(directory, "GMON_OPTIONS=verbose=1 %s%s%s "
					       "./program",
				    is_preload(cell->way) ? "LD_PRELOAD=" : "",
				    is_preload(cell->way)
					    ? prefix_library(false) : "",
				    is_preload(cell->way) ? "/libgmon.so.1"
							  : "");
	return trial;
}

/* The line that says most, of what the tools wrote. */
static const char *reason_in(const char *err)
{
	static const char *const telling[] = {
		"undefined reference", "undefined symbol", "cannot find",
		"not found",	       "unknown option",   "unknown argument",
		"rror: ",	       "",
	};
	const char *line = NULL;

	for (size_t i = 0; !line; i++)
		line = strstr(err, telling[i]);
	while (line > err && line[-1] != '\n')
		line--;
	return text("%.*s", (int)strcspn(line, "\n"), line);
}

const char *cell_complaint(const struct cell *cell)
{
	struct outcome outcome = compile(cell, directory_make(), "");

	if (outcome_exit(&outcome) == 127)
		return text("there is no %s", compiler_of(cell));
	if (strstr(outcome.err, "cannot execute")) /* gcc without the language */
		return reason_in(outcome.err);
	if (outcome.status) /* the program is wrong, not the toolchain */
		return NULL;
	outcome = command(outcome.directory, "%s; $DRIVE $MODE $LINK",
			  variables(cell));
	if (outcome.status)
		return reason_in(outcome.err);
	outcome = command(outcome.directory, "./program");
	return outcome.status ? text("what it makes ends with wait status %#x",
				     outcome.status)
			      : NULL;
}
