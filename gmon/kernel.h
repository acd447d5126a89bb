/* SPDX-License-Identifier: 0BSD */
/*
 * The kernel, called as if no C library stood between: the result or a
 * negative errno comes back, errno stays as it was, no cancellation point is
 * passed and no lock is taken.  Async-signal-safe; not before start.c has run
 * (syscall() is reached through the GOT, errno lies in thread-local storage).
 */
#ifndef GCRT_KERNEL_H
#define GCRT_KERNEL_H

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * The kernel's signal set is 64 bits (128 only on MIPS), whatever sigset_t is.
 * As an array of words it has the kernel's layout on every byte order and
 * word size.
 */
#define KERNEL_SIGNALS 64
struct kernel_sigset {
	unsigned long word[KERNEL_SIGNALS / (8 * sizeof(unsigned long))];
};

#define kernel(...)                                                            \
	({                                                                     \
		int errno_before_ = errno;                                     \
		long result_ = syscall(__VA_ARGS__);                           \
		if (result_ == -1)                                             \
			result_ = -errno;                                      \
		errno = errno_before_;                                         \
		result_;                                                       \
	})

/*
 * mmap is what CPUs agree on least: 32-bit ones count the offset in pages,
 * s390x takes the arguments as a block in memory.
 */
#if defined __s390x__
#define KERNEL_MMAP(...) kernel(SYS_mmap, ((unsigned long[]){__VA_ARGS__}))
#elif defined SYS_mmap2
#define KERNEL_MMAP(...) kernel(SYS_mmap2, __VA_ARGS__)
#else
#define KERNEL_MMAP(...) kernel(SYS_mmap, __VA_ARGS__)
#endif

/* Readable and writable pages of a file from its begin on; null: refused. */
static inline void *kernel_map(size_t size, int flags, int file)
{
	long start = KERNEL_MMAP(0UL, size, PROT_READ | PROT_WRITE,
				 (unsigned long)flags, (unsigned long)file, 0UL);

	return start < 0 && start > -4096 ? NULL : (void *)start;
}

/* Where time_t has become 64 bits wide, the calls in which it is a long. */
#ifndef SYS_clock_gettime
#define SYS_clock_gettime SYS_clock_gettime32
#endif
#ifndef SYS_timer_settime
#define SYS_timer_settime SYS_timer_settime32
#endif

/* Block every signal of this thread; *old holds the mask of before. */
static inline void kernel_block_signals(struct kernel_sigset *old)
{
	struct kernel_sigset all;

	for (size_t i = 0; i < sizeof all.word / sizeof *all.word; i++)
		all.word[i] = ~0UL;
	kernel(SYS_rt_sigprocmask, SIG_SETMASK, &all, old, sizeof all);
}

static inline void kernel_restore_signals(const struct kernel_sigset *old)
{
	kernel(SYS_rt_sigprocmask, SIG_SETMASK, old, NULL, sizeof *old);
}

#define KERNEL_WORD_BITS (8 * sizeof(unsigned long))

static inline struct kernel_sigset kernel_sigset_of(int signal)
{
	struct kernel_sigset one = {{0}};
	unsigned bit = (unsigned)signal - 1;

	one.word[bit / KERNEL_WORD_BITS] = 1UL << bit % KERNEL_WORD_BITS;
	return one;
}

static inline int kernel_sigset_has(const struct kernel_sigset *set, int signal)
{
	unsigned bit = (unsigned)signal - 1;

	return set->word[bit / KERNEL_WORD_BITS] >> bit % KERNEL_WORD_BITS & 1;
}

static inline void kernel_sigset_remove(struct kernel_sigset *set, int signal)
{
	unsigned bit = (unsigned)signal - 1;

	set->word[bit / KERNEL_WORD_BITS] &= ~(1UL << bit % KERNEL_WORD_BITS);
}

static inline void kernel_unblock_signal(int signal)
{
	struct kernel_sigset one = kernel_sigset_of(signal);

	kernel(SYS_rt_sigprocmask, SIG_UNBLOCK, &one, NULL, sizeof one);
}

/*
 * sigaction(2), past whatever has been put before it: sanitizers intercept the
 * public name, and their interceptors do not work before they have started.
 * glibc has a second name; the system call itself needs a restorer of its own
 * on each CPU.
 */
int __sigaction(int signal, const struct sigaction *new, struct sigaction *old)
	__attribute__((weak));

static inline int kernel_sigaction(int signal, const struct sigaction *new,
				   struct sigaction *old)
{
	int saved = errno;
	int result = __sigaction ? __sigaction(signal, new, old)
				 : sigaction(signal, new, old);

	errno = saved;
	return result;
}

static inline int kernel_gettid(void)
{
	return (int)kernel(SYS_gettid);
}

/* Always the kernel's answer: a C library may have kept the parent's. */
static inline int kernel_getpid(void)
{
	return (int)kernel(SYS_getpid);
}

#endif
