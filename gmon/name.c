/* SPDX-License-Identifier: 0BSD */
/* What the file is called. */
#include "gmon/name.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/utsname.h>

/* A file name has at most 255 bytes on Linux; PROFDIR/<pid>.<this> may not fit */
static char program[NAME_MAX + 1] = "a.out";

void name_start(const char *argv0)
{
	const char *slash = argv0 ? strrchr(argv0, '/') : NULL;
	const char *last = slash ? slash + 1 : argv0;

	if (!last || !*last)
		return;
	strncpy(program, last, sizeof program - 1);
}

/* A name that is being put together; once it is too long it stays so. */
struct name {
	char *text;
	size_t size;
	bool too_long;
};

static void put_char(struct name *name, char c)
{
	if (name->size == PATH_MAX - 1)
		name->too_long = true;
	else
		name->text[name->size++] = c;
}

static void put_string(struct name *name, const char *string)
{
	while (*string)
		put_char(name, *string++);
}

/* A value that must stay one component of the path. */
static void put_component(struct name *name, const char *string)
{
	for (; *string; string++)
		put_char(name, *string == '/' ? '_' : *string);
}

static void put_number(struct name *name, unsigned number)
{
	char digits[10];
	int count = 0;

	do
		digits[count++] = (char)('0' + number % 10);
	while (number /= 10);
	while (count)
		put_char(name, digits[--count]);
}

static void put_host(struct name *name)
{
	struct utsname host;
	int saved = errno;

	if (uname(&host) == 0)
		put_component(name, host.nodename);
	errno = saved;
}

static void put_pattern(struct name *name, const struct options *options,
			int pid)
{
	for (const char *p = options->file; *p; p++) {
		if (*p != '%') {
			put_char(name, *p);
			continue;
		}
		switch (*++p) {
		case 'p':
			put_number(name, (unsigned)pid);
			break;
		case 'n':
			put_component(name, program);
			break;
		case 'h':
			put_host(name);
			break;
		case 'r':
			put_component(name, options->rank);
			break;
		default: /* "%%" and "%:"; options.c lets nothing else by */
			put_char(name, *p);
		}
	}
}

static bool pattern_has_pid(const char *pattern)
{
	for (; *pattern; pattern++)
		if (*pattern == '%' && *++pattern == 'p')
			return true;
	return false;
}

bool name_has_pid(const struct options *options)
{
	if (options->file)
		return pattern_has_pid(options->file);
	return options->profdir || options->prefix;
}

int name_make(char text[PATH_MAX], const struct options *options, int pid,
	      bool child)
{
	struct name name = {.text = text};

	if (options->profdir && !*options->profdir)
		return 1;
	if (options->file) {
		put_pattern(&name, options, pid);
	} else if (options->profdir) {
		put_string(&name, options->profdir);
		put_char(&name, '/');
		put_number(&name, (unsigned)pid);
		put_char(&name, '.');
		put_component(&name, program);
	} else if (options->prefix) {
		put_string(&name, options->prefix);
		put_char(&name, '.');
		put_number(&name, (unsigned)pid);
	} else {
		put_string(&name, "gmon.out");
	}
	if (child && !name_has_pid(options)) {
		put_char(&name, '.');
		put_number(&name, (unsigned)pid);
	}
	text[name.size] = '\0';
	return name.too_long ? -ENAMETOOLONG : 0;
}
