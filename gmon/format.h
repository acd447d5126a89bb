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
 * images=all: arcs with this selfpc carry the table of images.  frompc is the
 * number of payload bytes in the arc (1 to 4), count is those bytes, the first
 * one lowest.  All of them in file order are lines of text:
 *
 *   image <build-id or -> <base> <lowpc> <highpc> <path>
 *
 * numbers in hex; base is what was added to link-time addresses, lowpc and
 * highpc are link-time; bytes below ' ', '%' and DEL in the path are %XX.
 * Lines may repeat; equal ones are one.
 *
 *   range <lowpc> <highpc> <bins>
 *
 * written by `gmon sum` alone: the histogram records that follow, within these
 * addresses, are parts of one of so many bins, cut up because few of its bins
 * need many repeated records.
 */
#define GMON_IMAGE_SELFPC 1
#define GMON_IMAGE_BYTES  4

#endif
