/* SPDX-License-Identifier: 0BSD */
/* JSON strings: UTF-8 in, or it is replaced. */
#include "gmon/tool/json.h"

#include <stdint.h>

/* The length of the UTF-8 character at `text`, 0 if it is none. */
static size_t character_size(const unsigned char *text)
{
	static const struct {
		unsigned char mask, lead;
		uint32_t least; /* shorter forms are not allowed */
	} kinds[] = {{0x80, 0x00, 0},
		     {0xe0, 0xc0, 0x80},
		     {0xf0, 0xe0, 0x800},
		     {0xf8, 0xf0, 0x10000}};

	for (size_t more = 0; more < 4; more++) {
		uint32_t code = text[0] & (unsigned char)~kinds[more].mask;

		if ((text[0] & kinds[more].mask) != kinds[more].lead)
			continue;
		for (size_t i = 1; i <= more; i++) {
			if ((text[i] & 0xc0) != 0x80)
				return 0;
			code = code << 6 | (text[i] & 0x3f);
		}
		if (code < kinds[more].least || code > 0x10ffff ||
		    (code >= 0xd800 && code < 0xe000))
			return 0;
		return more + 1;
	}
	return 0;
}

void json_string(const char *text, FILE *file)
{
	const unsigned char *c = (const unsigned char *)text;

	fputc('"', file);
	while (*c) {
		size_t size = character_size(c);

		if (*c == '"' || *c == '\\')
			fprintf(file, "\\%c", *c);
		else if (*c < ' ' || *c == 0x7f)
			fprintf(file, "\\u%04x", *c);
		else if (size == 0)
			fputs("\\ufffd", file);
		else
			fwrite(c, 1, size, file);
		c += size ? size : 1;
	}
	fputc('"', file);
}
