/* SPDX-License-Identifier: 0BSD */
/* The 4.4BSD file. */
#include "gmon/bsd.h"

#include <string.h>

#define BSD_VERSION UINT32_C(0x00051879)

static void put_header(struct sink *sink, uintptr_t lowpc, uintptr_t highpc,
		       uint32_t rate)
{
	unsigned char header[2 * sizeof(uintptr_t) + 6 * sizeof(uint32_t)];
	uint32_t words[6] = {0, BSD_VERSION, rate};

	words[0] = (uint32_t)(sizeof header +
			      (highpc - lowpc) / PC_BIN_SIZE * sizeof(uint16_t));
	memcpy(header, &lowpc, sizeof lowpc);
	memcpy(header + sizeof lowpc, &highpc, sizeof highpc);
	memcpy(header + 2 * sizeof lowpc, words, sizeof words);
	sink_put(sink, header, sizeof header);
}

uint64_t bsd_histogram(struct sink *sink, const struct image *image,
		       const struct histogram *histogram, uint32_t rate,
		       uint64_t *saturated)
{
	uintptr_t lowpc = image->lowpc & ~(uintptr_t)(PC_BIN_SIZE - 1);
	uintptr_t highpc = (image->highpc + PC_BIN_SIZE - 1) &
			   ~(uintptr_t)(PC_BIN_SIZE - 1);
	uint64_t sum = 0;

	put_header(sink, lowpc, highpc, rate);
	for (uintptr_t pc = lowpc; pc < highpc; pc += PC_BIN_SIZE) {
		uint64_t count = histogram_bin(histogram, pc + image->bias);
		uint16_t bin = (uint16_t)(count < UINT16_MAX ? count
							     : UINT16_MAX);

		*saturated += count > UINT16_MAX;
		sum += bin;
		sink_put(sink, &bin, sizeof bin);
	}
	return sum;
}

void bsd_arc(struct sink *sink, uintptr_t frompc, uintptr_t selfpc,
	     uint64_t count)
{
	uintptr_t arc[3] = {frompc, selfpc, 0};

	arc[2] = count < UINTPTR_MAX ? (uintptr_t)count : UINTPTR_MAX;
	sink_put(sink, arc, sizeof arc);
}
