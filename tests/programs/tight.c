/* SPDX-License-Identifier: 0BSD */
/*
 * 12 KiB of address space are left: less than a bigger arc table, more than a
 * page.  Refused the table 6400 times, the runtime leaves them to the program.
 */
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>

#ifdef __clang__
#define OPAQUE __attribute__((noinline))
#else
#define OPAQUE __attribute__((noipa))
#endif
#define PLAIN __attribute__((no_instrument_function))
enum { LEFT = 12288, ROUNDS = 100 };

typedef void callee(void);

static volatile int sink;

#define TO(n) OPAQUE void to_##n(void) { sink++; }
#define X4(M, n) M(n##0) M(n##1) M(n##2) M(n##3)
#define X16(M, n) X4(M, n##0) X4(M, n##1) X4(M, n##2) X4(M, n##3)
#define X64(M) X16(M, 0) X16(M, 1) X16(M, 2) X16(M, 3)
#define NAME(n) to_##n,

X64(TO)

static callee *const to[] = { X64(NAME) };

PLAIN static long pages_used(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	long pages = 0;

	if (!file || fscanf(file, "%ld", &pages) != 1)
		return 0;
	fclose(file);
	return pages;
}

int main(void)
{
	struct rlimit limit;
	long pages = pages_used();

	getrlimit(RLIMIT_AS, &limit);
	limit.rlim_cur = (rlim_t)pages * 4096 + LEFT;
	if (!pages || setrlimit(RLIMIT_AS, &limit))
		return 2;
	for (int i = 0; i < ROUNDS * 64; i++)
		to[i % 64]();
	return mmap(NULL, LEFT, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED;
}
