/* SPDX-License-Identifier: 0BSD */
/*
 * What gmon/profile.c meets in its unit: a program and two libraries, calls
 * that were counted, and fakes that note what is written where.
 */
#ifndef GCRT_TESTS_UNIT_PROFILE_FAKES_H
#define GCRT_TESTS_UNIT_PROFILE_FAKES_H

#include "gmon/profile.h"
#include "gmon/state.h"

#include <check.h>

/* Texts are [LOW, HIGH) at link time, and in memory higher by a bias. */
enum {
	LOW = 0x1000,
	HIGH = 0x3000,
	BIAS = 0x500000,
	ENTRY = 0x1111,
	LIB_BIAS = 0x700000,
	LIB_BASE = 0x10000000,
	NOWHERE = 0x999999,
};

struct counted {
	uintptr_t frompc, selfpc;
	uint64_t count;
};

struct profile_fakes {
	struct identity identity;
	struct counts counts;
	struct image program, library, second;
	struct counted calls[8]; /* of all threads */
	uint64_t library_ticks;	 /* at the library's place, and set aside */
	uint64_t aside_ticks, saturated;
	int name_result;
	bool cannot_open, is_full, cannot_keep, has_no_memory;
	bool unloads; /* the loader has the library no more */
};

extern struct profile_fakes fake;

/* Nothing counted yet, nothing noted, nothing said. */
void fake_start(bool all_images);

/* The next of the calls. */
void fake_call(uintptr_t frompc, uintptr_t selfpc, uint64_t count);

/* What became of a profile under the name "path". */
struct profile write_profile(void);

/* What is noted of it, from its begin on. */
#define BEGIN	   "open(path) settle "
#define BEGIN_MAIN BEGIN "header ticks(100) merge "
#define BEGIN_ALL  BEGIN "refresh(1) header ticks(100) "
#define LIBRARIES  "chunks(lib,700000) aside(lib,10000000) " \
		   "chunks(second,900000) aside(second,20000000) "
#define NO_ARC	   "arc(1111,1111,0) " /* else gprof refuses the file */

/* profile_libraries.c */
void add_tests_of_libraries(TCase *tcase);

#endif
