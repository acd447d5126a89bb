/* SPDX-License-Identifier: 0BSD */
/* Lines of the image table. */
#include "gmon/tool/line.h"
#include "gmon/tool/memory.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IMAGE "image "
#define RANGE "range "

bool line_is_image(const char *line)
{
	return strncmp(line, IMAGE, strlen(IMAGE)) == 0;
}

bool line_is_range(const char *line)
{
	return strncmp(line, RANGE, strlen(RANGE)) == 0;
}

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

/* A lower-case hexadecimal number and the byte that must follow it. */
static bool read_number(const char **text, char end, uint64_t *number)
{
	unsigned digits = 0;

	for (*number = 0; digit_of(**text) >= 0; ++*text, digits++)
		*number = *number << 4 | (unsigned)digit_of(**text);
	if (!digits || digits > 16 || **text != end)
		return false;
	*text += end != '\0';
	return true;
}

static char *read_id(const char **text)
{
	size_t size = strspn(*text, "0123456789abcdef");
	char *id;

	if (!size && **text == '-')
		size = 1;
	if (!size || (*text)[size] != ' ')
		return NULL;
	id = memory_text(*text, size);
	*text += size + 1;
	return id;
}

/* %XX in either case becomes its byte; a NUL or a bad one makes it false. */
static bool unescape(char *text)
{
	char *to = text;

	for (; *text; text++) {
		int high, low;

		if (*text != '%') {
			*to++ = *text;
			continue;
		}
		high = digit_of((char)tolower((unsigned char)text[1]));
		low = high < 0 ? -1
			       : digit_of((char)tolower(
					 (unsigned char)text[2]));
		if (low < 0 || high + low == 0)
			return false;
		*to++ = (char)(high << 4 | low);
		text += 2;
	}
	*to = '\0';
	return true;
}

bool line_read_image(const char *line, struct image *image,
		     struct problem *problem)
{
	const char *text = line + strlen(IMAGE);

	image->path = NULL;
	image->id = read_id(&text);
	if (image->id && read_number(&text, ' ', &image->base) &&
	    read_number(&text, ' ', &image->lowpc) &&
	    read_number(&text, ' ', &image->highpc) &&
	    image->lowpc < image->highpc &&
	    image->base + image->lowpc < image->base + image->highpc && *text) {
		image->path = memory_text(text, strlen(text));
		if (unescape(image->path))
			return true;
	}
	free(image->id);
	free(image->path);
	return problem_set(problem, "image table: bad line \"%.200s\"", line);
}

bool line_read_range(const char *line, struct whole *whole,
		     struct problem *problem)
{
	const char *text = line + strlen(RANGE);
	uint64_t bins;

	if (!read_number(&text, ' ', &whole->lowpc) ||
	    !read_number(&text, ' ', &whole->highpc) ||
	    !read_number(&text, '\0', &bins) || !bins || bins > UINT32_MAX ||
	    whole->lowpc >= whole->highpc ||
	    (whole->highpc - whole->lowpc) % bins)
		return problem_set(problem, "image table: bad line \"%.200s\"",
				   line);
	whole->bin_count = (uint32_t)bins;
	return true;
}

char *line_of_image(const struct image *image)
{
	size_t size = strlen(image->id) + 3 * strlen(image->path) + 64;
	char *line = memory_zeroed(size, 1);
	char *to = line + sprintf(line, IMAGE "%s %" PRIx64 " %" PRIx64
				  " %" PRIx64 " ", image->id, image->base,
				  image->lowpc, image->highpc);

	for (const char *from = image->path; *from; from++) {
		unsigned char byte = (unsigned char)*from;

		if (byte < ' ' || byte == '%' || byte == 0x7f)
			to += sprintf(to, "%%%02X", byte);
		else
			*to++ = *from;
	}
	*to++ = '\n';
	*to = '\0';
	return line;
}
