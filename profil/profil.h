/* SPDX-License-Identifier: 0BSD */
/*
 * profil(3) and sprofil(3): the program's own histograms, beside gmon's.
 *
 * Both manuals of profil hold, Linux's profil(3) and NetBSD's profil(2); what
 * either leaves open is fixed here.  Unlike the C library's these are
 * MT-safe, count all threads, use neither ITIMER_PROF nor SIGPROF, and never
 * wrap a bin: it stays at its highest value.  A forked child goes on into its
 * own copy; exec ends it.  Called from: any thread; not a signal handler.
 */
#ifndef GCRT_PROFIL_H
#define GCRT_PROFIL_H

#include <limits.h>
#include <stddef.h>
#include <sys/time.h>

/*
 * Bins count periods of 10 ms of CPU time (of elapsed time with clock=wall),
 * whatever gmon's own rate is.  With engine=perf they are brought up to date
 * ten times a second of CPU time, and by each call.
 */
#define PROFIL_RATE 100

#ifdef __GLIBC__
#include <sys/profil.h>
#else
struct prof {
	void *pr_base;		/* the bins */
	size_t pr_size;		/* bytes of them */
	size_t pr_off;		/* pc of the first bin */
	unsigned long pr_scale; /* as profil's */
};
enum { PROF_USHORT = 0, PROF_UINT = 1 << 0, PROF_FAST = 1 << 1 };
#endif

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/*
 * Each tick adds one to the bin ((pc - offset) / 2) * scale / 65536 of
 * `buffer`, if it is one of its size / 2 bins.  Scale 65536: a bin for each 2
 * bytes of code, 32768: 4, and so on; 1 is valid.  A null buffer or scale 0
 * turns it off; a further call replaces the buffer, and when it returns
 * nobody uses the old one.  Returns 0; -1 with EINVAL for a scale above 65536,
 * with EFAULT for a buffer that cannot be written, with EAGAIN before the
 * runtime has started: profiling is then off.  If the buffer becomes unwritable
 * later, counting ends.
 */
int profil(unsigned short *buffer, size_t size, size_t offset, unsigned scale);

/*
 * The same with several regions.  A tick goes to the region that reaches the
 * pc and has the highest pr_off, else to the overflow bin: the first bin of
 * the region with pr_off 0 and pr_scale 2, if there is one.  Bins have 16 bits
 * (PROF_USHORT) or 32 (PROF_UINT, and the formula divides by 4 instead of 2:
 * at scale 65536 bins need as many bytes as the code has).  *tvp, if not null,
 * becomes the period.
 * profcnt 0 turns it off.  Returns 0, or -1 with EINVAL, EFAULT, or ENOMEM
 * for more than SPROFIL_MAX regions.  profil() and sprofil() replace one
 * another.
 */
int sprofil(struct prof *profp, int profcnt, struct timeval *tvp,
	    unsigned flags);
#define SPROFIL_MAX 1024

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
