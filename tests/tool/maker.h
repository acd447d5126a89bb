/* SPDX-License-Identifier: 0BSD */
/*
 * Files as their formats have them, made byte by byte: what the command is
 * tested with is not written by the command.
 */
#ifndef TESTS_TOOL_MAKER_H
#define TESTS_TOOL_MAKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct maker {
	unsigned width; /* of an address: 4 or 8 */
	bool big;	/* the most significant byte first */
	unsigned char *bytes;
	size_t size, room;
};

void make_bytes(struct maker *maker, const void *bytes, size_t size);
void make_number(struct maker *maker, uint64_t number, unsigned width);

/* GNU: the header, and records. */
void make_header(struct maker *maker);
void make_histogram(struct maker *maker, uint64_t lowpc, uint64_t highpc,
		    uint32_t bin_count, uint32_t rate);
void make_bins(struct maker *maker, const uint16_t *bins, size_t count);
void make_arc(struct maker *maker, uint64_t frompc, uint64_t selfpc,
	      uint64_t count);
/* Text in the image table. */
void make_table(struct maker *maker, const char *text);

/* BSD: the header, and the words behind the bins. */
void make_bsd(struct maker *maker, uint64_t lowpc, uint64_t highpc,
	      uint32_t bin_count, uint32_t rate, bool has_version);
void make_bsd_arc(struct maker *maker, uint64_t frompc, uint64_t selfpc,
		  uint64_t count);

/* Write all of it to a file, and begin anew. */
void make_file(struct maker *maker, const char *path);

#endif
