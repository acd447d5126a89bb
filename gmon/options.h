/* SPDX-License-Identifier: 0BSD */
/*
 * What the environment asks for: GMON_OPTIONS and the variables that name the
 * file.  Read once, at start; parsed in bounded space.
 */
#ifndef GCRT_OPTIONS_H
#define GCRT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#define OPTIONS_RATE_MAX 100000

struct options {
	uint32_t rate;	    /* samples a second */
	uint32_t every;	    /* seconds of CPU time between snapshots; 0: none */
	int signal;	    /* carries the ticks */
	int dump;	    /* the signal that asks for a snapshot, or 0 */
	bool start;	    /* profiling is on from the beginning */
	bool inherit;	    /* a forked child keeps its parent's counts */
	bool verbose;	    /* one summary line at exit */
	bool fatal;	    /* write also when a signal ends the process */
	bool open_at_start; /* hold the file open from the beginning */
	bool bsd;	    /* format=bsd */
	bool wall;	    /* sample elapsed, not CPU time */
	bool perf;	    /* engine=perf */
	bool all_images;    /* images=all */
	const char *file;   /* name pattern, or null */
	const char *rank;   /* of this process in an MPI or SLURM job, or "0" */
	const char *profdir; /* PROFDIR, or null */
	const char *prefix; /* GMON_OUT_PREFIX; null if not set or empty */
};

/* The defaults, as the manual has them. */
void options_default(struct options *options);

/*
 * Take the variables out of an environment.  Strings are copied: programs
 * that set their title write over the initial environment.  Each unknown key
 * and bad value is one warning, and the rest holds.
 */
void options_read(struct options *options, char *const *environment);

#endif
