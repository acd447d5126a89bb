/* SPDX-License-Identifier: 0BSD */
/* The bytes of the GNU format. */
#include "gmon/format.h"
#include "gmon/tool/encode.h"

#include <string.h>

void encode_number(const struct encoder *encoder, uint64_t number,
		   unsigned width)
{
	unsigned char bytes[8];

	for (unsigned i = 0; i < width; i++)
		bytes[encoder->target.big ? width - 1 - i : i] =
			(unsigned char)(number >> 8 * i);
	fwrite(bytes, 1, width, encoder->file);
}

void encode_header(const struct encoder *encoder)
{
	static const char spare[GMON_SPARE_SIZE];

	fwrite(GMON_MAGIC, 1, GMON_MAGIC_SIZE, encoder->file);
	encode_number(encoder, GMON_VERSION, 4);
	fwrite(spare, 1, sizeof spare, encoder->file);
}

void encode_arc(const struct encoder *encoder, uint64_t frompc, uint64_t selfpc,
		uint64_t count)
{
	do {
		uint64_t part = count < GMON_ARC_MAX ? count : GMON_ARC_MAX;

		encode_number(encoder, GMON_TAG_ARC, 1);
		encode_number(encoder, frompc, encoder->target.width);
		encode_number(encoder, selfpc, encoder->target.width);
		encode_number(encoder, part, 4);
		count -= part;
	} while (count);
}

void encode_line(const struct encoder *encoder, const char *line)
{
	size_t size = strlen(line);

	while (size) {
		size_t part = size < GMON_IMAGE_BYTES ? size : GMON_IMAGE_BYTES;
		uint64_t bytes = 0;

		for (size_t i = 0; i < part; i++)
			bytes |= (uint64_t)(unsigned char)line[i] << 8 * i;
		encode_arc(encoder, part, GMON_IMAGE_SELFPC, bytes);
		line += part;
		size -= part;
	}
}
