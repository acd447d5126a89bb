/* SPDX-License-Identifier: 0BSD */
/* sprofil()'s regions, and both calls among ticks and forks. */
#include "profil/profil.h"
#include "gmon/state.h"
#include "profil/forked.h"
#include "tests/harness.h"
#include "tests/suites.h"
#include "tests/unit/fakes.h"
#include "tests/unit/tools.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static struct thread_ticks ticks;

static void begin(void)
{
	struct options options;

	options_default(&options);
	state_start(&options);
}

static void tick(uintptr_t pc)
{
	ck_assert(fake_taker(&ticks, pc, 1));
}

enum { BINS = 16 };
static uint32_t wide[4][BINS];
static uint16_t narrow[4][BINS];

/* Region i covers BINS bins of `step` bytes from offset on. */
static struct prof region(int i, unsigned flags, size_t offset, size_t step)
{
	size_t bin_size = flags & PROF_UINT ? 4 : 2;

	return (struct prof){
		.pr_base = flags & PROF_UINT ? (void *)wide[i] : narrow[i],
		.pr_size = BINS * bin_size,
		.pr_off = offset,
		.pr_scale = 65536 * bin_size / step,
	};
}

static uint32_t bin_of(unsigned flags, int i, size_t bin)
{
	return flags & PROF_UINT ? wide[i][bin] : narrow[i][bin];
}

static uint32_t sum_of(unsigned flags)
{
	uint32_t sum = 0;

	for (int i = 0; i < 4; i++)
		for (size_t bin = 0; bin < BINS; bin++)
			sum += bin_of(flags, i, bin);
	return sum;
}

/* A tick at pc goes to this bin of region i, and nowhere else. */
static void goes_to(unsigned flags, uintptr_t pc, int i, size_t bin)
{
	uint32_t before = bin_of(flags, i, bin), sum = sum_of(flags);

	tick(pc);
	ck_assert_msg(bin_of(flags, i, bin) == before + 1, "pc %#zx", pc);
	ck_assert_uint_eq(sum_of(flags), sum + 1);
}

static const unsigned kinds[] = {PROF_USHORT, PROF_UINT};

/* A region with as many bytes as its text reaches all of it. */
START_TEST(bins_cover_alike)
{
	unsigned flags = kinds[_i];
	size_t step = flags & PROF_UINT ? 4 : 2;
	struct prof one = region(0, flags, 0x1000, step);

	begin();
	ck_assert_uint_eq(one.pr_scale, 65536);
	ck_assert_int_eq(sprofil(&one, 1, NULL, flags), 0);
	for (size_t at = 0; at < BINS * step; at++)
		goes_to(flags, 0x1000 + at, 0, at / step);
	tick(0x0fff);
	tick(0x1000 + BINS * step);
	ck_assert_uint_eq(sum_of(flags), BINS * step);
}
END_TEST

/* In any order; 3 is for what is nowhere else. */
START_TEST(disjoint)
{
	unsigned flags = kinds[_i];
	struct prof all[] = {
		region(1, flags, 0x5000, 16), region(0, flags, 0x1000, 4),
		region(3, flags, 0, 4), region(2, flags, 0x9000, 256)};

	all[2].pr_scale = 2;
	begin();
	ck_assert_int_eq(sprofil(all, 4, NULL, flags), 0);
	goes_to(flags, 0x1000, 0, 0); /* the very first one is no exception */
	goes_to(flags, 0x5000, 1, 0);
	goes_to(flags, 0x9000, 2, 0);
	goes_to(flags, 0x0fff, 3, 0);
	goes_to(flags, 0x103f, 0, 15);
	goes_to(flags, 0x1040, 3, 0);
	goes_to(flags, 0x50ff, 1, 15);
	goes_to(flags, 0x5100, 3, 0);
	goes_to(flags, 0x9fff, 2, 15);
	goes_to(flags, 0xa000, 3, 0);
	goes_to(flags, UINTPTR_MAX, 3, 0);
	goes_to(flags, 0, 3, 0);
}
END_TEST

