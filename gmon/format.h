/* SPDX-License-Identifier: 0BSD */
/*
 * gmon.out on disk, as gprof(1) of GNU binutils reads it: numbers of fixed
 * width in the byte order of the program, no padding anywhere, no structs.
 *
 *   header     "gmon"  u32 1  12 zero bytes
 *   histogram  u8 0  vma lowpc  vma highpc  u32 bin_count  u32 rate
 *              char dimension[15]  char abbreviation  u16 bin[bin_count]
 *   arc        u8 1  vma frompc  vma selfpc  u32 count
 *
 * A vma is as wide as a pointer of the profiled program.  Records come in any
 * order and may repeat: equal ranges and equal arcs are added by the reader,
 * which is how counts beyond 16 and 32 bits are written.
 */
#ifndef GCRT_FORMAT_H
#define GCRT_FORMAT_H

#define GMON_MAGIC	  "gmon"
#define GMON_MAGIC_SIZE	  4
#define GMON_VERSION	  1
#define GMON_SPARE_SIZE	  12
#define GMON_TAG_HISTOGRAM 0
#define GMON_TAG_ARC	  1
#define GMON_DIMENSION	  "seconds"
#define GMON_DIMENSION_SIZE 15
#define GMON_ABBREVIATION 's'
#define GMON_BIN_MAX	  UINT16_MAX
#define GMON_ARC_MAX	  UINT32_MAX

/*
 * The image table: text that travels in arcs which no code can have, and which
 * gprof passes over.  selfpc is 1, frompc is the number of bytes in the arc, 1
 * to 4, and count is these bytes as a number, the first one the least
 * significant.  All of them in the order of the file are lines that end in a
 * newline:
 *
 *   image <id> <base> <lowpc> <highpc> <path>
 *
 * id is the build-id, or "-"; base is what was added to the image's link-time
 * addresses to get its addresses in this file, 0 for the main program; lowpc
 * and highpc are its text range at link-time addresses; path is the rest of
 * the line.  Numbers are hexadecimal, without 0x.  In the path the bytes below
 * 0x20, '%' and 0x7f are %XX.  Lines may repeat; equal ones are one.
 *
 *   range <lowpc> <highpc> <bins>
 *
 * Written by `gmon sum` only: the histogram records within these addresses are
 * parts of one of so many bins, cut up because some bins need so many repeated
 * records that the others would be written in vain.
 */
#define GMON_TABLE_SELFPC 1
#define GMON_TABLE_BYTES  4

#endif
