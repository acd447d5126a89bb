/* SPDX-License-Identifier: 0BSD */
/* The functions of one ELF file. */
#ifndef GMON_TOOL_ELFSYMBOLS_H
#define GMON_TOOL_ELFSYMBOLS_H

#include "gmon/tool/symbols.h"

/*
 * Add the functions in an image's text: by the symbol table of its file, or
 * of its debug file, or else by the dynamic one.  With the latter, and with
 * none, code of no name gets LIBRARY+0xADDRESS; sections that begin with no
 * symbol, as .plt, get LIBRARY!SECTION.
 */
void elf_symbols_read(struct symbols *symbols, const struct image *image,
		      const struct elf_file *file,
		      const struct places *places);

#endif
