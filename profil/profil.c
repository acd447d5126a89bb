/* SPDX-License-Identifier: 0BSD */
/* profil() and sprofil(): a taker of ticks with the program's own bins. */
#include "profil/profil.h"
#include "gmon/kernel.h"
#include "gmon/state.h"
#include "profil/bins.h"
#include "profil/forked.h"
#include "profil/sampler.h"

#include <stdatomic.h>
#include <stdbool.h>

struct region {
	char *bins;
	size_t bin_count;
	uintptr_t offset;
	unsigned long scale;
};

static struct {
	_Atomic int user; /* whose thread looks at what follows, or 0 */
	bool wide;	  /* bins of 32 bits */
	struct region *overflow; /* or null */
	size_t region_count;	 /* 0 is off */
	struct region regions[SPROFIL_MAX];
} profile;

static size_t bin_size(void)
{
	return profile.wide ? sizeof(uint32_t) : sizeof(uint16_t);
}

/*
 * One thread at a time, with its signals blocked.  What a forked child finds
 * taken is of a thread that the child does not have.
 */
static bool enter(void)
{
	int me = kernel_getpid(), user = 0;

	while (!atomic_compare_exchange_strong(&profile.user, &user, me))
		if (user == me)
			return false;
	return true;
}

static void leave(void)
{
	profile.user = 0;
}

static void turn_off(void)
{
	profile.region_count = 0;
	profile.overflow = NULL;
}

/* ((pc - offset) / bin size) * scale / 65536, without overflow. */
static size_t bin_of(const struct region *region, uintptr_t pc)
{
	uintptr_t unit = (pc - region->offset) / bin_size();

	return (unit >> 16) * region->scale +
	       ((unit & 0xffff) * region->scale >> 16);
}

static bool reaches(const struct region *region, uintptr_t pc)
{
	return pc >= region->offset && bin_of(region, pc) < region->bin_count;
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

/* The buffer may have gone since profil() looked: then it is over. */
static void count(uintptr_t pc, uint32_t periods)
{
	struct region *region = region_of(pc);
	size_t index = region ? bin_of(region, pc) : 0;

	if (!region)
		region = profile.overflow;
	if (region && !bins_add(region->bins + index * bin_size(), bin_size(),
				periods))
		turn_off();
}

/*
 * Ticks come at gmon's rate.  A thread saves them up until they make a period
 * of profil's, which the pc of the last one then stands for; and longer, if
 * another thread is just at it.
 */
static bool take_tick(struct thread_ticks *ticks, uintptr_t pc, uint32_t weight)
{
	uint64_t saved = ticks->profil_saved + (uint64_t)weight * PROFIL_RATE;
	uint64_t rate = sampler_rate();

	if (saved >= rate && enter()) {
		count(pc, (uint32_t)(saved / rate));
		leave();
		saved %= rate;
	}
	ticks->profil_saved =
		(uint32_t)(saved < UINT32_MAX ? saved : UINT32_MAX);
	return true;
}

/*
 * What was sampled so far belongs to the old regions.  Nobody looks at them
 * when this returns.
 */
static void begin_change(struct kernel_sigset *signals)
{
	static const struct {
		long tv_sec, tv_nsec;
	} moment = {0, 100000};

	sampler_settle();
	kernel_block_signals(signals);
	while (!enter())
		kernel(SYS_nanosleep, &moment, NULL);
	turn_off();
}

static void end_change(const struct kernel_sigset *signals)
{
	sampler_turn(TAKER_PROFIL, take_tick, profile.region_count > 0);
	leave();
	kernel_restore_signals(signals);
}

/* -1 and off, with the reason. */
static int refuse(int error)
{
	struct kernel_sigset signals;

	if (state_started()) {
		begin_change(&signals);
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
		    !bins_are_writable(prof[i].pr_base, prof[i].pr_size))
			return EFAULT;
	}
	return 0;
}

static void set_regions(const struct prof *prof, int count, bool wide,
			bool with_overflow)
{
	struct kernel_sigset signals;

	begin_change(&signals);
	profile.wide = wide;
	for (int i = 0; i < count; i++) {
		struct region *region = &profile.regions[profile.region_count];

		if (!prof[i].pr_base || !prof[i].pr_scale ||
		    prof[i].pr_size < bin_size())
			continue;
		region->bins = prof[i].pr_base;
		region->bin_count = prof[i].pr_size / bin_size();
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
	leave();
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
