/* SPDX-License-Identifier: 0BSD */
/*
 * The runtime's own string functions, under other names, against the C
 * library's: every size and alignment around a word, and at the edge of a page
 * that cannot be touched.
 */
#include "tests/harness.h"
#include "tests/suites.h"
#include "tests/unit/tools.h"

#include <limits.h>
#include <string.h>

#define memcpy	own_memcpy
#define memset	own_memset
#define memcmp	own_memcmp
#define memchr	own_memchr
#define strlen	own_strlen
#define strcmp	own_strcmp
#define strncmp own_strncmp
#define strchr	own_strchr
#define strrchr own_strrchr
#define strcpy	own_strcpy
#define strncpy own_strncpy

void *own_memcpy(void *restrict to, const void *restrict from, size_t size);
void *own_memset(void *start, int byte, size_t size);
int own_memcmp(const void *one, const void *other, size_t size);
void *own_memchr(const void *start, int byte, size_t size);
size_t own_strlen(const char *string);
int own_strcmp(const char *one, const char *other);
int own_strncmp(const char *one, const char *other, size_t size);
char *own_strchr(const char *string, int c);
char *own_strrchr(const char *string, int c);
char *own_strcpy(char *restrict to, const char *restrict from);
char *own_strncpy(char *restrict to, const char *restrict from, size_t size);

#include "gmon/bytes.c"

#undef memcpy
#undef memset
#undef memcmp
#undef memchr
#undef strlen
#undef strcmp
#undef strncmp
#undef strchr
#undef strrchr
#undef strcpy
#undef strncpy

enum { AREA = 64 };

START_TEST(blocks)
{
	for (size_t to = 0; to < 9; to++)
		for (size_t size = 0; size < 40; size++) {
			unsigned char ours[AREA], theirs[AREA], from[AREA];

			for (int i = 0; i < AREA; i++) {
				ours[i] = theirs[i] = (unsigned char)i;
				from[i] = (unsigned char)(200 + i * 7);
			}
			ck_assert_ptr_eq(own_memcpy(ours + to, from + _i, size),
					 ours + to);
			memcpy(theirs + to, from + _i, size);
			ck_assert_mem_eq(ours, theirs, AREA);
			own_memset(ours + to, 0x1ff, size);
			memset(theirs + to, 0xff, size);
			ck_assert_mem_eq(ours, theirs, AREA);
		}
}
END_TEST

static int sign(int number)
{
	return (number > 0) - (number < 0);
}

static const char *const strings[] = {
	"", "a", "b", "ab", "abc", "abd", "abcdefghijklmnop", "abcdefghijklmno",
	"\377", "a\377", "/usr/bin/a", "a//", "=",
};
enum { STRING_COUNT = sizeof strings / sizeof *strings };

/* Each pair of strings, each character, each size; nothing behind is read. */
START_TEST(strings_alike)
{
	const char *a = text_at_edge(strings[_i]);

	ck_assert_uint_eq(own_strlen(a), strlen(a));
	for (int c = 0; c < 256; c++) {
		ck_assert_ptr_eq(own_strchr(a, c), strchr(a, c));
		ck_assert_ptr_eq(own_strrchr(a, c), strrchr(a, c));
		ck_assert_ptr_eq(own_memchr(a, c, strlen(a) + 1),
				 memchr(a, c, strlen(a) + 1));
		ck_assert_ptr_eq(own_memchr(a, c, strlen(a) / 2),
				 memchr(a, c, strlen(a) / 2));
	}
	for (int i = 0; i < STRING_COUNT; i++) {
		const char *b = text_at_edge(strings[i]);
		size_t least = strlen(a) < strlen(b) ? strlen(a) : strlen(b);

		ck_assert_int_eq(sign(own_strcmp(a, b)), sign(strcmp(a, b)));
		ck_assert_int_eq(sign(own_memcmp(a, b, least)),
				 sign(memcmp(a, b, least)));
		for (size_t size = 0; size < 20; size++)
			ck_assert_int_eq(sign(own_strncmp(a, b, size)),
					 sign(strncmp(a, b, size)));
	}
}
END_TEST

START_TEST(copies)
{
	const char *from = text_at_edge(strings[_i]);
	char ours[AREA], theirs[AREA];

	for (size_t size = 0; size < 40; size++) {
		memset(ours, 'x', AREA);
		memset(theirs, 'x', AREA);
		ck_assert_ptr_eq(own_strcpy(ours, from), ours);
		strcpy(theirs, from);
		ck_assert_mem_eq(ours, theirs, AREA);
		ck_assert_ptr_eq(own_strncpy(ours, from, size), ours);
		strncpy(theirs, from, size);
		ck_assert_mem_eq(ours, theirs, AREA);
	}
}
END_TEST

Suite *unit_bytes_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_bytes", &tcase);

	tcase_add_loop_test(tcase, blocks, 0, 9);
	tcase_add_loop_test(tcase, strings_alike, 0, STRING_COUNT);
	tcase_add_loop_test(tcase, copies, 0, STRING_COUNT);
	return suite;
}
