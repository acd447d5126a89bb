/* SPDX-License-Identifier: 0BSD */
/* The link modes, and how a program is built and run in one. */
#include "tests/program.h"

#include <stdlib.h>
#include <string.h>

#define ALONE         "-nostartfiles %s/gcrt0.o"
#define FOUND         "-B%s/"
/* the compiler's own start and end files around the program */
#define FILE_OF(name) "$($LINKER -print-file-name=" name ") "

const struct mode modes[] = {
	{"gcrt0.o", "gcrt0.o", ALONE, ""},
	{"gcrt0.o -no-pie", "gcrt0.o", "-no-pie " ALONE, ""},
	{"gcrt0.o -static", "gcrt0.o", "-static " ALONE, ""},
	{"grcrt0.o -static-pie", "grcrt0.o",
	 "-static-pie -nostartfiles %s/grcrt0.o", ""},
	{"-B", "gcrt1.o", FOUND, ""},
	{"-B -no-pie", "gcrt1.o", "-no-pie " FOUND, ""},
	{"-B -static", "gcrt1.o", "-static " FOUND, ""},
	{"-B -static-pie", "grcrt1.o", "-static-pie " FOUND, ""},
	{"gcrt0.o crti.o crtbeginS.o ... crtendS.o crtn.o", "gcrt0.o",
	 ALONE " " FILE_OF("crti.o") FILE_OF("crtbeginS.o"),
	 FILE_OF("crtendS.o") FILE_OF("crtn.o")},
};
const int mode_count = sizeof modes / sizeof *modes;

const struct mode *const mode_alone = &modes[0];
const struct mode *const mode_alone_static = &modes[2];
const struct mode *const mode_found = &modes[4];
const struct mode *const mode_found_static = &modes[6];

static bool is_cxx(const char *source)
{
	const char *end = strrchr(source, '.');

	return end && strcmp(end, ".cc") == 0;
}

/* A name for what this command makes. */
static char *product_of(const char *source, const char *command)
{
	const char *slash = strrchr(source, '/');
	unsigned long hash = 5381;

	for (; *command; command++)
		hash = hash * 33 + (unsigned char)*command;
	return text("%s/%.*s-%lx", getenv("RUN_DIRECTORY"),
		    (int)strcspn(slash ? slash + 1 : source, "."),
		    slash ? slash + 1 : source, hash);
}

bool program_is_for_musl(void)
{
	return strstr(setting("CC"), "musl-gcc") != NULL;
}

bool program_is_checked(const char *checker, const char *reason)
{
	bool is_checked = strstr(setting("RUN"), checker) ||
			  strstr(setting("CC"), checker);

	if (is_checked && reason)
		skip("with %s: %s", checker, reason);
	return is_checked;
}

const char *program_archive(void)
{
	return program_is_for_musl() ? text("%s/libgmon.a", setting("BUILD"))
				     : "";
}

bool program_is_there(const char *source)
{
	static const struct {
		const char *end, *reason;
	} missing[] = {
		{".cc", "Debian has no C++ library for musl"},
		{"early.c", "musl's loader knows no indirect functions"},
		{"contexts.c", "musl has no swapcontext()"},
		{"steps_x86_64.c", "gcc's unwinder asks for _dl_find_object, "
				   "which is glibc's"},
	};

	for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
		if (program_is_for_musl() &&
		    strstr(source, missing[i].end) != NULL) {
			skip("%s: %s", source, missing[i].reason);
			return false;
		}
	return true;
}

char *program_build(const struct mode *mode, const char *source,
		    const char *flags)
{
	const char *compiler = setting(is_cxx(source) ? "CXX" : "CC");
	char *before = text(mode->before, setting("BUILD"));
	char *path = strchr(source, '/') ? text("%s", source)
					 : text("%s/tests/programs/%s",
						setting("SOURCE"), source);
	char *line = text("LINKER='%s'; %s -pg %s %s %s %s %s", compiler,
			  compiler, flags, before, path, mode->after,
			  strstr(mode->before, FOUND) ? program_archive() : "");
	char *program = product_of(path, line);

	if (!file_exists(program))
		command_output("/", "%s -o %s.$$ && mv %s.$$ %s", line, program,
			       program, program);
	return program;
}

/* The word of the mode that chooses the kind of program. */
static const char *kind_of(const struct mode *mode)
{
	if (strstr(mode->name, "-static-pie"))
		return "-static-pie";
	if (strstr(mode->name, "-static"))
		return "-static";
	return strstr(mode->name, "-no-pie") ? "-no-pie" : "";
}

/*
 * Link an empty program in that kind, without us, and run it: memcheck finds
 * fault with every static one.  Null or the complaint.
 */
static const char *kind_complaint(const char *kind)
{
	char *program = text("%s/empty%s", getenv("RUN_DIRECTORY"), kind);
	struct outcome outcome;

	if (file_exists(program))
		return NULL;
	outcome = command("/",
			  "echo 'int main(void) { return 0; }' | "
			  "%s %s -x c - -o %s.$$ || exit 1; "
			  "%s %s.$$ && mv %s.$$ %s || exit 2",
			  setting("CC"), kind, program, setting("RUN"),
			  program, program, program);
	if (outcome_exit(&outcome) == 1)
		return text("the toolchain cannot link so: %.*s",
			    (int)strcspn(outcome.err, "\n"), outcome.err);
	return outcome.status ? "an empty program fails so" : NULL;
}

bool mode_is_there(const struct mode *mode)
{
	const char *complaint;

	if (!file_exists(text("%s/%s", setting("BUILD"), mode->object))) {
		skip("%s: %s was not built: the C library has no start object "
		     "for it",
		     mode->name, mode->object);
		return false;
	}
	if (strcmp(mode->name, "-B -static-pie") == 0 &&
	    strncmp(setting("CC"), "clang", 5) == 0) {
		skip("%s: clang takes gcrt1.o for it, which cannot start; "
		     "gcrt-cc repairs that",
		     mode->name);
		return false;
	}
	complaint = kind_complaint(kind_of(mode));
	if (complaint)
		skip("%s: %s", mode->name, complaint);
	return !complaint;
}

struct outcome program_run(const char *directory, const char *program,
			   const char *arguments)
{
	return command(directory, "exec %s %s %s", setting("RUN"), program,
		       arguments);
}

struct outcome program_run_well(const char *program, const char *arguments)
{
	struct outcome outcome =
		program_run(directory_make(), program, arguments);

	ck_assert_msg(outcome.status == 0, "%s: wait status %#x\n%s%s", program,
		      outcome.status, outcome.out, outcome.err);
	return outcome;
}
