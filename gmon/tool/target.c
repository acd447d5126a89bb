/* SPDX-License-Identifier: 0BSD */
/* Programs, told from profiles. */
#include "gmon/tool/target.h"
#include "gmon/tool/elffile.h"

bool target_read(const char *program, struct target *target,
		 struct problem *problem)
{
	struct elf_file file;

	if (!elf_file_open(&file, program, problem))
		return false;
	*target = elf_file_target(&file);
	elf_file_close(&file);
	return true;
}

bool target_is_program(const char *name)
{
	struct target ignored;
	struct problem unsaid;

	return target_read(name, &ignored, &unsaid);
}
