/* SPDX-License-Identifier: 0BSD */
/* Images: found through their program headers. */
#include "gmon/images.h"

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <string.h>
#include <sys/auxv.h>

/*
 * The text of an image: from its first to its last executable segment.  Its
 * begin is that of the segment, not of the ELF header, since gprof shows time
 * before the first symbol in no line, yet counts it in the total.
 */
static bool text_find(struct image *image, const ElfW(Phdr) * header,
		      size_t count)
{
	image->lowpc = UINTPTR_MAX;
	image->highpc = 0;
	for (size_t i = 0; i < count; i++) {
		uintptr_t end = header[i].p_vaddr + header[i].p_memsz;

		if (header[i].p_type != PT_LOAD || !(header[i].p_flags & PF_X))
			continue;
		if (header[i].p_vaddr < image->lowpc)
			image->lowpc = header[i].p_vaddr;
		if (end > image->highpc)
			image->highpc = end;
	}
	return image->lowpc < image->highpc;
}

/*
 * PT_PHDR tells where the headers would be without a bias.  Static programs
 * have none; there the ELF header, which lies before them in the first
 * segment, tells whether the program is position-independent.
 */
static uintptr_t bias_find(const ElfW(Phdr) * header, size_t count)
{
	const ElfW(Ehdr) *file = (const ElfW(Ehdr) *)header - 1;
	const ElfW(Phdr) *first = NULL;

	for (size_t i = 0; i < count; i++) {
		if (header[i].p_type == PT_PHDR)
			return (uintptr_t)header - header[i].p_vaddr;
		if (header[i].p_type == PT_LOAD && !first)
			first = &header[i];
	}
	if (!first || first->p_offset || memcmp(file, ELFMAG, SELFMAG) ||
	    file->e_type != ET_DYN)
		return 0;
	return (uintptr_t)file - first->p_vaddr;
}

bool images_main(struct image *image)
{
	const ElfW(Phdr) *header = (const void *)getauxval(AT_PHDR);
	size_t count = getauxval(AT_PHNUM);

	if (!header || !text_find(image, header, count))
		return false;
	image->bias = bias_find(header, count);
	return true;
}
