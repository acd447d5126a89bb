/* SPDX-License-Identifier: 0BSD */
/* profil() and sprofil(): a taker of ticks with the program's own bins. */
#include "profil/profil.h"
#include "gmon/kernel.h"
#include "gmon/state.h"
#include "profil/forked.h"
#include "profil/sampler.h"

#include <linux/futex.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/auxv.h>

struct region {
	char *bins;
	size_t bin_count;
	uintptr_t offset;
	unsigned long scale;
};

static struct {
	_Atomic bool changing;	/* somebody sets what follows */
	_Atomic bool on;
	_Atomic uint32_t takers; /* handlers that look at the regions now */
	bool wide;		/* bins of 32 bits */
	struct region *overflow; /* or null */
	size_t region_count;
	struct region regions[SPROFIL_MAX];
} profile;

/*
 * Whether the word that holds the byte can be written, asked of the kernel by
 * a futex operation that ORs it with 0.
 */
static bool is_writable(const char *byte)
{
	static int unused;
	uintptr_t word = (uintptr_t)byte & ~(uintptr_t)3;

	return kernel(SYS_futex, &unused, FUTEX_WAKE_OP | FUTEX_PRIVATE_FLAG, 0,
		      NULL, word,
		      FUTEX_OP(FUTEX_OP_OR, 0, FUTEX_OP_CMP_EQ, 0)) >= 0;
}

static bool all_writable(const char *start, size_t size)
{
	size_t page = getauxval(AT_PAGESZ);

	if (!size)
		return true;
	for (size_t at = 0; at < size; at += page)
		if (!is_writable(start + at))
			return false;
	return is_writable(start + size - 1);
}

/* ((pc - offset) / 2) * scale / 65536, without overflow. */
static size_t bin_of(const struct region *region, uintptr_t pc)
{
	uintptr_t unit = (pc - region->offset) / 2;

	return (unit >> 16) * region->scale +
	       ((unit & 0xffff) * region->scale >> 16);
}

static bool reaches(const struct region *region, uintptr_t pc)
{
	return pc >= region->offset && bin_of(region, pc) < region->bin_count;
}

/* A bin at an odd address cannot be added to in one step. */
static void add_unaligned(char *bin, uint32_t count)
{
	uint64_t max = profile.wide ? UINT32_MAX : UINT16_MAX;
	size_t size = profile.wide ? sizeof(uint32_t) : sizeof(uint16_t);
	uint32_t wide = 0;
	uint16_t narrow;

	if (profile.wide) {
		memcpy(&wide, bin, size);
	} else {
		memcpy(&narrow, bin, size);
		wide = narrow;
	}
	wide = (uint32_t)(wide + (uint64_t)count < max ? wide + count : max);
	narrow = (uint16_t)wide;
	memcpy(bin, profile.wide ? (void *)&wide : (void *)&narrow, size);
}

static void add_narrow(uint16_t *bin, uint32_t count)
{
	uint16_t old = __atomic_load_n(bin, __ATOMIC_RELAXED), new;

	do
		new = (uint16_t)(count < (uint32_t)(UINT16_MAX - old)
					 ? old + count
					 : UINT16_MAX);
	while (!__atomic_compare_exchange_n(bin, &old, new, true,
					    __ATOMIC_RELAXED,
					    __ATOMIC_RELAXED));
}

static void add_wide(uint32_t *bin, uint32_t count)
{
	uint32_t old = __atomic_load_n(bin, __ATOMIC_RELAXED), new;

	do
		new = count < UINT32_MAX - old ? old + count : UINT32_MAX;
	while (!__atomic_compare_exchange_n(bin, &old, new, true,
					    __ATOMIC_RELAXED,
					    __ATOMIC_RELAXED));
}

/* The buffer may have gone since profil() looked: then it is over. */
static void add(struct region *region, size_t index, uint32_t count)
{
	size_t size = profile.wide ? sizeof(uint32_t) : sizeof(uint16_t);
	char *bin = region->bins + index * size;

	if (!is_writable(bin) || !is_writable(bin + size - 1))
		profile.on = false;
	else if ((uintptr_t)bin % size)
		add_unaligned(bin, count);
	else if (profile.wide)
		add_wide((uint32_t *)(void *)bin, count);
	else
		add_narrow((uint16_t *)(void *)bin, count);
}

static struct region *region_of(uintptr_t pc)
{
	struct region *best = NULL;

