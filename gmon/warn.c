/* SPDX-License-Identifier: 0BSD */
/* The one line that the runtime says, put together without stdio. */
#include "gmon/warn.h"
#include "gmon/kernel.h"
#include "gmon/quiet.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

enum { LINE_SIZE = 512 };

struct line {
	char text[LINE_SIZE];
	size_t size;
};

/* stderr as it was at start; nothing is written before that is known */
static struct {
	bool known;
	dev_t device;
	ino_t inode;
} at_start;

void warn_start(void)
{
	struct stat now;
	int saved = errno;

	if (fstat(STDERR_FILENO, &now) == 0) {
		at_start.device = now.st_dev;
		at_start.inode = now.st_ino;
		at_start.known = true;
	}
	errno = saved;
}

static bool stderr_is_ours(void)
{
	struct stat now;
	int saved = errno;
	bool same = at_start.known && fstat(STDERR_FILENO, &now) == 0 &&
		    now.st_dev == at_start.device &&
		    now.st_ino == at_start.inode;

	errno = saved;
	return same;
}

/* The last byte of the line is kept free for its newline. */
static void line_char(struct line *line, char c)
{
	if (line->size < LINE_SIZE - 1)
		line->text[line->size++] = c >= ' ' && c <= '~' ? c : '?';
}

static void line_string(struct line *line, const char *string)
{
	while (*string)
		line_char(line, *string++);
}

static void line_number(struct line *line, uint64_t number, int digits_least)
{
	char digits[20];
	int count = 0;

	do {
		digits[count++] = (char)('0' + number % 10);
		number /= 10;
	} while (number || count < digits_least);
	while (count)
		line_char(line, digits[--count]);
}

static void line_seconds(struct line *line, uint64_t milliseconds)
{
	uint64_t hundredths = (milliseconds + 5) / 10;

	line_number(line, hundredths / 100, 1);
	line_char(line, '.');
	line_number(line, hundredths % 100, 2);
}

/* strerror may allocate and translate; these are the ones a writer meets. */
static void line_error(struct line *line, int error)
{
	static const struct {
		int error;
		const char *text;
	} known[] = {
		{EACCES, "Permission denied"},
		{EAGAIN, "Resource temporarily unavailable"},
		{EBADF, "Bad file descriptor"},
		{EDQUOT, "Disk quota exceeded"},
		{EEXIST, "File exists"},
		{EFBIG, "File too large"},
		{EINVAL, "Invalid argument"},
		{EIO, "Input/output error"},
		{EISDIR, "Is a directory"},
		{ELOOP, "Too many levels of symbolic links"},
		{EMFILE, "Too many open files"},
		{ENAMETOOLONG, "File name too long"},
		{ENFILE, "Too many open files in system"},
		{ENOENT, "No such file or directory"},
		{ENOMEM, "Cannot allocate memory"},
		{ENOSPC, "No space left on device"},
		{ENOSYS, "Function not implemented"},
		{ENOTDIR, "Not a directory"},
		{EPERM, "Operation not permitted"},
		{EROFS, "Read-only file system"},
	};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (known[i].error == error) {
			line_string(line, known[i].text);
			return;
		}
	line_string(line, "error ");
	line_number(line, (uint64_t)error, 1);
}

void warn(const char *format, ...)
{
	struct line line = {.size = 0};
	va_list arguments;

	if (!stderr_is_ours())
		return;
	line_string(&line, "gcrt: ");
	va_start(arguments, format);
	for (; *format; format++) {
		if (*format != '%') {
			line_char(&line, *format);
			continue;
		}
		switch (*++format) {
		case '%':
			line_char(&line, '%');
			break;
		case 's':
			line_string(&line, va_arg(arguments, const char *));
			break;
		case 'u':
			line_number(&line, va_arg(arguments, uint64_t), 1);
			break;
		case 'd':
			line_number(&line, (unsigned)va_arg(arguments, int), 1);
			break;
		case 't':
			line_seconds(&line, va_arg(arguments, uint64_t));
			break;
		case 'e':
			line_error(&line, va_arg(arguments, int));
			break;
		}
	}
	va_end(arguments);
	line.text[line.size++] = '\n';
	quiet_write(STDERR_FILENO, line.text, line.size);
}
