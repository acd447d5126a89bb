/* SPDX-License-Identifier: 0BSD */
/* A profile becomes the records of a gmon.out. */
#include "gmon/write.h"
#include "gmon/format.h"

#include <stdbool.h>
#include <string.h>

/*
 * Dense up to here: readers other than gprof keep one histogram record only.
 * A dense record is repeated as a whole for each 65535 ticks of its highest
 * bin, so less is dense at high rates.  What decides must be the same in runs
 * whose files are to be added, so it is not the bins.  Chunks are a multiple
 * of the histogram's leaf, so each leaf is in one.
 */
#define DENSE_SIZE_MAX ((uintptr_t)4 << 20)
#define DENSE_RATE     100
#define CHUNK_SIZE     ((uintptr_t)16 << 10)
_Static_assert(CHUNK_SIZE % LEAF_SIZE == 0, "a leaf lies in one chunk");

/* A stretch of an image's text, link-time, that becomes one record. */
struct stretch {
	uintptr_t lowpc, highpc;
};

static void put_u8(struct sink *sink, uint8_t number)
{
	sink_put(sink, &number, sizeof number);
}

static void put_u32(struct sink *sink, uint32_t number)
{
	sink_put(sink, &number, sizeof number);
}

static void put_vma(struct sink *sink, uintptr_t address)
{
	sink_put(sink, &address, sizeof address);
}

void write_header(struct sink *sink)
{
	static const char spare[GMON_SPARE_SIZE];

	sink_put(sink, GMON_MAGIC, GMON_MAGIC_SIZE);
	put_u32(sink, GMON_VERSION);
	sink_put(sink, spare, sizeof spare);
}

/* The part of a stretch that one leaf counts: bins [first, end) of it. */
struct piece {
	const _Atomic uint64_t *leaf; /* null: never hit */
	size_t first, end;
};

/* Cut the piece that begins at *pc off, and go on behind it. */
static struct piece next_piece(const struct histogram *histogram,
			       const struct image *image,
			       struct stretch stretch, uintptr_t *pc)
{
	uintptr_t run_time = *pc + image->bias;
	uintptr_t left = LEAF_SIZE - run_time % LEAF_SIZE;
	struct piece piece;

	if (left > stretch.highpc - *pc)
		left = stretch.highpc - *pc;
	piece.leaf = histogram_leaf(histogram, run_time);
	piece.first = run_time % LEAF_SIZE / PC_BIN_SIZE;
	piece.end = piece.first + left / PC_BIN_SIZE;
	*pc += left;
	return piece;
}

static uint64_t bin_at(const struct piece *piece, size_t bin)
{
	return atomic_load_explicit(&piece->leaf[bin], memory_order_relaxed);
}

static uint64_t bin_max(const struct histogram *histogram,
			const struct image *image, struct stretch stretch)
{
	uintptr_t pc = stretch.lowpc;
	uint64_t max = 0;

	while (pc < stretch.highpc) {
		struct piece piece = next_piece(histogram, image, stretch, &pc);

		for (size_t i = piece.first; piece.leaf && i < piece.end; i++)
			if (bin_at(&piece, i) > max)
				max = bin_at(&piece, i);
	}
	return max;
}

/* The bins of a piece as 16 bits, less what earlier records have of them. */
static uint64_t put_bins(struct sink *sink, const struct piece *piece,
			 uint64_t below)
{
	uint16_t part[128];
	uint64_t sum = 0;

	for (size_t i = piece->first; i < piece->end;) {
		size_t count = 0;

		for (; count < 128 && i < piece->end; count++, i++) {
			uint64_t bin = piece->leaf ? bin_at(piece, i) : 0;
			uint64_t rest = bin > below ? bin - below : 0;

			part[count] = (uint16_t)(rest < GMON_BIN_MAX
							 ? rest
							 : GMON_BIN_MAX);
			sum += part[count];
		}
		sink_put(sink, part, count * sizeof *part);
	}
	return sum;
}

static uint64_t put_record(struct sink *sink, const struct histogram *histogram,
			   const struct image *image, struct stretch stretch,
			   uint32_t rate, uint64_t below)
{
	static const char dimension[GMON_DIMENSION_SIZE] = GMON_DIMENSION;
	uintptr_t pc = stretch.lowpc;
	uint64_t sum = 0;

	put_u8(sink, GMON_TAG_HISTOGRAM);
	put_vma(sink, stretch.lowpc + image->base);
	put_vma(sink, stretch.highpc + image->base);
	put_u32(sink,
		(uint32_t)((stretch.highpc - stretch.lowpc) / PC_BIN_SIZE));
	put_u32(sink, rate);
	sink_put(sink, dimension, sizeof dimension);
	put_u8(sink, GMON_ABBREVIATION);
	while (pc < stretch.highpc) {
		struct piece piece = next_piece(histogram, image, stretch, &pc);

		sum += put_bins(sink, &piece, below);
	}
	return sum;
}

/* One record, or as many as the highest bin needs 16 bits. */
static uint64_t put_stretch(struct sink *sink,
			    const struct histogram *histogram,
			    const struct image *image, struct stretch stretch,
			    uint32_t rate)
{
	uint64_t max = bin_max(histogram, image, stretch);
	uint64_t below = 0;
	uint64_t sum = 0;

	do {
		sum += put_record(sink, histogram, image, stretch, rate, below);
		below += GMON_BIN_MAX;
	} while (below < max);
	return sum;
}

