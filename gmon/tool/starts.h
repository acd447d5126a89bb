/* SPDX-License-Identifier: 0BSD */
/* Where functions begin, as unwinding data knows it even in stripped files. */
#ifndef GMON_TOOL_STARTS_H
#define GMON_TOOL_STARTS_H

#include "gmon/tool/elffile.h"

/* The number of addresses, and in *starts an array of them to be freed. */
size_t starts_read(const struct elf_file *file, uint64_t **starts);

#endif
