/* SPDX-License-Identifier: 0BSD */
/* What the unit suites share. */
#include "tests/unit/tools.h"
#include "gmon/warn.h"
#include "tests/harness.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { NOBODY = 65534 };

/* Weyl's sequence, mixed (splitmix64). */
uint64_t random_next(uint64_t *seed)
{
	uint64_t mixed = *seed += UINT64_C(0x9e3779b97f4a7c15);

	mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
	return mixed ^ mixed >> 31;
}

size_t random_below(uint64_t *seed, size_t limit)
{
	return (size_t)(random_next(seed) % limit);
}

char *text_at_edge(const char *string)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t size = strlen(string) + 1;
	size_t room = (size + page - 1) / page * page;
	char *start = mmap(NULL, room + page, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ck_assert_ptr_ne(start, MAP_FAILED);
	ck_assert_int_eq(mprotect(start + room, page, PROT_NONE), 0);
	return memcpy(start + room - size, string, size);
}

static void memory_put(struct sink *sink, const void *bytes, size_t size)
{
	struct memory_sink *memory = (struct memory_sink *)sink;

	if (memory->size + size > memory->room) {
		memory->room = 2 * (memory->size + size);
		memory->bytes = realloc(memory->bytes, memory->room);
		ck_assert_ptr_nonnull(memory->bytes);
	}
	memcpy(memory->bytes + memory->size, bytes, size);
	memory->size += size;
}

void memory_sink_open(struct memory_sink *memory)
{
	*memory = (struct memory_sink){.sink.put = memory_put};
}

static int saying = -1;

void saying_begin(void)
{
	saying = memfd_create("stderr", 0);
	ck_assert_int_ge(saying, 0);
	ck_assert_int_eq(dup2(saying, STDERR_FILENO), STDERR_FILENO);
	warn_start();
}

const char *said(void)
{
	static char text[16384];
	ssize_t size = pread(saying, text, sizeof text - 1, 0);

	ck_assert_int_ge(size, 0);
	text[size] = '\0';
	return text;
}

int lines_said(void)
{
	int count = 0;

	for (const char *line = said(); *line; count++) {
		ck_assert_msg(strncmp(line, "gcrt: ", 6) == 0, "said: %s",
			      line);
		line = strchr(line, '\n');
		ck_assert_ptr_nonnull(line);
		line++;
	}
	return count;
}

struct notebook {
	size_t size;
	char text[16384];
};

static struct notebook *notebook(void)
{
	static struct notebook *book;

	if (!book)
		book = mmap(NULL, sizeof *book, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(book, MAP_FAILED);
	return book;
}

void note(const char *format, ...)
{
	struct notebook *book = notebook();
	va_list arguments;
	char *words;

	va_start(arguments, format);
	words = text_valist(format, arguments);
	va_end(arguments);
	ck_assert_uint_lt(book->size + strlen(words) + 1, sizeof book->text);
	book->size += (size_t)sprintf(book->text + book->size, "%s%s",
				      book->size ? " " : "", words);
}

const char *notes(void)
{
	struct notebook *book = notebook();
	char *all = text("%.*s", (int)book->size, book->text);

	book->size = 0;
	return all;
}

bool signal_is_blocked(int signal)
{
	sigset_t mask;

	pthread_sigmask(SIG_BLOCK, NULL, &mask);
	return sigismember(&mask, signal);
}

bool signals_are_blocked(void)
{
	return signal_is_blocked(SIGTERM) && signal_is_blocked(SIGURG) &&
	       signal_is_blocked(SIGRTMAX);
}

void directory_enter(void)
{
	ck_assert_int_eq(chdir(directory_make()), 0);
}

void become_nobody(void)
{
	if (geteuid() != 0)
		return;
	ck_assert_int_eq(chown(".", NOBODY, NOBODY), 0);
	ck_assert_int_eq(setresgid(NOBODY, NOBODY, NOBODY), 0);
	ck_assert_int_eq(setresuid(NOBODY, NOBODY, NOBODY), 0);
}
