/* SPDX-License-Identifier: 0BSD */
/* The four sides, and what is built on them. */
#include "tests/ways/sides.h"
#include "tests/harness.h"
#include "tests/program.h"
#include "tests/ways/prefix.h"

#include <stdlib.h>
#include <string.h>

const struct side sides[SIDE_COUNT] = {
	{"glibc", false, false},
	{"glibc static", false, true},
	{"musl", true, false},
	{"musl static", true, true},
};

bool side_is_here(const struct side *side)
{
	if (side->musl)
		return prefix_has_musl();
	return prefix_has_glibc() &&
	       mode_is_there(side->is_static ? mode_found_static : mode_found);
}

static bool is_cxx(const char *source)
{
	const char *end = strrchr(source, '.');

	return end && strcmp(end, ".cc") == 0;
}

/* The compiler with what makes it ours, or as it is. */
static char *compiler(const struct side *side, bool cxx, bool plain)
{
	const char *name = side->musl ? "musl-gcc"
				      : setting(cxx ? "CXX" : "CC");

	return plain ? text("%s", name)
		     : text("%s='%s' %s/bin/gcrt-c%s -pg", cxx ? "CXX" : "CC",
			    name, prefix_path(), cxx ? "++" : "c");
}

/* Built beside its place, so that what is there is whole. */
static char *build(const struct side *side, const char *source, char *command,
		   const char *flags)
{
	char *program = text("%s/%.*s.%d%s", getenv("RUN_DIRECTORY"),
			     (int)strcspn(source, "."), source,
			     (int)(side - sides), flags);

	for (char *c = program; *c; c++)
		if (*c == ' ')
			*c = '_';
	if (!file_exists(program))
		command_output("/",
			       "%s -O1 -w -pthread %s %s %s/tests/programs/%s "
			       "-o %s.$$ && mv %s.$$ %s",
			       command, side->is_static ? "-static" : "",
			       flags, setting("SOURCE"), source, program,
			       program, program);
	return program;
}

char *side_build(const struct side *side, const char *source, bool plain)
{
	return build(side, source, compiler(side, is_cxx(source), plain),
		     plain ? "" : "-g");
}

char *side_build_plugin(const struct side *side, const char *source)
{
	return build(side, source, compiler(side, false, true),
		     "-shared -fPIC -fno-plt");
}
