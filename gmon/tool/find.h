/* SPDX-License-Identifier: 0BSD */
/* Where the files of a profile's images are, and their debug files. */
#ifndef GMON_TOOL_FIND_H
#define GMON_TOOL_FIND_H

#include "gmon/tool/elffile.h"
#include "gmon/tool/images.h"

#define DEBUG_FOLDER "/usr/lib/debug"

struct places {
	const char *program; /* the main program's file; null: at its path */
	const char *root;  /* put before an image's path; null: none */
	const char *debug; /* where debug files are, besides DEBUG_FOLDER */
};

/*
 * Open an image's file: below the root, else at its path.  One with another
 * build-id than the image's, or a library that has none and other addresses of
 * its text, is not it.  False: the problem says why.
 */
bool find_image(const struct places *places, const struct image *image,
		struct elf_file *file, struct problem *problem);

/*
 * Open the file that has the symbols which were stripped off another one: by
 * build-id, else by the name in .gnu_debuglink.
 */
bool find_debug(const struct places *places, const struct elf_file *file,
		struct elf_file *debug);

#endif