/* The one that begins last has it; where it ends the outer one goes on. */
START_TEST(nested_and_overlapping)
{
	unsigned flags = kinds[_i];
	struct prof all[] = {region(0, flags, 0x1000, 64),
			     region(1, flags, 0x1100, 4),
			     region(2, flags, 0x1380, 16)};

	begin();
	ck_assert_int_eq(sprofil(all, 3, NULL, flags), 0);
	goes_to(flags, 0x10ff, 0, 3);
	goes_to(flags, 0x1100, 1, 0);
	goes_to(flags, 0x113f, 1, 15);
	goes_to(flags, 0x1140, 0, 5);
	goes_to(flags, 0x137f, 0, 13);
	goes_to(flags, 0x1380, 2, 0);
	goes_to(flags, 0x1400, 2, 8);
	goes_to(flags, 0x147f, 2, 15);
	tick(0x1480); /* there is no overflow bin */
	ck_assert_uint_eq(sum_of(flags), 8);
}
END_TEST

/* Regions without bins or scale are none, and leave the others alone. */
START_TEST(empty_regions)
{
	struct prof all[] = {region(0, 0, 0x1000, 2), region(1, 0, 0x1000, 2),
			     region(2, 0, 0x1000, 2), region(3, 0, 0x1000, 2)};

	all[1].pr_scale = 0;
	all[2].pr_base = NULL;
	all[3].pr_size = 1;
	begin();
	ck_assert_int_eq(sprofil(all, 4, NULL, 0), 0);
	goes_to(0, 0x1004, 0, 2);
	ck_assert_int_eq(sprofil(all + 1, 3, NULL, 0), 0);
	ck_assert(!fake_is_on);
}
END_TEST

START_TEST(the_period)
{
	struct timeval period = {7, 7};
	struct prof one = region(0, 0, 0x1000, 2);

	begin();
	ck_assert_int_eq(sprofil(&one, 1, &period, PROF_FAST), 0);
	ck_assert_int_eq(period.tv_sec, 0);
	ck_assert_int_eq(period.tv_usec, 10000);
	ck_assert_int_eq(sprofil(NULL, 0, NULL, 0), 0);
	ck_assert(!fake_is_on);
}
END_TEST

static void is_refused(int error, struct prof *regions, int count,
		       unsigned flags)
{
	struct prof before = region(0, 0, 0x1000, 2);

	ck_assert_int_eq(sprofil(&before, 1, NULL, 0), 0);
	errno = 0;
	ck_assert_int_eq(sprofil(regions, count, NULL, flags), -1);
	ck_assert_int_eq(errno, error);
	ck_assert(!fake_is_on);
	tick(0x1000);
	ck_assert_uint_eq(narrow[0][0], 0);
}

START_TEST(refused)
{
	struct prof two[] = {region(0, 0, 0x1000, 2), region(1, 0, 0x2000, 2)};
	struct prof *many = calloc(SPROFIL_MAX + 1, sizeof *many);

	begin();
	for (int i = 0; i <= SPROFIL_MAX; i++)
		many[i] = region(0, 0, 0x1000 * (size_t)i, 2);
	is_refused(ENOMEM, many, SPROFIL_MAX + 1, 0);
	is_refused(ENOMEM, many, INT32_MAX, 0);
	is_refused(EINVAL, many, -1, 0);
	is_refused(EINVAL, two, 2, 4);
	two[1].pr_scale = 65537;
	is_refused(EINVAL, two, 2, 0);
	two[1].pr_scale = (unsigned long)1 << (8 * sizeof(long) - 1);
	is_refused(EINVAL, two, 2, 0);
	two[1] = two[0];
	two[1].pr_base = (void *)8;
	is_refused(EFAULT, two, 2, 0);
	ck_assert_int_eq(sprofil(many, SPROFIL_MAX, NULL, 0), 0);
	tick(0x1000 * (SPROFIL_MAX - 1));
	ck_assert_uint_eq(narrow[0][0], 1);
}
END_TEST

/* 32 bits are as wide as they can be, also at an odd address. */
START_TEST(wide_saturates)
{
	static unsigned char bytes[8];
	struct prof one = {bytes + 1, 4, 0x1000, 65536};
	uint32_t bin = UINT32_MAX - 1;

	begin();
	memcpy(bytes + 1, &bin, sizeof bin);
	ck_assert_int_eq(sprofil(&one, 1, NULL, PROF_UINT), 0);
	for (int i = 0; i < 3; i++)
		tick(0x1000);
	memcpy(&bin, bytes + 1, sizeof bin);
	ck_assert_uint_eq(bin, UINT32_MAX);
	ck_assert_uint_eq(bytes[0] + bytes[5], 0);
}
END_TEST

