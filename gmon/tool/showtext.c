/* SPDX-License-Identifier: 0BSD */
/* Records as lines of words; what --help promises of them must stay. */
#include "gmon/tool/ranges.h"
#include "gmon/tool/show.h"

#include <inttypes.h>
#include <stdio.h>

/* The one being shown. */
static struct histogram current;

static void begin(const struct source *source, const struct format *format)
{
	static const char *const words[] = {"gnu", "4.4bsd", "bsd"};

	printf("file size %" PRIu64 " %s %u %s ", source->size,
	       words[format->layout], format->target.width,
	       format->target.big ? "big" : "little");
	for (const char *c = source->name; *c; c++)
		putchar((unsigned char)*c < ' ' ? '?' : *c);
	putchar('\n');
}

static bool histogram(void *context, const struct histogram *shown,
		      const struct place *place, struct problem *problem)
{
	(void)context, (void)problem;
	current = *shown;
	printf("histogram %" PRIu64 " %" PRIx64 " %" PRIx64 " %" PRIu32
	       " %" PRIu32 " ", place->offset, shown->lowpc, shown->highpc,
	       shown->bin_count, shown->rate);
	putchar(shown->abbreviation > ' ' && shown->abbreviation < 0x7f
			? shown->abbreviation : '?');
	putchar(' ');
	for (const char *c = shown->dimension; *c; c++)
		putchar(*c > ' ' && *c < 0x7f ? *c : '?');
	putchar('\n');
	return true;
}

static void bins(void *context, uint32_t first, const uint16_t *shown,
		 size_t count)
{
	(void)context;
	for (uint32_t i = 0; i < count; i++)
		if (shown[i])
			printf("bin %" PRIx64 " %u\n",
			       bin_address(current.lowpc, current.highpc,
					   current.bin_count, first + i),
			       shown[i]);
}

static bool arc(void *context, const struct arc *shown,
		const struct place *place, struct problem *problem)
{
	(void)context, (void)place, (void)problem;
	printf("arc %" PRIx64 " %" PRIx64 " %" PRIu64 "\n", shown->frompc,
	       shown->selfpc, shown->count);
	return true;
}

static bool line(void *context, const char *shown, const struct place *place,
		 struct problem *problem)
{
	(void)context, (void)place, (void)problem;
	puts(shown);
	return true;
}

static void block(void *context, uint64_t address, uint64_t count)
{
	(void)context;
	printf("block %" PRIx64 " %" PRIu64 "\n", address, count);
}

static void end(void)
{
}

const struct shower show_text = {
	begin, {NULL, histogram, bins, arc, line, block}, end};
