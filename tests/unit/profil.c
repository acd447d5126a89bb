/* SPDX-License-Identifier: 0BSD */
/* profil(): which bin a tick goes to, and what is refused. */
#include "profil/profil.h"
#include "gmon/state.h"
#include "tests/harness.h"
#include "tests/suites.h"
#include "tests/unit/fakes.h"
#include "tests/unit/tools.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct thread_ticks ticks;

/* glibc's <unistd.h> says that this argument is never null. */
static unsigned short *volatile none;

static void begin(void)
{
	struct options options;

	options_default(&options);
	state_start(&options);
}

static void tick(uintptr_t pc, uint32_t weight)
{
	ck_assert(fake_taker(&ticks, pc, weight));
}

/* A buffer somewhere in these bytes, and what they should be. */
static unsigned char bytes[256], due[256];
enum { START = 64 }; /* of the buffer, or one further */

/* Among numbers up to the highest the ends are drawn more often. */
static size_t draw(uint64_t *seed, size_t highest)
{
	size_t any = random_next(seed) >> random_below(seed, 64);

	switch (random_below(seed, 3)) {
	case 0:
		return random_below(seed, 5);
	case 1:
		return highest - random_below(seed, 5);
	default:
		return any <= highest ? any : any % highest;
	}
}

/* As the manual has it, in numbers without end. */
static void tick_is_due(size_t start, size_t size, size_t offset,
			unsigned scale, size_t pc)
{
	unsigned __int128 bin =
		(unsigned __int128)((pc - offset) / 2) * scale / 65536;
	uint16_t count;

	if (pc < offset || bin >= size / 2)
		return;
	memcpy(&count, due + start + 2 * (size_t)bin, sizeof count);
	count++;
	memcpy(due + start + 2 * (size_t)bin, &count, sizeof count);
}

/* Near the beginning of one of the bins, or anywhere. */
static size_t draw_pc(uint64_t *seed, size_t size, size_t offset,
		      unsigned scale)
{
	size_t bin = random_below(seed, size / 2 + 2);

	if (!scale || random_below(seed, 8) == 0)
		return draw(seed, SIZE_MAX);
	return offset + bin * 65536 / scale * 2 + random_below(seed, 9) - 4;
}

static void draw_one(uint64_t *seed)
{
	size_t start = START + random_below(seed, 2);
	size_t size = random_below(seed, 66);
	size_t offset = draw(seed, SIZE_MAX);
	unsigned scale = (unsigned)draw(seed, 65536);

	memset(bytes, 0, sizeof bytes);
	memset(due, 0, sizeof due);
	ck_assert_int_eq(profil((void *)(bytes + start), size, offset, scale),
			 0);
	ck_assert_int_eq(fake_is_on, size >= 2 && scale);
	for (int i = 0; i < 20; i++) {
		size_t pc = draw_pc(seed, size, offset, scale);

		tick(pc, 1);
		if (scale)
			tick_is_due(start, size, offset, scale, pc);
		ck_assert_msg(memcmp(bytes, due, sizeof bytes) == 0,
			      "size %zu offset %#zx scale %u pc %#zx", size,
			      offset, scale, pc);
	}
}

START_TEST(formula)
{
	uint64_t seed = (uint64_t)_i;

	begin();
	for (int i = 0; i < 500; i++)
		draw_one(&seed);
}
END_TEST

/* Scales that have a name in the manual. */
START_TEST(known_scales)
{
	static unsigned short bin[8];

	begin();
	profil(bin, sizeof bin, 0x1000, 65536);
	tick(0x1003, 1); /* a bin for 2 bytes */
	profil(bin, sizeof bin, 0x1000, 32768);
	tick(0x100b, 1); /* for 4 */
	profil(bin, sizeof bin, 0x1000, 16384);
	tick(0x101f, 1); /* for 8 */
	profil(bin, sizeof bin, 0x1000, 2);
	tick(0x1000 + 4 * 65536, 1); /* for 64 KiB */
	profil(bin, sizeof bin, 0, 1);
	tick((size_t)6 << 17, 1); /* for 128 KiB */
	for (int i = 0; i < 8; i++)
		ck_assert_uint_eq(bin[i], i && i != 5 && i != 7);
}
END_TEST

static void is_off(void)
{
	unsigned char before[sizeof bytes];

	memcpy(before, bytes, sizeof bytes);
	for (int i = 0; i < 8; i++)
		tick(0x1000 + (uintptr_t)i, 1);
	ck_assert(!fake_is_on);
	ck_assert(memcmp(bytes, before, sizeof bytes) == 0);
}

START_TEST(turned_off)
{
	unsigned short *bin = (void *)bytes;

	begin();
	ck_assert_int_eq(profil(bin, 64, 0x1000, 65536), 0);
	ck_assert(fake_is_on);
	ck_assert_int_eq(profil(none, 64, 0x1000, 65536), 0);
	is_off();
	ck_assert_int_eq(profil(bin, 64, 0x1000, 65536), 0);
	ck_assert_int_eq(profil(bin, 64, 0x1000, 0), 0);
	is_off();
	ck_assert_int_eq(profil(bin, 64, 0x1000, 65536), 0);
	ck_assert_int_eq(profil(bin, 0, 0x1000, 65536), 0);
	is_off();
	ck_assert_int_eq(profil(bin, 1, 0x1000, 65536), 0);
	is_off();
	/* nothing is looked at then */
	ck_assert_int_eq(profil((void *)8, 64, 0x1000, 0), 0);
	ck_assert_int_eq(profil((void *)8, 0, 0x1000, 65536), 0);
}
END_TEST