	for (size_t i = 0; i < profile.region_count; i++) {
		struct region *region = &profile.regions[i];

		if (region != profile.overflow && reaches(region, pc) &&
		    (!best || region->offset >= best->offset))
			best = region;
	}
	return best;
}

/*
 * Ticks come at gmon's rate.  A thread saves them up until they make a period
 * of profil's, which the pc of the last one then stands for.
 */
static bool take_tick(struct thread_ticks *ticks, uintptr_t pc, uint32_t weight)
{
	uint64_t saved = ticks->profil_saved + (uint64_t)weight * PROFIL_RATE;
	uint32_t periods = (uint32_t)(saved / sampler_rate());
	struct region *region;

	ticks->profil_saved = (uint32_t)(saved % sampler_rate());
	atomic_fetch_add(&profile.takers, 1);
	if (profile.on && periods) {
		region = region_of(pc);
		if (region)
			add(region, bin_of(region, pc), periods);
		else if (profile.overflow)
			add(profile.overflow, 0, periods);
	}
	atomic_fetch_sub(&profile.takers, 1);
	return true;
}

/* Nobody looks at the regions when this returns. */
static void begin_change(struct kernel_sigset *signals)
{
	kernel_block_signals(signals);
	while (atomic_exchange(&profile.changing, true))
		kernel(SYS_sched_yield);
	profile.on = false;
	while (profile.takers)
		kernel(SYS_sched_yield);
}

static void end_change(const struct kernel_sigset *signals)
{
	bool on = profile.region_count || profile.overflow;

	profile.on = on;
	sampler_turn(TAKER_PROFIL, take_tick, on);
	profile.changing = false;
	kernel_restore_signals(signals);
}

/* -1 and off, with the reason. */
static int refuse(int error)
{
	struct kernel_sigset signals;

	if (state_started()) {
		begin_change(&signals);
		profile.region_count = 0;
		profile.overflow = NULL;
		end_change(&signals);
	}
	errno = error;
	return -1;
}

static int check(const struct prof *prof, int count)
{
	for (int i = 0; i < count; i++) {
		if (prof[i].pr_scale > 65536)
			return EINVAL;
		if (prof[i].pr_base && prof[i].pr_scale &&
		    !all_writable(prof[i].pr_base, prof[i].pr_size))
			return EFAULT;
	}
	return 0;
}

static void set_regions(const struct prof *prof, int count, bool wide,
			bool with_overflow)
{
	size_t bin_size = wide ? sizeof(uint32_t) : sizeof(uint16_t);
	struct kernel_sigset signals;

	begin_change(&signals);
	profile.wide = wide;
	profile.overflow = NULL;
	profile.region_count = 0;
	for (int i = 0; i < count; i++) {
		struct region *region = &profile.regions[profile.region_count];

		if (!prof[i].pr_base || !prof[i].pr_scale ||
		    prof[i].pr_size < bin_size)
			continue;
		region->bins = prof[i].pr_base;
		region->bin_count = prof[i].pr_size / bin_size;
		region->offset = prof[i].pr_off;
		region->scale = prof[i].pr_scale;
		if (with_overflow && !region->offset && region->scale == 2)
			profile.overflow = region;
		profile.region_count++;
	}
	end_change(&signals);
}

void profil_fork(void)
{
	profile.takers = 0;
	profile.changing = false;
}

int profil(unsigned short *buffer, size_t size, size_t offset, unsigned scale)
{
	struct prof one = {buffer, size, offset, scale};
	int error;

	if (!state_begin())
		return refuse(EAGAIN);
	error = check(&one, 1);
	if (error)
		return refuse(error);
	set_regions(&one, 1, false, false);
	return 0;
}

int sprofil(struct prof *profp, int profcnt, struct timeval *tvp,
	    unsigned flags)
{
	int error;

	if (!state_begin())
		return refuse(EAGAIN);
	if (profcnt < 0 || flags > (PROF_UINT | PROF_FAST))
		return refuse(EINVAL);
	error = profcnt > SPROFIL_MAX ? ENOMEM : check(profp, profcnt);
	if (error)
		return refuse(error);
	set_regions(profp, profcnt, flags & PROF_UINT, true);
	if (tvp) {
		tvp->tv_sec = 0;
		tvp->tv_usec = 1000000 / PROFIL_RATE;
	}
	return 0;
}
