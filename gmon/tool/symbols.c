/* SPDX-License-Identifier: 0BSD */
/* All images' symbols, sorted and told apart. */
#include "gmon/tool/symbols.h"
#include "gmon/tool/elfsymbols.h"
#include "gmon/tool/memory.h"
#include "gmon/tool/qualify.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* gprof reads lines of up to 1022 bytes and knows no blanks in names. */
#define NAME_SIZE_MAX 900

/* As one word. */
static char *clean_name(const char *name)
{
	char *clean = memory_text(name, strnlen(name, NAME_SIZE_MAX));

	for (char *c = clean; *c; c++)
		if ((unsigned char)*c <= ' ' || *c == 0x7f)
			*c = '_';
	return clean;
}

static struct symbol *add(struct symbols *symbols)
{
	symbols->symbol = memory_grown(symbols->symbol, symbols->count,
				       &symbols->room, sizeof(struct symbol));
	return &symbols->symbol[symbols->count++];
}

void symbols_add(struct symbols *symbols, const struct image *image,
		 uint64_t linked, const char *name, bool global)
{
	*add(symbols) = (struct symbol){
		image->base + linked, clean_name(name), image, global};
}

/* The time of whatever follows must not go to the image's last function. */
static void add_end(struct symbols *symbols, const struct image *image)
{
	const char *name = image_name(image);
	size_t size = strlen(name) + sizeof "<end:>";
	char *text = memory_zeroed(size, 1);

	snprintf(text, size, "<end:%s>", name);
	/* behind the last bin, which may reach over the last byte */
	symbols_add(symbols, image, (image->highpc + 3) & ~UINT64_C(3), text,
		    true);
	symbols->symbol[symbols->count - 1].image = NULL;
	free(text);
}

static bool add_image(struct symbols *symbols, const struct image *image,
		      const struct places *places, struct problem *problem)
{
	struct elf_file file;

	if (find_image(places, image, &file, problem)) {
		elf_symbols_read(symbols, image, &file, places);
		elf_file_close(&file);
	} else if (image->base == 0) {
		return false;
	} else {
		say("note: %s; it is shown as one function", problem->text);
		symbols_add(symbols, image, image->lowpc, image_name(image),
			    true);
	}
	add_end(symbols, image);
	return true;
}

static int by_address(const void *one, const void *other)
{
	const struct symbol *a = one, *b = other;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	/* an image may begin where another one ends */
	return (a->image == NULL) - (b->image == NULL);
}

static void sort(struct symbols *symbols)
{
	size_t kept = 0;

	memory_sort(symbols->symbol, symbols->count, sizeof *symbols->symbol,
	      by_address);
	for (size_t i = 0; i < symbols->count; i++) {
		struct symbol *symbol = &symbols->symbol[i];

		if (kept && symbols->symbol[kept - 1].address ==
				    symbol->address)
			free(symbol->name);
		else
			symbols->symbol[kept++] = *symbol;
	}
	symbols->count = kept;
}

bool symbols_read(struct symbols *symbols, const struct images *images,
		  const struct places *places, bool qualified,
		  struct problem *problem)
{
	for (size_t i = 0; i < images->count; i++)
		if (!add_image(symbols, &images->image[i], places, problem))
			return false;
	sort(symbols);
	if (images->count > 1)
		qualify_names(symbols, qualified);
	return true;
}

size_t symbols_find(const struct symbols *symbols, uint64_t address)
{
	size_t low = 0, high = symbols->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (symbols->symbol[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? low - 1 : symbols->count;
}

void symbols_write(const struct symbols *symbols, unsigned width, FILE *file)
{
	for (size_t i = 0; i < symbols->count; i++) {
		const struct symbol *symbol = &symbols->symbol[i];

		fprintf(file, "%0*" PRIx64 " %c %s\n", 2 * (int)width,
			symbol->address, symbol->global ? 'T' : 't',
			symbol->name);
	}
}

void symbols_free(struct symbols *symbols)
{
	for (size_t i = 0; i < symbols->count; i++)
		free(symbols->symbol[i].name);
	free(symbols->symbol);
	*symbols = (struct symbols){.count = 0};
}
