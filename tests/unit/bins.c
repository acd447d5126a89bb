/* SPDX-License-Identifier: 0BSD */
/* Bins in memory that is not there, not writable, or goes away just now. */
#include "profil/bins.h"
#include "tests/harness.h"
#include "tests/suites.h"
#include "tests/unit/tools.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static size_t page;

/* Three pages, of which the last one cannot be accessed. */
static char *two_pages(int access)
{
	char *start;

	page = (size_t)sysconf(_SC_PAGESIZE);
	start = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(start, MAP_FAILED);
	for (size_t i = 0; i < 2 * page; i++)
		start[i] = (char)(i * 7);
	ck_assert_int_eq(mprotect(start, 2 * page, access), 0);
	ck_assert_int_eq(mprotect(start + 2 * page, page, PROT_NONE), 0);
	return start;
}

static void is_as_made(const char *start)
{
	for (size_t i = 0; i < 2 * page; i++)
		ck_assert_msg(start[i] == (char)(i * 7), "byte %zu", i);
}

START_TEST(writable)
{
	char *start = two_pages(PROT_READ | PROT_WRITE);

	ck_assert(bins_are_writable(start, 2 * page));
	ck_assert(bins_are_writable(start, 1));
	ck_assert(bins_are_writable(start + 1, 2 * page - 1));
	ck_assert(bins_are_writable(start + page - 1, 2));
	ck_assert(bins_are_writable(start + 2 * page - 1, 1));
	ck_assert(bins_are_writable(NULL, 0));
	ck_assert(!bins_are_writable(start, 2 * page + 1));
	ck_assert(!bins_are_writable(start + 2 * page, 1));
	ck_assert(!bins_are_writable(start + 2 * page - 1, 2));
	is_as_made(start);
}
END_TEST

START_TEST(not_writable)
{
	char *start = two_pages(PROT_READ);

	ck_assert(!bins_are_writable(start, 1));
	ck_assert(!bins_are_writable(start, 2 * page));
	ck_assert(!bins_are_writable(start + 1, 2));
	is_as_made(start);
	mprotect(start + page, page, PROT_READ | PROT_WRITE);
	ck_assert(!bins_are_writable(start, 2 * page));
	ck_assert(!bins_are_writable(start + page - 1, 2));
	ck_assert(bins_are_writable(start + page, page));
	mprotect(start, page, PROT_NONE);
	ck_assert(!bins_are_writable(start, 2 * page));
	munmap(start, page);
	ck_assert(!bins_are_writable(start, 2 * page));
	ck_assert(bins_are_writable(start + page, page));
}
END_TEST

static const struct {
	uintptr_t start;
	size_t size;
} nowhere[] = {
	{1, 1},
	{0, 1},
	{8, 1 << 20},
	{UINTPTR_MAX, 1},
	{UINTPTR_MAX - 1, 2},
	{UINTPTR_MAX, 2},
	{UINTPTR_MAX / 2 + 1, 4096},
	{UINTPTR_MAX - 4095, 4096},
};

enum { NOWHERE_COUNT = sizeof nowhere / sizeof *nowhere };

START_TEST(is_nowhere)
{
	char *start = two_pages(PROT_READ | PROT_WRITE);

	ck_assert(!bins_are_writable((char *)nowhere[_i].start,
				     nowhere[_i].size));
	ck_assert(!bins_are_writable(start, SIZE_MAX));
	ck_assert(!bins_are_writable(start, SIZE_MAX - (size_t)start + 1));
	ck_assert(!bins_are_writable(start, SIZE_MAX / 2));
	is_as_made(start);
}
END_TEST

/* Behind the end of a file there is a mapping, but no memory: SIGBUS. */
START_TEST(behind_file)
{
	FILE *file = tmpfile();
	char *start;

	two_pages(PROT_READ);
	start = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED,
		     fileno(file), 0);
	ck_assert_ptr_ne(start, MAP_FAILED);
	ck_assert(!bins_are_writable(start, 2));
	ck_assert(!bins_add(start, 2, 1));
	ck_assert_int_eq(ftruncate(fileno(file), 1), 0);
	ck_assert(bins_are_writable(start, 2));
	ck_assert(bins_add(start, 2, 7));
	ck_assert_int_eq(*start, 7);
}
END_TEST