/* profil() replaces what sprofil() set, and the other way round. */
START_TEST(replace_one_another)
{
	struct prof two[] = {region(0, PROF_UINT, 0x1000, 4),
			     region(1, PROF_UINT, 0, 4)};

	two[1].pr_scale = 2;
	begin();
	sprofil(two, 2, NULL, PROF_UINT);
	profil(narrow[2], sizeof narrow[2], 0x1000, 65536);
	goes_to(PROF_USHORT, 0x1002, 2, 1);
	tick(0x9000);
	ck_assert_uint_eq(sum_of(PROF_UINT), 0);
	sprofil(two, 2, NULL, PROF_UINT);
	goes_to(PROF_UINT, 0x1004, 0, 1);
	goes_to(PROF_UINT, 0x9000, 1, 0);
	ck_assert_uint_eq(sum_of(PROF_USHORT), 1);
}
END_TEST

enum { CHANGES = 1500 };
static _Atomic bool is_over;
static _Atomic uint32_t tick_count;

static void *tick_always(void *unused)
{
	struct thread_ticks mine = {0};

	while (!is_over) {
		fake_taker(&mine, 0x1002, 1);
		tick_count++;
	}
	return unused;
}

/*
 * Ticks in two threads while the buffer is replaced: when profil() returns
 * nobody uses the old one, which is unmapped at once.
 */
START_TEST(replaced_among_ticks)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	pthread_t threads[2];
	uint64_t counted = 0;

	begin();
	profil(narrow[0], sizeof narrow[0], 0x1000, 65536);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, tick_always, NULL);
	for (int i = 0; i < CHANGES; i++) {
		unsigned short *bin = mmap(NULL, page, PROT_READ | PROT_WRITE,
					   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		ck_assert_int_eq(profil(bin, page, 0x1000, 65536), 0);
		if (i % 8 == 0)
			usleep(50);
		ck_assert_int_eq(profil(bin, 0, 0, 0), 0);
		counted += bin[1];
		ck_assert_uint_eq(bin[0], 0);
		mprotect(bin, page, PROT_READ); /* whoever writes now dies */
		munmap(bin, page);
	}
	is_over = true;
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	ck_assert_uint_gt(counted, 0);
	ck_assert_uint_le(counted, tick_count);
}
END_TEST

/*
 * A child that comes while a tick of another thread is taken has no such
 * thread; whether it was fork() that made it or a system call.
 */
START_TEST(child_goes_on)
{
	pthread_t thread;
	int status;

	begin();
	profil(narrow[0], sizeof narrow[0], 0x1000, 65536);
	pthread_create(&thread, NULL, tick_always, NULL);
	for (int i = 0; i < 100; i++) {
		pid_t child = _i ? fork() : (pid_t)syscall(SYS_fork);

		if (child == 0) {
			uint16_t before;

			alarm(20);
			if (_i)
				profil_fork();
			profil(narrow[0], sizeof narrow[0], 0x1000, 65536);
			before = narrow[0][2];
			fake_taker(&ticks, 0x1004, 1);
			_exit(narrow[0][2] != before + 1);
		}
		ck_assert_int_eq(waitpid(child, &status, 0), child);
		ck_assert_int_eq(status, 0);
	}
	is_over = true;
	pthread_join(thread, NULL);
	ck_assert_uint_eq(narrow[0][2], 0);
}
END_TEST

Suite *unit_sprofil_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_sprofil", &tcase);

	tcase_add_loop_test(tcase, bins_cover_alike, 0, 2);
	tcase_add_loop_test(tcase, disjoint, 0, 2);
	tcase_add_loop_test(tcase, nested_and_overlapping, 0, 2);
	tcase_add_test(tcase, empty_regions);
	tcase_add_test(tcase, the_period);
	tcase_add_test(tcase, refused);
	tcase_add_test(tcase, wide_saturates);
	tcase_add_test(tcase, replace_one_another);
	tcase_add_test(tcase, replaced_among_ticks);
	tcase_add_loop_test(tcase, child_goes_on, 0, 2);
	return suite;
}
