/* SPDX-License-Identifier: 0BSD */
/* Everything counted so far becomes one file. */
#include "gmon/profile.h"
#include "gmon/bsd.h"
#include "gmon/merge.h"
#include "gmon/name.h"
#include "gmon/output.h"
#include "gmon/pages.h"
#include "gmon/state.h"
#include "gmon/warn.h"
#include "gmon/write.h"
#include "mcount/mcount.h"
#include "profil/sampler.h"

#include <sys/auxv.h>

/* What one writing works on. */
struct writing {
	struct sink *sink;
	struct profile *profile;
	struct image *last; /* where the last address was found */
};

/*
 * Where a caller in no known image is put: on <external>, or where that is not
 * part of the program, on its entry point.
 */
static uintptr_t stand_in(void)
{
	const struct image *program = state.images.first;
	uintptr_t pc = (uintptr_t)mcount_code_end;

	if (!image_holds(program, pc))
		pc = getauxval(AT_ENTRY);
	return pc - program->bias;
}

/* The table in the file names an original for all its copies. */
static void mark_used(struct image *image)
{
	(image->original ? image->original : image)->is_used = true;
}

/* The image in the file that holds an address, or null. */
static const struct image *image_of(struct image **last, uintptr_t pc)
{
	if (!*last || !image_holds(*last, pc))
		*last = images_find(&state.images, pc);
	if (!*last || (*last)->is_left_out)
		return NULL;
	mark_used(*last);
	return *last;
}

/* Where an address is in the file; 0 for a callee that is not. */
static uintptr_t place(void *last, uintptr_t pc, bool is_callee)
{
	const struct image *image = image_of(last, pc);

	if (image)
		return pc - image->bias + image->base;
	return is_callee ? 0 : stand_in();
}

/*
 * A count takes a record for each 2^32.  More calls of one arc than this take
 * two months, and would make a file of more than 20 MB for that arc alone.
 */
#define CALLS_MAX (UINT64_C(1) << 52)

static void put_arc(struct writing *writing, uintptr_t frompc, uintptr_t selfpc,
		    uint64_t count)
{
	if (count > CALLS_MAX) {
		warn("an arc with more than 2^52 calls is written as 2^52");
		count = CALLS_MAX;
	}
	if (state.options.bsd)
		bsd_arc(writing->sink, frompc, selfpc, count);
	else
		write_arc(writing->sink, frompc, selfpc, count);
	writing->profile->arcs++;
	writing->profile->calls += count;
}

/* The callee's image if the callee belongs in the file. */
static const struct image *callee_image(struct writing *writing,
					uintptr_t selfpc)
{
	const struct image *image = image_of(&writing->last, selfpc);

	if (image == state.images.first &&
	    !image_holds(&state.profiled, selfpc))
		return NULL;
	return image;
}

/* frompc is a return address; the byte before it is in the caller for sure. */
static void take_arc(void *context, const struct arc *arc, uint64_t count)
{
	struct writing *writing = context;
	const struct image *image = callee_image(writing, arc->selfpc);

	if (!image) {
		writing->profile->outside += count;
		return;
	}
	put_arc(writing, place(&writing->last, arc->frompc - 1, false),
		arc->selfpc - image->bias + image->base, count);
}

static void put_arcs(struct writing *writing)
{
	void *memory = pages_map(MERGE_MEMORY_MAX, PAGES_KEPT);

	merge_arcs(&state.threads, memory, MERGE_MEMORY_MAX, take_arc,
		   writing);
	if (memory)
		pages_unmap(memory, MERGE_MEMORY_MAX);
}

/* Those set aside are at their addresses in the file already. */
static void put_arcs_aside(struct writing *writing)
{
	const struct arc_table *arcs = state.counts->aside.arcs;

	writing->profile->outside += state.counts->aside.outside;
	for (; arcs; arcs = arcs->older)
		for (uint32_t i = 0; i < arcs_logged(arcs); i++) {
			const struct arc *arc = &arcs->log[i];
			uint64_t count =
				arcs_read(arcs, arc->frompc, arc->selfpc);

			if (count)
				put_arc(writing, arc->frompc, arc->selfpc,
					count);
		}
}

/* A library's ticks: those at its place now, and those set aside. */
static uint64_t put_ticks_of(struct writing *writing, struct image *image)
{
	uint32_t rate = sampler_rate();
	struct image aside = *image;
	uint64_t ticks = 0;

	aside.bias = image->base;
	if (!image->is_gone)
		ticks = write_chunks(writing->sink, image,
				     &state.counts->histogram, rate);
	if (!image->original) /* else it has them */
		ticks += write_chunks(writing->sink, &aside,
				      &state.counts->aside.histogram, rate);
	return ticks;
}