static void is_refused(int error, void *buffer, size_t size, unsigned scale)
{
	static unsigned short before[4];

	ck_assert_int_eq(profil(before, sizeof before, 0x1000, 65536), 0);
	errno = 0;
	ck_assert_int_eq(profil(buffer, size, 0x1000, scale), -1);
	ck_assert_int_eq(errno, error);
	is_off();
	ck_assert_uint_eq(before[0], 0);
}

START_TEST(refused)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *memory = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	begin();
	mprotect(memory + page, page, PROT_READ);
	is_refused(EINVAL, bytes, 64, 65537);
	is_refused(EINVAL, bytes, 64, 0xffffffff);
	is_refused(EINVAL, NULL, 0, 65537);
	is_refused(EFAULT, (void *)8, 64, 65536);
	is_refused(EFAULT, memory + page, 64, 1);
	is_refused(EFAULT, memory + page - 63, 64, 65536);
	is_refused(EFAULT, memory, 2 * page, 65536);
	is_refused(EFAULT, memory, SIZE_MAX, 65536);
	ck_assert_int_eq(profil((void *)(memory + page - 64), 64, 0, 1), 0);
}
END_TEST

START_TEST(before_start)
{
	errno = 0;
	ck_assert_int_eq(profil((void *)bytes, 64, 0x1000, 65536), -1);
	ck_assert_int_eq(errno, EAGAIN);
}
END_TEST

/* Successful calls and ticks leave errno alone. */
START_TEST(errno_is_kept)
{
	begin();
	errno = 77;
	ck_assert_int_eq(profil((void *)bytes, 64, 0x1000, 65536), 0);
	tick(0x1000, 1);
	ck_assert_int_eq(profil(none, 0, 0, 0), 0);
	ck_assert_int_eq(errno, 77);
}
END_TEST

/* What the rings still hold belongs to the old buffer. */
START_TEST(settles_first)
{
	int before;

	begin();
	profil((void *)bytes, 64, 0x1000, 65536);
	before = fake_settles;
	profil(none, 0, 0, 0);
	ck_assert_int_gt(fake_settles, before);
}
END_TEST

START_TEST(saturates)
{
	static unsigned short bin[3];

	begin();
	profil(bin, sizeof bin, 0x1000, 65536);
	tick(0x1002, 65534);
	ck_assert_uint_eq(bin[1], 65534);
	tick(0x1002, 1);
	tick(0x1002, 1);
	tick(0x1002, 1000000);
	ck_assert_uint_eq(bin[1], 65535);
	ck_assert_uint_eq(bin[0] + bin[2], 0);
}
END_TEST

static const uint32_t rates[] = {1, 7, 99, 100, 101, 250, 1000, 100000};
enum { RATE_COUNT = sizeof rates / sizeof *rates };

/* Bins count 10 ms, however often there are ticks. */
START_TEST(any_rate)
{
	static unsigned short bin[1];

	begin();
	fake_rate = rates[_i];
	profil(bin, sizeof bin, 0x1000, 65536);
	for (uint32_t second = 1; second <= 10; second++) {
		for (uint32_t i = 0; i < rates[_i]; i++)
			tick(0x1000, 1);
		ck_assert_uint_eq(bin[0], second * 100);
	}
	tick(0x1000, 50 * rates[_i]);
	ck_assert_uint_eq(bin[0], 6000);
}
END_TEST

/* Counting ends where the buffer goes, and another one can be given. */
START_TEST(buffer_goes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *memory = mmap(NULL, page, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned short *bin = (void *)memory;

	begin();
	ck_assert_int_eq(profil(bin, page, 0x1000, 65536), 0);
	tick(0x1000, 1);
	if (_i)
		munmap(memory, page);
	else
		mprotect(memory, page, PROT_READ);
	tick(0x1000, 1);
	if (_i)
		mmap(memory, page, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	else
		mprotect(memory, page, PROT_READ | PROT_WRITE);
	tick(0x1000, 1);
	ck_assert_uint_eq(bin[0], _i ? 0 : 1);
	ck_assert_int_eq(profil(bin, page, 0x1000, 65536), 0);
	tick(0x1000, 1);
	ck_assert_uint_eq(bin[0], _i ? 1 : 2);
}
END_TEST

Suite *unit_profil_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_profil", &tcase);

	tcase_add_loop_test(tcase, formula, 0, 8);
	tcase_add_test(tcase, known_scales);
	tcase_add_test(tcase, turned_off);
	tcase_add_test(tcase, refused);
	tcase_add_test(tcase, before_start);
	tcase_add_test(tcase, errno_is_kept);
	tcase_add_test(tcase, settles_first);
	tcase_add_test(tcase, saturates);
	tcase_add_loop_test(tcase, any_rate, 0, RATE_COUNT);
	tcase_add_loop_test(tcase, buffer_goes, 0, 2);
	return suite;
}
