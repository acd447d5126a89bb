/* SPDX-License-Identifier: 0BSD */
/* What gmon/profile.c meets in its unit. */
#include "tests/unit/profile_fakes.h"
#include "gmon/bsd.h"
#include "gmon/merge.h"
#include "gmon/name.h"
#include "gmon/output.h"
#include "gmon/pages.h"
#include "gmon/write.h"
#include "mcount/mcount.h"
#include "profil/sampler.h"
#include "tests/harness.h"
#include "tests/unit/tools.h"

#include <string.h>
#include <sys/auxv.h>

struct profile_fakes fake;
static struct sink sink;
static char memory[16];

/* <external>, which is no part of the program unless a test says so. */
__asm__(".pushsection .text\n"
	".globl mcount_code_end\n"
	"mcount_code_end: .skip 64\n"
	".popsection\n");

unsigned long getauxval(unsigned long type)
{
	ck_assert_uint_eq(type, AT_ENTRY);
	return BIAS + ENTRY;
}

int name_make(char name[PATH_MAX], const struct options *options, int pid,
	      bool child)
{
	ck_assert_ptr_eq(options, &state.options);
	strcpy(name, text("usual.%d%s", pid, child ? ".child" : ""));
	return fake.name_result;
}

struct sink *output_open(const char *name)
{
	note("open(%s)", name);
	return fake.cannot_open ? NULL : &sink;
}

bool output_close(void)
{
	note("close");
	return !fake.is_full;
}

void sampler_settle(void)
{
	note("settle");
}

uint32_t sampler_rate(void)
{
	return 100;
}

void *pages_map(size_t size, enum pages_in_child in_child)
{
	ck_assert_uint_eq(size, MERGE_MEMORY_MAX);
	ck_assert_int_eq(in_child, PAGES_KEPT);
	return fake.has_no_memory ? NULL : memory;
}

void pages_unmap(void *start, size_t size)
{
	ck_assert_ptr_eq(start, memory);
	ck_assert_uint_eq(size, MERGE_MEMORY_MAX);
	note("unmap");
}

void merge_arcs(const struct threads *threads, void *bytes, size_t size,
		merge_take *take, void *context)
{
	ck_assert_ptr_eq(threads, &state.threads);
	ck_assert_ptr_eq(bytes, fake.has_no_memory ? NULL : memory);
	ck_assert_uint_eq(size, MERGE_MEMORY_MAX);
	note("merge");
	for (const struct counted *arc = fake.calls; arc->count; arc++)
		take(context, &(struct arc){arc->frompc, arc->selfpc},
		     arc->count);
}

void write_header(struct sink *to)
{
	ck_assert_ptr_eq(to, &sink);
	note("header");
}

uint64_t write_histogram(struct sink *to, const struct image *image,
			 const struct histogram *histogram, uint32_t rate)
{
	ck_assert_ptr_eq(to, &sink);
	ck_assert_ptr_eq(image, &state.profiled);
	ck_assert_ptr_eq(histogram, &fake.counts.histogram);
	note("ticks(%u)", rate);
	return 1000;
}

uint64_t write_chunks(struct sink *to, const struct image *image,
		      const struct histogram *histogram, uint32_t rate)
{
	bool is_aside = histogram == &fake.counts.aside.histogram;

	ck_assert_ptr_eq(to, &sink);
	ck_assert(is_aside || histogram == &fake.counts.histogram);
	ck_assert_uint_eq(rate, 100);
	note("%s(%s,%lx)", is_aside ? "aside" : "chunks", image->path,
	     (unsigned long)image->bias);
	if (is_aside)
		return fake.aside_ticks;
	return image == &fake.library ? fake.library_ticks : 0;
}

void write_image(struct sink *to, const struct image *image)
{
	ck_assert_ptr_eq(to, &sink);
	note("image(%s)", image->path);
}

static void note_arc(const char *what, uintptr_t frompc, uintptr_t selfpc,
		     uint64_t count)
{
	note("%s(%lx,%lx,%llu)", what, (unsigned long)frompc,
	     (unsigned long)selfpc, (unsigned long long)count);
}

void write_arc(struct sink *to, uintptr_t frompc, uintptr_t selfpc,
	       uint64_t count)
{
	ck_assert_ptr_eq(to, &sink);
	note_arc("arc", frompc, selfpc, count);
}

void bsd_arc(struct sink *to, uintptr_t frompc, uintptr_t selfpc,
	     uint64_t count)
{
	ck_assert_ptr_eq(to, &sink);
	note_arc("bsd_arc", frompc, selfpc, count);
}

uint64_t bsd_histogram(struct sink *to, const struct image *image,
		       const struct histogram *histogram, uint32_t rate,
		       uint64_t *bins)
{
	ck_assert_ptr_eq(to, &sink);
	ck_assert_ptr_eq(image, &state.profiled);
	ck_assert_ptr_eq(histogram, &fake.counts.histogram);
	note("bsd_ticks(%u)", rate);
	*bins = fake.saturated;
	return 900;
}

bool images_refresh(struct images *images,
		    void (*gone)(void *context, const struct image *image),
		    void *context)
{
	ck_assert_ptr_eq(images, &state.images);
	note("refresh(%d)", fake.identity.at_loader);
	if (fake.unloads)
		gone(context, &fake.library);
	return true;
}

void images_refresh_unlocked(struct images *images)
{
	ck_assert_ptr_eq(images, &state.images);
	note("refresh_unlocked");
}

bool aside_set(struct aside *aside, struct threads *threads,
	       struct histogram *histogram, const struct image *image,
	       aside_place *place, void *context)
{
	ck_assert_ptr_eq(aside, &fake.counts.aside);
	ck_assert_ptr_eq(threads, &state.threads);
	ck_assert_ptr_eq(histogram, &fake.counts.histogram);
	note("set_aside(%s,%lx)", image->path,
	     (unsigned long)place(context, LIB_BIAS + 0x1234, false));
	return !fake.cannot_keep;
}

static struct image image_of(const char *path, uintptr_t bias, uintptr_t base,
			     struct image *next)
{
	return (struct image){
		.next = next,
		.lowpc = LOW,
		.highpc = HIGH,
		.bias = bias,
		.base = base,
		.path = path,
	};
}

void fake_start(bool all_images)
{
	saying_begin();
	fake.second = image_of("second", 0x900000, 2 * LIB_BASE, NULL);
	fake.library = image_of("lib", LIB_BIAS, LIB_BASE, &fake.second);
	fake.program = image_of("prog", BIAS, 0, &fake.library);
	fake.identity.pid = 42;
	state.profiled = fake.program;
	state.images.first = &fake.program;
	state.identity = &fake.identity;
	state.counts = &fake.counts;
	state.options.all_images = all_images;
	notes();
}

void fake_call(uintptr_t frompc, uintptr_t selfpc, uint64_t count)
{
	struct counted *call = fake.calls;

	while (call->count)
		call++;
	*call = (struct counted){frompc, selfpc, count};
}

struct profile write_profile(void)
{
	struct profile profile = {0};

	profile_write("path", PROFILE_NORMAL, &profile);
	return profile;
}
