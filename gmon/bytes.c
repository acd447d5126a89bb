/* SPDX-License-Identifier: 0BSD */
/*
 * The few functions of <string.h> that the runtime and its compiler call.  The
 * C library's use vector registers, in which the arguments of the function
 * being entered are; and before relocation they cannot be reached.  These are
 * local to the runtime, and built without vector registers like all of it.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
	unsigned char *t = to;
	const unsigned char *f = from;

	for (; size >= sizeof(uintptr_t); size -= sizeof(uintptr_t)) {
		uintptr_t word;

		__builtin_memcpy(&word, f, sizeof word);
		__builtin_memcpy(t, &word, sizeof word);
		t += sizeof word;
		f += sizeof word;
	}
	while (size--)
		*t++ = *f++;
	return to;
}

void *memset(void *start, int byte, size_t size)
{
	unsigned char *at = start;

	while (size--)
		*at++ = (unsigned char)byte;
	return start;
}

int memcmp(const void *one, const void *other, size_t size)
{
	const unsigned char *a = one, *b = other;

	for (; size; size--, a++, b++)
		if (*a != *b)
			return *a - *b;
	return 0;
}

void *memchr(const void *start, int byte, size_t size)
{
	const unsigned char *at = start;

	for (; size; size--, at++)
		if (*at == (unsigned char)byte)
			return (void *)at;
	return NULL;
}

size_t strlen(const char *string)
{
	const char *end = string;

	while (*end)
		end++;
	return (size_t)(end - string);
}

int strncmp(const char *one, const char *other, size_t size)
{
	for (; size && *one && *one == *other; size--, one++, other++)
		;
	return size ? (unsigned char)*one - (unsigned char)*other : 0;
}

int strcmp(const char *one, const char *other)
{
	return strncmp(one, other, SIZE_MAX);
}

char *strchr(const char *string, int c)
{
	for (; *string != (char)c; string++)
		if (!*string)
			return NULL;
	return (char *)string;
}

char *strrchr(const char *string, int c)
{
	const char *last = NULL;

	do
		if (*string == (char)c)
			last = string;
	while (*string++);
	return (char *)last;
}

char *strcpy(char *restrict to, const char *restrict from)
{
	return memcpy(to, from, strlen(from) + 1);
}

char *strncpy(char *restrict to, const char *restrict from, size_t size)
{
	size_t i = 0;

	for (; i < size && from[i]; i++)
		to[i] = from[i];
	memset(to + i, 0, size - i);
	return to;
}