static void put_library_ticks(struct writing *writing)
{
	struct image *image = state.images.first->next;

	for (; image; image = image->next) {
		uint64_t ticks = 0;

		if (image->is_left_out && image->original)
			continue;
		if (image->is_left_out)
			warn("%s is left out: another library has its place "
			     "in the file", image->path);
		else
			ticks = put_ticks_of(writing, image);
		if (ticks)
			mark_used(image);
		writing->profile->ticks += ticks;
	}
}

static void put_image_table(struct writing *writing)
{
	const struct image *image = state.images.first;

	write_image(writing->sink, image);
	while ((image = image->next))
		if (image->is_used && !image->is_left_out)
			write_image(writing->sink, image);
}

static void put_bsd(struct writing *writing)
{
	writing->profile->ticks =
		bsd_histogram(writing->sink, &state.profiled,
			      &state.counts->histogram, sampler_rate(),
			      &writing->profile->saturated);
	put_arcs(writing);
}

static void put_gnu(struct writing *writing)
{
	write_header(writing->sink);
	writing->profile->ticks =
		write_histogram(writing->sink, &state.profiled,
				&state.counts->histogram, sampler_rate());
	if (state.options.all_images)
		put_library_ticks(writing);
	put_arcs(writing);
	put_arcs_aside(writing);
	if (!writing->profile->arcs) /* else gprof -q refuses the file */
		write_arc(writing->sink, stand_in(), stand_in(), 0);
	if (state.options.all_images)
		put_image_table(writing);
}

/* The usual name, or null if there is to be no file (said, if for a reason). */
static const char *usual_name(void)
{
	static char name[PATH_MAX];
	int result = name_make(name, &state.options, state.identity->pid,
			       state.forked);

	if (result < 0)
		warn("the name of the profile is longer than a path may be: "
		     "no profile was written");
	return result == 0 ? name : NULL;
}

static void set_aside(void *complete, const struct image *image)
{
	struct image *last = NULL;

	if (!aside_set(&state.counts->aside, &state.threads,
		       &state.counts->histogram, image, place, &last))
		*(bool *)complete = false;
}

static void say_if_lost(bool complete)
{
	if (!complete)
		warn("no memory to keep the counts of an unloaded library");
}

static void refresh(void)
{
	bool complete = true;

	state.identity->at_loader = true;
	images_refresh(&state.images, set_aside, &complete);
	state.identity->at_loader = false;
	say_if_lost(complete);
}

/*
 * All that is counted so far is the library's.  While the thread is in
 * dlclose() it makes no calls but of destructors, so what it counts at these
 * addresses is, too.
 */
void profile_unloading(uintptr_t bias)
{
	const struct image *image;
	bool complete = true;

	sampler_settle();
	refresh();
	image = images_at(&state.images, bias);
	if (image)
		set_aside(&complete, image);
	say_if_lost(complete);
	if (threads_mine.table)
		threads_mine.table->unloads++;
}

void profile_unloaded(void)
{
	sampler_settle();
	refresh();
	if (threads_mine.table && threads_mine.table->unloads)
		threads_mine.table->unloads--;
	state.images.unloads_seen = state.images.unloads;
}

/* What was unloaded without our dlclose may have left counts without a name. */
static void refresh_at_end(void)
{
	refresh();
	if (state.images.unloads != state.images.unloads_seen)
		warn("libraries were unloaded past gcrt: calls and time in "
		     "them may be under another library's name or missing");
	state.images.unloads_seen = state.images.unloads;
}

void profile_write(const char *path, enum profile_context context,
		   struct profile *profile)
{
	struct writing writing = {.profile = profile};

	if (!path)
		path = usual_name();
	writing.sink = path ? output_open(path) : NULL;
	if (!writing.sink)
		return;
	sampler_settle();
	if (state.options.all_images && context == PROFILE_NORMAL)
		refresh_at_end();
	else if (state.options.all_images)
		images_refresh_unlocked(&state.images);
	if (state.options.bsd)
		put_bsd(&writing);
	else
		put_gnu(&writing);
	profile->is_written = output_close();
	if (profile->saturated)
		warn("%u bins are above 65535 and stay there: format=bsd has "
		     "no more",
		     profile->saturated);
}
