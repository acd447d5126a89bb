/* SPDX-License-Identifier: 0BSD */
/*
 * Records as JSON.  Addresses and counts that may be greater than 2^53, which
 * many readers keep as floating point, are strings: "0x401136", "1000".
 */
#include "gmon/tool/json.h"
#include "gmon/tool/line.h"
#include "gmon/tool/ranges.h"
#include "gmon/tool/show.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* The histogram being shown, and what is still open. */
static struct {
	struct histogram histogram;
	bool in_bins, any_bin, any_record;
} current;

static void close_bins(void)
{
	if (current.in_bins)
		fputs("]}", stdout);
	current.in_bins = false;
}

/* Begin a record; the last one may have to be closed. */
static void record(const char *type)
{
	close_bins();
	printf("%s\n  {\"type\": \"%s\"", current.any_record ? "," : "", type);
	current.any_record = true;
}

static void begin(const struct source *source, const struct format *format)
{
	current.any_record = false;
	fputs("{\"file\": ", stdout);
	json_string(source->name, stdout);
	printf(", \"size\": %" PRIu64 ", \"format\": \"%s\", \"width\": %u, "
	       "\"order\": \"%s\", \"records\": [", source->size,
	       layout_name(format->layout), format->target.width,
	       format->target.big ? "big" : "little");
}

static bool histogram(void *context, const struct histogram *shown,
		      const struct place *place, struct problem *problem)
{
	char abbreviation[] = {shown->abbreviation, '\0'};

	(void)context, (void)problem;
	record("histogram");
	printf(", \"offset\": %" PRIu64 ", \"lowpc\": \"0x%" PRIx64
	       "\", \"highpc\": \"0x%" PRIx64 "\", \"bins\": %" PRIu32
	       ", \"rate\": %" PRIu32 ", \"dimension\": ", place->offset,
	       shown->lowpc, shown->highpc, shown->bin_count, shown->rate);
	json_string(shown->dimension, stdout);
	fputs(", \"abbreviation\": ", stdout);
	json_string(abbreviation, stdout);
	fputs(", \"counts\": [", stdout);
	current.histogram = *shown;
	current.in_bins = true;
	current.any_bin = false;
	return true;
}

static void bins(void *context, uint32_t first, const uint16_t *shown,
		 size_t count)
{
	const struct histogram *in = &current.histogram;

	(void)context;
	for (uint32_t i = 0; i < count; i++) {
		if (!shown[i])
			continue;
		printf("%s[\"0x%" PRIx64 "\", %u]", current.any_bin ? ", " : "",
		       bin_address(in->lowpc, in->highpc, in->bin_count,
				   first + i),
		       shown[i]);
		current.any_bin = true;
	}
}

static bool arc(void *context, const struct arc *shown,
		const struct place *place, struct problem *problem)
{
	(void)context, (void)problem;
	record("arc");
	printf(", \"offset\": %" PRIu64 ", \"frompc\": \"0x%" PRIx64
	       "\", \"selfpc\": \"0x%" PRIx64 "\", \"count\": \"%" PRIu64
	       "\"}", place->offset, shown->frompc, shown->selfpc,
	       shown->count);
	return true;
}

static void show_image(const struct image *image)
{
	record("image");
	printf(", \"id\": \"%s\", \"base\": \"0x%" PRIx64 "\", \"lowpc\": \"0x%"
	       PRIx64 "\", \"highpc\": \"0x%" PRIx64 "\", \"path\": ",
	       image->id, image->base, image->lowpc, image->highpc);
	json_string(image->path, stdout);
	fputc('}', stdout);
}

static bool line(void *context, const char *shown, const struct place *place,
		 struct problem *problem)
{
	struct image image;

	(void)context, (void)place;
	if (line_is_image(shown)) {
		if (!line_read_image(shown, &image, problem))
			return false;
		show_image(&image);
		free(image.id);
		free(image.path);
		return true;
	}
	record("line");
	fputs(", \"text\": ", stdout);
	json_string(shown, stdout);
	fputc('}', stdout);
	return true;
}

static void block(void *context, uint64_t address, uint64_t count)
{
	(void)context;
	record("block");
	printf(", \"address\": \"0x%" PRIx64 "\", \"count\": \"%" PRIu64 "\"}",
	       address, count);
}

static void end(void)
{
	close_bins();
	fputs(current.any_record ? "\n]}\n" : "]}\n", stdout);
}

const struct shower show_json = {
	begin, {NULL, histogram, bins, arc, line, block}, end};
