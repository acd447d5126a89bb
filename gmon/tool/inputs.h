/* SPDX-License-Identifier: 0BSD */
/* What a verb works on: a program, its profiles, and where their files are. */
#ifndef GMON_TOOL_INPUTS_H
#define GMON_TOOL_INPUTS_H

#include "gmon/tool/find.h"
#include "gmon/tool/profile.h"
#include "gmon/tool/symbols.h"

struct inputs {
	const char *program; /* null: to be found */
	const char **files;
	size_t file_count, file_room;
	struct places places;
	const char *image; /* look at this one alone; null: at all */
	bool qualified;	   /* all names with @LIBRARY */
};

/* The options that set these: for getopt, and for --help. */
#define INPUTS_LETTERS "i:wr:d:h"
#define INPUTS_OPTIONS                                                         \
	{"image", required_argument, NULL, 'i'},                               \
		{"with-image", no_argument, NULL, 'w'},                        \
		{"root", required_argument, NULL, 'r'},                        \
		{"debug-dir", required_argument, NULL, 'd'},                   \
		{"help", no_argument, NULL, 'h'},                              \
	{                                                                      \
		NULL, 0, NULL, 0                                               \
	}
#define INPUTS_HELP                                                            \
	"  -i, --image=IMAGE    only what this library (or program), by\n"     \
	"                       path or name, does, calls, or is called for\n" \
	"  -w, --with-image     names of libraries' functions: NAME@LIBRARY\n" \
	"  -r, --root=DIR       look for the images below DIR first\n"         \
	"  -d, --debug-dir=DIR  look for debug files in DIR first\n"           \
	"  -h, --help           this text\n"

/* Take an option that verb_option told; false if it is not one of these. */
bool inputs_option(struct inputs *inputs, int option);

/*
 * Take the words of the command line: [PROGRAM] [FILE]...  Files not named are
 * looked for: PROFDIR, GMON_OUT_PREFIX, gmon.out.
 */
bool inputs_find(struct inputs *inputs, int argc, char **argv,
		 struct problem *problem);

/*
 * Add up the files; the images of the profile then have the program among
 * them, which is looked for if it was not named.
 */
bool inputs_read(struct inputs *inputs, struct profile *profile,
		 struct problem *problem);

/* Read the symbols of a profile's images. */
bool inputs_symbols(const struct inputs *inputs, const struct profile *profile,
		    struct symbols *symbols, struct problem *problem);

void inputs_free(struct inputs *inputs);

#endif
