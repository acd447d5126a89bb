/* SPDX-License-Identifier: 0BSD */
/* ELF files, by libelf.  They are not trusted. */
#include "gmon/tool/elffile.h"
#include "gmon/tool/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#define ID_SIZE_MAX 64

static bool take(struct elf_file *file, Elf *elf, const char *path,
		 struct problem *problem)
{
	file->elf = elf;
	if (!elf || elf_kind(elf) != ELF_K_ELF ||
	    !gelf_getehdr(elf, &file->header)) {
		problem_set(problem, "%s: not an ELF file", path);
		elf_file_close(file);
		return false;
	}
	file->path = memory_text(path, strlen(path));
	return true;
}

bool elf_file_open(struct elf_file *file, const char *path,
		   struct problem *problem)
{
	struct stat status;

	*file = (struct elf_file){.fd = -1};
	if (elf_version(EV_CURRENT) == EV_NONE)
		return problem_set(problem, "libelf: %s", elf_errmsg(-1));
	/* a FIFO or a device must neither block nor be touched */
	file->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (file->fd < 0)
		return problem_set(problem, "%s: %s", path, strerror(errno));
	if (fstat(file->fd, &status) || !S_ISREG(status.st_mode)) {
		elf_file_close(file);
		return problem_set(problem, "%s: not a regular file", path);
	}
	return take(file, elf_begin(file->fd, ELF_C_READ, NULL), path, problem);
}

bool elf_file_open_vdso(struct elf_file *file)
{
	unsigned long start = getauxval(AT_SYSINFO_EHDR);
	const unsigned char *ident = (const unsigned char *)start;
	struct problem ignored;
	size_t size;

	*file = (struct elf_file){.fd = -1};
	if (!start || elf_version(EV_CURRENT) == EV_NONE)
		return false;
	/* the kernel's file ends with its section headers */
	if (ident[EI_CLASS] == ELFCLASS64) {
		const Elf64_Ehdr *header = (const Elf64_Ehdr *)start;

		size = header->e_shoff +
		       (size_t)header->e_shnum * header->e_shentsize;
	} else {
		const Elf32_Ehdr *header = (const Elf32_Ehdr *)start;

		size = header->e_shoff +
		       (size_t)header->e_shnum * header->e_shentsize;
	}
	return take(file, elf_memory((char *)start, size), "[vdso]", &ignored);
}

void elf_file_close(struct elf_file *file)
{
	if (file->elf)
		elf_end(file->elf);
	if (file->fd >= 0)
		close(file->fd);
	free(file->path);
	*file = (struct elf_file){.fd = -1};
}

struct target elf_file_target(const struct elf_file *file)
{
	return (struct target){
		.width = gelf_getclass(file->elf) == ELFCLASS32 ? 4 : 8,
		.big = file->header.e_ident[EI_DATA] == ELFDATA2MSB,
	};
}

/* The build-id among notes, or null. */
static char *id_in(Elf_Data *data)
{
	size_t at = 0, next, name, text;
	GElf_Nhdr note;

	while (data &&
	       (next = gelf_getnote(data, at, &note, &name, &text)) > 0) {
		const unsigned char *bytes =
			(const unsigned char *)data->d_buf + text;

		at = next;
		if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 ||
		    memcmp((char *)data->d_buf + name, "GNU", 4) ||
		    note.n_descsz == 0 || note.n_descsz > ID_SIZE_MAX)
			continue;
		char *id = memory_zeroed(2 * note.n_descsz + 1, 1);

		for (size_t i = 0; i < note.n_descsz; i++)
			sprintf(id + 2 * i, "%02x", bytes[i]);
		return id;
	}
	return NULL;
}

char *elf_file_id(const struct elf_file *file)
{
	Elf_Scn *section = NULL;
	size_t count = 0;
	char *id = NULL;

	while (!id && (section = elf_nextscn(file->elf, section))) {
		GElf_Shdr header;

		if (gelf_getshdr(section, &header) &&
		    header.sh_type == SHT_NOTE)
			id = id_in(elf_getdata(section, NULL));
	}
	elf_getphdrnum(file->elf, &count);
	for (size_t i = 0; !id && i < count; i++) {
		GElf_Phdr segment;

		if (gelf_getphdr(file->elf, (int)i, &segment) &&
		    segment.p_type == PT_NOTE)
			id = id_in(elf_getdata_rawchunk(
				file->elf, (int64_t)segment.p_offset,
				segment.p_filesz,
				segment.p_align == 8 ? ELF_T_NHDR8
						     : ELF_T_NHDR));
	}
	return id ? id : memory_text("-", 1);
}

bool elf_file_text(const struct elf_file *file, uint64_t *lowpc,
		   uint64_t *highpc)
{
	size_t count = 0;

	*lowpc = UINT64_MAX;
	*highpc = 0;
	elf_getphdrnum(file->elf, &count);
	for (size_t i = 0; i < count; i++) {
		GElf_Phdr segment;

		if (!gelf_getphdr(file->elf, (int)i, &segment) ||
		    segment.p_type != PT_LOAD || !(segment.p_flags & PF_X))
			continue;
		if (segment.p_vaddr < *lowpc)
			*lowpc = segment.p_vaddr;
		if (segment.p_vaddr + segment.p_memsz > *highpc)
			*highpc = segment.p_vaddr + segment.p_memsz;
	}
	return *lowpc < *highpc;
}

Elf_Scn *elf_file_section(const struct elf_file *file, unsigned type,
			  GElf_Shdr *header)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(file->elf, section)))
		if (gelf_getshdr(section, header) && header->sh_type == type)
			return section;
	return NULL;
}

Elf_Scn *elf_file_named(const struct elf_file *file, const char *wanted,
			GElf_Shdr *header)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(file->elf, &names))
		return NULL;
	while ((section = elf_nextscn(file->elf, section))) {
		const char *name;

		if (!gelf_getshdr(section, header))
			continue;
		name = elf_strptr(file->elf, names, header->sh_name);
		if (name && strcmp(name, wanted) == 0)
			return section;
	}
	return NULL;
}