static void adds(size_t size, uint32_t before, uint32_t count, uint32_t after)
{
	unsigned char bytes[12];
	uint32_t wide;
	uint16_t narrow;

	for (size_t at = 1; at < 6; at++) {
		memset(bytes, 0xa5, sizeof bytes);
		narrow = (uint16_t)before;
		memcpy(bytes + at, size == 2 ? (void *)&narrow : &before,
		       size);
		ck_assert(bins_add((char *)bytes + at, size, count));
		memcpy(&narrow, bytes + at, sizeof narrow);
		memcpy(&wide, bytes + at, sizeof wide);
		ck_assert_uint_eq(size == 2 ? narrow : wide, after);
		for (size_t i = 0; i < sizeof bytes; i++)
			ck_assert(i - at < size || bytes[i] == 0xa5);
	}
}

static void all_adds(void)
{
	adds(2, 0, 1, 1);
	adds(2, 255, 1, 256);
	adds(2, 65534, 1, 65535);
	adds(2, 65535, 1, 65535);
	adds(2, 65000, 535, 65535);
	adds(2, 65000, 536, 65535);
	adds(2, 7, UINT32_MAX, 65535);
	adds(4, 65535, 1, 65536);
	adds(4, UINT32_MAX - 1, 1, UINT32_MAX);
	adds(4, UINT32_MAX, 1, UINT32_MAX);
	adds(4, 5, UINT32_MAX - 5, UINT32_MAX);
	adds(4, 5, UINT32_MAX - 4, UINT32_MAX);
}

START_TEST(add)
{
	all_adds();
}
END_TEST

static void adding_fails(void)
{
	char *start = two_pages(PROT_READ);

	ck_assert(!bins_add(start, 2, 1));
	ck_assert(!bins_add(start + 2 * page - 1, 2, 1));
	ck_assert(!bins_add(start + 2 * page, 4, 1));
	ck_assert(!bins_add(NULL, 4, 1));
	is_as_made(start);
	mprotect(start, page, PROT_READ | PROT_WRITE);
	ck_assert(!bins_add(start + page - 1, 2, 1));
	is_as_made(start);
}

START_TEST(add_fails)
{
	adding_fails();
}
END_TEST

/* Memory that can be written and not read, if the CPU knows of such. */
START_TEST(add_unreadable)
{
	char *start = two_pages(PROT_WRITE);

	ck_assert(bins_add(start, 2, 1));
	mprotect(start, page, PROT_READ);
	ck_assert_int_eq(start[0], 1);
}
END_TEST

/* Let these system calls fail with EPERM from now on. */
static void refuse_copying(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 1, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_writev, 0,
			 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = {sizeof code / sizeof *code, code};

	ck_assert_int_eq(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
	ck_assert_int_eq(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter),
			 0);
}

START_TEST(kernel_will_not_copy)
{
	refuse_copying();
	all_adds();
	adding_fails();
}
END_TEST

enum { ROUNDS = 10000 };

static char *_Atomic going_away;
static _Atomic bool is_over;

static void *add_always(void *unused)
{
	while (!is_over)
		bins_add(going_away, 2, 1);
	return unused;
}

/* Whoever adds survives, whenever the memory goes. */
START_TEST(goes_away)
{
	char *start = two_pages(PROT_READ | PROT_WRITE);
	pthread_t thread;

	going_away = start + page - 1;
	pthread_create(&thread, NULL, add_always, NULL);
	for (int i = 0; i < ROUNDS; i++) {
		mprotect(start, page, PROT_READ);
		mprotect(start, page, PROT_NONE);
		munmap(start, page);
		mmap(start, page, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	}
	is_over = true;
	pthread_join(thread, NULL);
}
END_TEST

Suite *unit_bins_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_bins", &tcase);

	tcase_add_test(tcase, writable);
	tcase_add_test(tcase, not_writable);
	tcase_add_loop_test(tcase, is_nowhere, 0, NOWHERE_COUNT);
	tcase_add_test(tcase, behind_file);
	tcase_add_test(tcase, add);
	tcase_add_test(tcase, add_fails);
	tcase_add_test(tcase, add_unreadable);
	tcase_add_test(tcase, kernel_will_not_copy);
	tcase_add_test(tcase, goes_away);
	return suite;
}
