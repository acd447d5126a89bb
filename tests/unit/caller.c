/* SPDX-License-Identifier: 0BSD */
/*
 * RISC-V: the caller is in a0, if a call of the program's text ends there;
 * else in the frame, if the function has one.  Code is read, never run: any
 * CPU can test it.
 */
#include "mcount/mcount.h"
#include "tests/harness.h"
#include "tests/suites.h"

#include <string.h>

/* Once more as in libgmon.so, which knows no begin of the text. */
#define __executable_start nowhere
#define mcount_record_caller in_library
#include "mcount/riscv64/caller.c"
#undef __executable_start
#undef mcount_record_caller

void mcount_record_caller(uintptr_t a0, uintptr_t selfpc, const uintptr_t *s0,
			  uintptr_t sp);

enum { TEXT_SIZE = 1024, NOP = 0x0001 };

/* The program's text: nothing but what a test writes there. */
extern uint16_t program[TEXT_SIZE / 2] __asm__("__executable_start");
uint16_t program[TEXT_SIZE / 2];
__asm__(".globl etext\n"
	".set etext, __executable_start + 1024");

static uintptr_t recorded_from, recorded_self;

void mcount_record(uintptr_t frompc, uintptr_t selfpc)
{
	recorded_from = frompc;
	recorded_self = selfpc;
}

static uintptr_t address(int at)
{
	return (uintptr_t)program + (uintptr_t)at;
}

/* Put an instruction of 2 or 4 bytes there; returns where it ends. */
static int put(int at, uint32_t instruction)
{
	program[at / 2] = (uint16_t)instruction;
	if ((instruction & 3) != 3)
		return at + 2;
	program[at / 2 + 1] = (uint16_t)(instruction >> 16);
	return at + 4;
}

static void clear(void)
{
	for (int i = 0; i < TEXT_SIZE / 2; i++)
		program[i] = NOP;
}

/* Bits [low, high] of a number, at `to`. */
static uint32_t bits(uint32_t number, int high, int low, int to)
{
	return (number >> low & ((1U << (high - low + 1)) - 1)) << to;
}

/* "sd s0, n(sp)" and "addi s0, sp, n", as the manual lays them out. */
static uint32_t sd(uint32_t n)
{
	return bits(n, 11, 5, 25) | 8 << 20 | 2 << 15 | 3 << 12 |
	       bits(n, 4, 0, 7) | 0x23;
}

static uint32_t c_sdsp(uint32_t n)
{
	return 7U << 13 | bits(n, 5, 3, 10) | bits(n, 8, 6, 7) | 8 << 2 | 2;
}

static uint32_t addi(uint32_t n)
{
	return n << 20 | 2 << 15 | 8 << 7 | 0x13;
}

static uint32_t c_addi4spn(uint32_t n)
{
	return bits(n, 5, 4, 11) | bits(n, 9, 6, 7) | bits(n, 2, 2, 6) |
	       bits(n, 3, 3, 5);
}

/* What the frame says, if it is asked. */
static _Alignas(16) const uintptr_t frame[] = {0, 4711, 0};

/* s0 so far above sp. */
static void record(uintptr_t a0, int size)
{
	mcount_record_caller(a0, address(900), frame + 2,
			     (uintptr_t)(frame + 2) - (uintptr_t)size);
}

static const struct {
	uint32_t instruction;
	bool is_call;
} returns[] = {
	{0x000000ef, true},  /* jal ra */
	{0xffdff0ef, true},  /* jal ra, backwards */
	{0x000300e7, true},  /* jalr ra, 0(t1) */
	{0x9782, true},	     /* c.jalr a5 */
	{0x9082, true},	     /* c.jalr ra */
	{0x9002, false},     /* c.ebreak */
	{0x8782, false},     /* c.jr a5 */
	{0x97ba, false},     /* c.add a5, a4 */
	{0x0000006f, false}, /* j */
	{0x000002ef, false}, /* jal t0, as the routines that save registers */
	{0x00030067, false}, /* jr t1 */
	{0x00a00513, false}, /* li a0, 10 */
};

/* A function with a frame, at 900: its a0 is believed or not. */
static void with_frame(void)
{
	clear();
	put(put(880, c_sdsp(16)), c_addi4spn(32));
}

START_TEST(after_a_call)
{
	int end;

	with_frame();
	end = put(100, returns[_i].instruction);
	record(address(end), 32);
	if (returns[_i].is_call) {
		ck_assert_uint_eq(recorded_from, address(end));
		ck_assert_uint_eq(recorded_self, address(900));
	} else {
		ck_assert_uint_eq(recorded_from, 4711);
		ck_assert_uint_eq(recorded_self, address(900) + 1);
	}
	in_library(address(end), address(900), frame + 2,
		   (uintptr_t)(frame + 2) - 32);
	ck_assert_uint_eq(recorded_from, 4711);
}
END_TEST

