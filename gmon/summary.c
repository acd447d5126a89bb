/* SPDX-License-Identifier: 0BSD */
/* What is said at the end. */
#include "gmon/summary.h"
#include "gmon/output.h"
#include "gmon/state.h"
#include "gmon/warn.h"
#include "profil/sampler.h"

/* All ticks of all threads, by where they fell. */
struct tick_sums {
	uint64_t taken, in_runtime, held;
};

static struct tick_sums sum_ticks(void)
{
	const struct thread_table *table = state.threads.newest;
	struct tick_sums sums = {0};

	for (; table; table = table->next) {
		sums.taken += table->ticks.taken;
		sums.in_runtime += table->ticks.in_runtime;
		sums.held += table->ticks.held;
	}
	return sums;
}

static uint64_t ticks_to_ms(uint64_t ticks)
{
	return ticks * 1000 / sampler_rate();
}

/*
 * Four sums that make up all CPU time.  What no tick accounts for was not
 * sampled, whatever the reason; of elapsed time only what was held back is
 * known.
 */
static void say_sums(const struct profile *profile)
{
	struct tick_sums sums = sum_ticks();
	uint64_t taken = ticks_to_ms(sums.taken);
	uint64_t in_file = profile->is_written ? ticks_to_ms(profile->ticks)
					       : taken;
	/* a thread may be between a tick's bin and its own sum */
	uint64_t outside = taken > in_file ? taken - in_file : 0;
	uint64_t runtime = ticks_to_ms(sums.in_runtime);
	uint64_t sampled = in_file + outside + runtime;
	uint64_t cpu = state_cpu_time() / 1000000;
	uint64_t unsampled = cpu > sampled ? cpu - sampled : 0;

	if (state.options.wall)
		unsampled = ticks_to_ms(sums.held);
	if (!profile->is_written) { /* nobody has looked what is where */
		warn("no file: %t s sampled, %t s in the runtime, %t s not "
		     "sampled", taken, runtime, unsampled);
		return;
	}
	warn("%s: %t s in the file, %t s outside, %t s in the runtime, %t s "
	     "not sampled; %u arcs, %u calls, %u outside, %u lost",
	     output_path(), in_file, outside,
	     runtime, unsampled, profile->arcs, profile->calls,
	     profile->outside, (uint64_t)state.counts->lost_calls);
	if (!state.options.all_images &&
	    (outside > sampled / 20 || profile->outside > profile->calls / 20))
		warn("shared libraries had more than 5 %% of it: "
		     "GMON_OPTIONS=images=all shows them");
}

static void say_rate(void)
{
	uint32_t reached = sampler_rate_reached();

	if (reached < sampler_rate())
		warn("rate=%u: the kernel's tick lets %u samples a second "
		     "through, which count for several; engine=perf takes more",
		     (uint64_t)sampler_rate(), (uint64_t)reached);
}

void summary_say(const struct profile *profile)
{
	const char *complaint = sampler_complaint();
	uint64_t lost = state.counts->lost_calls;

	if (complaint)
		warn("%s", complaint);
	if (lost)
		warn("%u calls were lost: the kernel refused memory for their "
		     "counts", lost);
	if (!state.options.verbose)
		return;
	say_sums(profile);
	say_rate();
}
