/* SPDX-License-Identifier: 0BSD */
/* What gmon/gmon.c meets in its unit. */
#include "tests/unit/gmon_fakes.h"
#include "gmon/kernel.h"
#include "gmon/name.h"
#include "gmon/profile.h"
#include "gmon/state.h"
#include "gmon/summary.h"
#include "mcount/mcount.h"
#include "tests/harness.h"
#include "tests/unit/tools.h"

#include <dlfcn.h>
#include <linux/capability.h>
#include <linux/futex.h>
#include <stdarg.h>

struct gmon_fakes fake;

/* The runtime's own code, from here to there. */
__asm__(".pushsection .text\n"
	".globl mcount_code, mcount_code_end\n"
	"mcount_code: .skip 64\n"
	"mcount_code_end: .skip 64\n"
	".popsection\n");

static long fake_futex(va_list arguments)
{
	ck_assert_ptr_eq(va_arg(arguments, void *), &state.identity->writer);
	ck_assert_int_eq(va_arg(arguments, int), FUTEX_WAIT);
	ck_assert_int_eq(va_arg(arguments, int), state.identity->writer);
	ck_assert_ptr_nonnull(va_arg(arguments, void *)); /* not for ever */
	ck_assert(signals_are_blocked());
	ck_assert_int_lt(fake.waits, 100000);
	if (++fake.waits == fake.writes_until)
		state.identity->writer = 0;
	if (fake.waits == fake.loads_until)
		state.identity->at_loader = false;
	if (fake.while_waiting)
		fake.while_waiting();
	errno = ETIMEDOUT;
	return -1;
}

static long fake_capget(va_list arguments)
{
	struct __user_cap_header_struct *header =
		va_arg(arguments, struct __user_cap_header_struct *);
	struct __user_cap_data_struct *sets =
		va_arg(arguments, struct __user_cap_data_struct *);

	ck_assert_uint_eq(header->version, _LINUX_CAPABILITY_VERSION_3);
	ck_assert_int_eq(header->pid, 0);
	for (int i = 0; i < 2; i++)
		sets[i] = (struct __user_cap_data_struct){
			.effective = fake.capabilities[i],
			.permitted = 1,
		};
	errno = EINVAL;
	return fake.capget_result;
}

long syscall(long number, ...)
{
	long (*next)(long, ...), result, word[5];
	va_list arguments;

	*(void **)&next = dlsym(RTLD_NEXT, "syscall");
	va_start(arguments, number);
	if (number == SYS_futex) {
		result = fake_futex(arguments);
	} else if (number == SYS_capget) {
		result = fake_capget(arguments);
	} else {
		for (int i = 0; i < 5; i++)
			word[i] = va_arg(arguments, long);
		result = next(number, word[0], word[1], word[2], word[3],
			      word[4]);
	}
	va_end(arguments);
	return result;
}

uid_t getuid(void)
{
	return (uid_t)fake.user;
}

uid_t geteuid(void)
{
	return (uid_t)fake.effective_user;
}

gid_t getgid(void)
{
	return (gid_t)fake.group;
}

gid_t getegid(void)
{
	return (gid_t)fake.effective_group;
}

bool histogram_add(struct histogram *histogram, uintptr_t pc, uint64_t weight)
{
	ck_assert_ptr_eq(histogram, &state.counts->histogram);
	note("bin(%td,%d)", (const char *)pc - mcount_code, (int)weight);
	return !fake.is_full;
}

bool state_begin(void)
{
	return state_started();
}

void state_clock(bool on)
{
	ck_assert(signals_are_blocked());
	ck_assert_int_eq(state.is_on, on);
	note("clock(%d)", on);
}

void mcount_turn(int on)
{
	note("count(%d)", on);
}

void sampler_turn(enum sampler_taker taker, sampler_take *function, bool on)
{
	ck_assert_int_eq(taker, TAKER_GMON);
	fake.take = function;
	note("sample(%d)", on);
	if (fake.while_turning)
		fake.while_turning();
}

bool state_adopt(void)
{
	bool was_new = fake.is_new;

	fake.is_new = false;
	return was_new;
}

void sampler_fork(void)
{
	note("fork");
}

bool state_is_borrowed(void)
{
	return fake.is_borrowed;
}

bool name_has_pid(const struct options *options)
{
	ck_assert_ptr_eq(options, &state.options);
	return fake.has_pid;
}

/* All that is done as the writer, and by nobody else. */
static void note_writer(const char *what)
{
	ck_assert(signals_are_blocked());
	ck_assert_int_eq(state.identity->writer, kernel_gettid());
	note("%s", what);
}

bool state_reset(void)
{
	note_writer("reset");
	return !fake.is_refused;
}

void profile_write(const char *path, enum profile_context context,
		   struct profile *profile)
{
	note_writer(text("write(%s,%d)", path ? path : "", context));
	profile->is_written = !fake.is_refused;
	profile->calls = 99;
	errno = EIO;
}

void profile_unloading(uintptr_t bias)
{
	note_writer(text("unloading(%x)", (unsigned)bias));
}

void profile_unloaded(void)
{
	note_writer("unloaded");
}

void summary_say(const struct profile *profile)
{
	ck_assert_uint_eq(profile->calls, 99);
	note_writer("summary");
}
