/* SPDX-License-Identifier: 0BSD */
/* An ELF file, open: what a profile needs to know of it.  Read by libelf. */
#ifndef GMON_TOOL_ELFFILE_H
#define GMON_TOOL_ELFFILE_H

#include "gmon/tool/problem.h"
#include "gmon/tool/reader.h"

#include <gelf.h>
#include <stddef.h>
#include <stdint.h>

struct elf_file {
	Elf *elf;
	int fd; /* or -1: in memory */
	char *path;
	GElf_Ehdr header;
};

/* Null path, and nothing to close, if it cannot be opened or is not ELF. */
bool elf_file_open(struct elf_file *file, const char *path,
		   struct problem *problem);

/* The virtual library that the kernel maps into every process. */
bool elf_file_open_vdso(struct elf_file *file);

void elf_file_close(struct elf_file *file);

/* Address width and byte order. */
struct target elf_file_target(const struct elf_file *file);

/* The build-id in hex, or "-"; the caller's to free. */
char *elf_file_id(const struct elf_file *file);

/* The executable segments, from the first to the last.  False: none. */
bool elf_file_text(const struct elf_file *file, uint64_t *lowpc,
		   uint64_t *highpc);

/* The first section of a type, or with a name.  Null: none. */
Elf_Scn *elf_file_section(const struct elf_file *file, unsigned type,
			  GElf_Shdr *header);
Elf_Scn *elf_file_named(const struct elf_file *file, const char *name,
			GElf_Shdr *header);

#endif