/* What lies outside the text, or at an odd address, is not even looked at. */
START_TEST(not_in_the_text)
{
	static const uint32_t call[2] = {0x00030003, 0x000300e7};
	const uintptr_t outside[] = {
		0, 1, 2, UINTPTR_MAX - 1, address(2), address(TEXT_SIZE + 2),
		address(105), (uintptr_t)(call + 2)};

	with_frame();
	memcpy((char *)program + 101, "\xef\0\0", 4);
	for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
		record(outside[i], 32);
		ck_assert_uint_eq(recorded_from, 4711);
	}
	/* both ends are in it */
	put(0, 0x000000ef);
	record(address(4), 32);
	ck_assert_uint_eq(recorded_from, address(4));
	put(TEXT_SIZE - 4, 0x000000ef);
	record(address(TEXT_SIZE), 32);
	ck_assert_uint_eq(recorded_from, address(TEXT_SIZE));
}
END_TEST

static bool asks_frame(int size)
{
	record(1, size);
	return recorded_from == 4711;
}

/* Both encodings, with every distance that they have. */
START_TEST(frames)
{
	for (uint32_t n = 0; n < 2000; n += 8) {
		clear();
		put(put(860, sd(n)), addi(n + 16));
		ck_assert_msg(asks_frame((int)n + 16), "n = %u", n);
		if (n > 504)
			continue;
		clear();
		put(put(860, c_sdsp(n)), c_addi4spn(n + 16));
		ck_assert_msg(asks_frame((int)n + 16), "n = %u, compressed", n);
		/* something between, as the other registers saved */
		clear();
		put(put(put(860, c_sdsp(n)), 0xe426), addi(n + 16));
		ck_assert_msg(asks_frame((int)n + 16), "n = %u, mixed", n);
	}
}
END_TEST

/* How far the prologue begins before its call. */
START_TEST(far_prologues)
{
	clear();
	put(put(900 - 254, c_sdsp(0)), c_addi4spn(16));
	ck_assert(asks_frame(16));
	clear();
	put(put(900 - 256, c_sdsp(0)), c_addi4spn(16));
	ck_assert(!asks_frame(16));
	/* the call itself, of 8 bytes or 4, is no prologue */
	clear();
	put(put(900 - 8, sd(0)), addi(16));
	ck_assert(asks_frame(16));
	clear();
	put(put(900 - 6, sd(0)), addi(16));
	ck_assert(!asks_frame(16));
}
END_TEST

static const uint32_t no_frames[][2] = {
	{NOP, NOP},
	{0xe822, NOP},	  /* s0 is saved, and then any register */
	{NOP, 0x1000},	  /* s0 is set */
	{0xe822, 0x0800}, /* s0 is saved elsewhere: 16(sp), and sp + 16 */
	{0xe422, 0x1000}, /* 8(sp), and sp + 32 */
	{0x1000, 0xe822}, /* in the wrong order */
	{0xe826, 0x1000}, /* s1 is saved */
	{0xe822, 0x1004}, /* s1 is set */
	{0x01213823, 0x02010413}, /* sd s2, 16(sp) */
	{0x00813823, 0x02040413}, /* addi s0, s0, 32 */
	{NOP, 0x00f10413},	  /* addi s0, sp, 15 */
};

START_TEST(without_frames)
{
	clear();
	put(put(860, no_frames[_i][0]), no_frames[_i][1]);
	mcount_record_caller(address(300), address(900), NULL, 0);
	ck_assert_uint_eq(recorded_from, address(300));
	ck_assert_uint_eq(recorded_self, address(900));
}
END_TEST

/* A frame right before is another function's, which ends in a return. */
START_TEST(of_the_function_before)
{
	clear();
	put(put(put(860, c_sdsp(16)), c_addi4spn(32)),
	    _i ? 0x00008067 : 0x8082);
	record(1, 32);
	ck_assert_uint_eq(recorded_from, 1);
}
END_TEST

/* Or in no return: s0 is the caller's. */
START_TEST(not_above_the_stack)
{
	static const struct {
		int size;
		bool is_frame;
	} sizes[] = {
		{32, true},  {16, false},   {48, false},      {-32, false},
		{0, false},  {2032, false}, {2064, true}, {1 << 19, true},
		{1 << 20, false},
	};

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		with_frame();
		record(1, sizes[i].size);
		ck_assert_msg((recorded_from == 4711) == sizes[i].is_frame,
			      "%d", sizes[i].size);
	}
	/* a frame begins at a multiple of 16 */
	mcount_record_caller(1, address(900), frame + 1,
			     (uintptr_t)(frame + 1) - 4096);
	ck_assert_uint_eq(recorded_from, 1);
}
END_TEST

Suite *unit_caller_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_caller", &tcase);

	tcase_add_loop_test(tcase, after_a_call, 0,
			    sizeof returns / sizeof *returns);
	tcase_add_test(tcase, not_in_the_text);
	tcase_add_test(tcase, frames);
	tcase_add_test(tcase, far_prologues);
	tcase_add_loop_test(tcase, without_frames, 0,
			    sizeof no_frames / sizeof *no_frames);
	tcase_add_loop_test(tcase, of_the_function_before, 0, 2);
	tcase_add_test(tcase, not_above_the_stack);
	return suite;
}