/* The chunk of the grid that holds an address, within the text. */
static struct stretch chunk_at(struct stretch text, uintptr_t pc)
{
	struct stretch chunk;

	chunk.lowpc = pc & ~(CHUNK_SIZE - 1);
	chunk.highpc = chunk.lowpc + CHUNK_SIZE;
	if (chunk.lowpc < text.lowpc)
		chunk.lowpc = text.lowpc;
	if (chunk.highpc > text.highpc)
		chunk.highpc = text.highpc;
	return chunk;
}

static uint64_t put_chunks(struct sink *sink, const struct histogram *histogram,
			   const struct image *image, struct stretch text,
			   uint32_t rate)
{
	struct stretch chunk = {text.lowpc, text.lowpc};
	uintptr_t page;
	uint64_t sum = 0;

	while (chunk.highpc < text.highpc &&
	       histogram_next(histogram, chunk.highpc + image->bias, &page) &&
	       page - image->bias < text.highpc) {
		uintptr_t pc = page - image->bias;

		if (pc < chunk.highpc)
			pc = chunk.highpc;
		chunk = chunk_at(text, pc);
		sum += put_stretch(sink, histogram, image, chunk, rate);
	}
	return sum;
}

/* gprof wants whole bins, and wants them to begin at an even address. */
static struct stretch text_of(const struct image *image)
{
	struct stretch text = {
		image->lowpc & ~(uintptr_t)(PC_BIN_SIZE - 1),
		(image->highpc + PC_BIN_SIZE - 1) &
			~(uintptr_t)(PC_BIN_SIZE - 1),
	};

	return text;
}

uint64_t write_chunks(struct sink *sink, const struct image *image,
		      const struct histogram *histogram, uint32_t rate)
{
	return put_chunks(sink, histogram, image, text_of(image), rate);
}

uint64_t write_histogram(struct sink *sink, const struct image *image,
			 const struct histogram *histogram, uint32_t rate)
{
	struct stretch text = text_of(image);
	uint32_t repeats = rate > DENSE_RATE ? rate / DENSE_RATE : 1;
	uint64_t sum;

	if (text.highpc - text.lowpc <= DENSE_SIZE_MAX / repeats)
		return put_stretch(sink, histogram, image, text, rate);
	sum = put_chunks(sink, histogram, image, text, rate);
	if (!sum) /* gprof wants one record */
		put_stretch(sink, histogram, image, chunk_at(text, text.lowpc),
			    rate);
	return sum;
}

/* In one piece: there may be a million of them. */
static void put_arc(struct sink *sink, uintptr_t frompc, uintptr_t selfpc,
		    uint32_t count)
{
	unsigned char record[1 + 2 * sizeof frompc + sizeof count];

	record[0] = GMON_TAG_ARC;
	__builtin_memcpy(record + 1, &frompc, sizeof frompc);
	__builtin_memcpy(record + 1 + sizeof frompc, &selfpc, sizeof selfpc);
	__builtin_memcpy(record + 1 + 2 * sizeof frompc, &count, sizeof count);
	sink_put(sink, record, sizeof record);
}

/* Bytes on their way into arcs, four at a time. */
struct packer {
	struct sink *sink;
	uint32_t word;
	uint32_t size;
};

static void pack_flush(struct packer *packer)
{
	if (!packer->size)
		return;
	put_arc(packer->sink, packer->size, GMON_IMAGE_SELFPC, packer->word);
	packer->word = 0;
	packer->size = 0;
}

static void pack_char(struct packer *packer, char c)
{
	packer->word |= (uint32_t)(unsigned char)c << 8 * packer->size++;
	if (packer->size == 4)
		pack_flush(packer);
}

static void pack_hex(struct packer *packer, uintptr_t number, int digits)
{
	int shift = 8 * (int)sizeof number - 4;

	while (shift / 4 >= digits && !(number >> shift))
		shift -= 4;
	for (; shift >= 0; shift -= 4)
		pack_char(packer, "0123456789abcdef"[number >> shift & 15]);
}

static void pack_path(struct packer *packer, const char *path)
{
	for (; *path; path++) {
		unsigned char c = (unsigned char)*path;

		if (c >= ' ' && c != '%' && c != 0x7f) {
			pack_char(packer, *path);
			continue;
		}
		pack_char(packer, '%');
		pack_hex(packer, c, 2);
	}
}

void write_image(struct sink *sink, const struct image *image)
{
	struct packer packer = {.sink = sink};
	const uintptr_t numbers[] = {image->base, image->lowpc, image->highpc};

	for (const char *c = "image "; *c; c++)
		pack_char(&packer, *c);
	for (size_t i = 0; i < image->id_size; i++)
		pack_hex(&packer, image->id[i], 2);
	if (!image->id_size)
		pack_char(&packer, '-');
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		pack_char(&packer, ' ');
		pack_hex(&packer, numbers[i], 1);
	}
	pack_char(&packer, ' ');
	pack_path(&packer, image->path);
	pack_char(&packer, '\n');
	pack_flush(&packer);
}

void write_arc(struct sink *sink, uintptr_t frompc, uintptr_t selfpc,
	       uint64_t count)
{
	do {
		uint32_t part = (uint32_t)(count < GMON_ARC_MAX ? count
								: GMON_ARC_MAX);

		put_arc(sink, frompc, selfpc, part);
		count -= part;
	} while (count);
}
