/* SPDX-License-Identifier: 0BSD */
/*
 * The search table in .eh_frame_hdr: pairs of 32-bit offsets from the
 * section's begin, of a function and of its frame description.  Linkers write
 * no other encoding of it.
 */
#include "gmon/tool/starts.h"
#include "gmon/tool/memory.h"
#include "gmon/tool/walk.h"

/* DW_EH_PE_*: 4 bytes, unsigned or signed; relative to the section. */
#define UNSIGNED_4	    0x03
#define SIGNED_4_OF_SECTION 0x3b

/* version, three encodings, the frames' place, the count: all of 4 bytes */
enum { HEADER_SIZE = 12, FRAMES_ENCODING = 1, COUNT_ENCODING = 2,
       TABLE_ENCODING = 3, COUNT = 8, ENTRY_SIZE = 8 };

size_t starts_read(const struct elf_file *file, uint64_t **starts)
{
	bool big = elf_file_target(file).big;
	GElf_Shdr header;
	Elf_Scn *section = elf_file_named(file, ".eh_frame_hdr", &header);
	Elf_Data *data = section ? elf_rawdata(section, NULL) : NULL;
	const unsigned char *bytes = data ? data->d_buf : NULL;
	size_t count;

	*starts = NULL;
	if (!bytes || data->d_size < HEADER_SIZE || bytes[0] != 1 ||
	    (bytes[FRAMES_ENCODING] & 7) != UNSIGNED_4 ||
	    bytes[COUNT_ENCODING] != UNSIGNED_4 ||
	    bytes[TABLE_ENCODING] != SIGNED_4_OF_SECTION)
		return 0;
	count = get_u32(bytes + COUNT, big);
	if (count > (data->d_size - HEADER_SIZE) / ENTRY_SIZE)
		return 0;
	*starts = memory_zeroed(count, sizeof **starts);
	for (size_t i = 0; i < count; i++) {
		const unsigned char *entry = bytes + HEADER_SIZE +
					     i * ENTRY_SIZE;

		(*starts)[i] = header.sh_addr +
			       (uint64_t)(int32_t)get_u32(entry, big);
	}
	return count;
}
