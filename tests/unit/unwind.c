/* SPDX-License-Identifier: 0BSD */
/*
 * The registration of unwind data, whose hook the C library has run in this
 * very program: as it is, with a crtend.o, and once more as if without one.
 */
#include "tests/harness.h"
#include "tests/suites.h"

/* A name that no start file has. */
#define __TMC_END__ no_crtend
#include "crt/unwind.c"
#undef __TMC_END__

#include <string.h>

enum { WORDS = 16, LOAD = 2, FRAME_TABLE = 3, HEADERS = 4 };

/* The unwind data: each test lays out its own. */
extern uint32_t words[WORDS] __asm__("__EH_FRAME_BEGIN__");
uint32_t words[WORDS] = {4, 0xcccccccc, 0};
const char gcrt_frames_end[1];

/* The image begins with its headers, loaded 0x1000 above what they say. */
static ElfW(Phdr) headers[HEADERS] = {
	{.p_type = PT_PHDR},
	{.p_type = PT_LOAD},
	{.p_type = PT_LOAD},
	{.p_type = PT_LOAD},
};

static size_t size_of_image = sizeof words;

static void lay_out(void)
{
	uintptr_t bias = 0x1000, image = (uintptr_t)headers - bias;

	headers[0].p_vaddr = image;
	headers[1].p_vaddr = image;
	headers[1].p_filesz = 16;
	headers[LOAD].p_vaddr = (uintptr_t)words - bias;
	headers[LOAD].p_filesz = size_of_image;
	headers[LOAD + 1].p_vaddr = image;
	headers[LOAD + 1].p_filesz = 16;
}

unsigned long getauxval(unsigned long type)
{
	lay_out();
	return type == AT_PHDR	  ? (unsigned long)headers
	       : type == AT_PHNUM ? HEADERS
				  : 0;
}

static int registered, registered_before;
static const void *begin_registered;

/* Called before main: there is nobody yet who could be told of a failure. */
void __register_frame_info(const void *begin, void *object)
{
	begin_registered = begin;
	for (int i = 0; i < 6; i++) /* the unwinder writes there */
		((void **)object)[i] = object;
	registered++;
}

__attribute__((constructor(101))) static void construct(void)
{
	registered_before = registered;
}

/* One of two: crt/unwind.c itself has found crtend.o's symbol. */
START_TEST(before_constructors)
{
	ck_assert_int_eq(registered_before, 1);
	ck_assert_int_eq(registered, 1);
	ck_assert_ptr_eq(begin_registered, words);
}
END_TEST

START_TEST(a_table_serves)
{
	headers[FRAME_TABLE].p_type = PT_GNU_EH_FRAME;
	registered = 0;
	register_frames();
	ck_assert_int_eq(registered, 0);
}
END_TEST

static const struct {
	uint32_t words[WORDS];
	size_t size; /* of them, in the image */
	bool has_end;
} data[] = {
	{{0}, sizeof words, true},
	{{4, 1, 0}, sizeof words, true},
	{{8, 0, 0, 12, 1, 1, 1, 0}, sizeof words, true},
	{{8, 0, 0, 12, 1, 1, 1, 0}, 32, true},
	/* the image ends before the list does: in front of its zero */
	{{8, 0, 0, 12, 1, 1, 1, 0}, 30, false},
	{{8, 0, 0, 12, 1, 1, 1, 0}, 28, false},
	{{8, 0, 0, 12, 1, 1, 1, 0}, 24, false},
	{{8, 0, 0, 12, 1, 1, 1, 0}, 12, false},
	{{0}, 0, false},
	/* or a length leads out of it */
	{{8, 0, 0, 4000, 1, 1, 1, 0}, sizeof words, false},
	{{0x7ffffff0, 0, 0}, sizeof words, false},
	/* a 64-bit length: what follows is no list that we could read */
	{{0xffffffff, 4, 0, 0, 0}, sizeof words, false},
	{{4, 1, 0xffffffff, 4, 0, 0, 0}, sizeof words, false},
};

START_TEST(only_with_an_end)
{
	memcpy(words, data[_i].words, sizeof words);
	size_of_image = data[_i].size;
	registered = 0;
	register_frames();
	ck_assert_int_eq(registered, data[_i].has_end);
}
END_TEST

Suite *unit_unwind_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_unwind", &tcase);

	tcase_add_test(tcase, before_constructors);
	tcase_add_test(tcase, a_table_serves);
	tcase_add_loop_test(tcase, only_with_an_end, 0,
			    sizeof data / sizeof *data);
	return suite;
}
