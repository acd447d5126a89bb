/* SPDX-License-Identifier: 0BSD */
/*
 * Thread tables: each thread's own arc table, with its timer and its ticks.
 *
 * A table belongs to one thread at a time.  When its thread ends it keeps its
 * counts and is claimed by a later thread, which goes on adding to them; so
 * memory follows the peak of living threads.  A table is claimed only after
 * the kernel says that its owner is gone: the thread-specific-data destructor
 * is a hint, since other destructors may still count behind it.
 */
#ifndef GCRT_THREADS_H
#define GCRT_THREADS_H

#include "mcount/arcs.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum thread_stage {
	THREAD_LIVING = 1, /* its owner may count in it at any time */
	THREAD_ENDING,	   /* its owner has passed the destructor; may count */
	THREAD_CLAIMED	   /* changing hands */
};
enum { THREAD_STAGES = 3 }; /* the bits of a stage */

/* A thread's part of the sampler (profil/timer.c, perf.c). */
struct thread_ticks {
	_Atomic bool timed;	     /* timer_id is a timer of this owner */
	_Atomic bool going;	     /* it is armed */
	int timer_id;		     /* the kernel's number, which may be 0 */
	_Atomic int64_t next;	     /* ns: on the owner's clock when the next */
				     /* tick is due; or, stopped, until then */
	int64_t last;		     /* ns: elapsed time at the last tick */
	uintptr_t pc;		     /* where the last tick found it, or 0 */
	uint32_t owed;		     /* ticks that were delivered while off */
	uint32_t profil_saved;	     /* profil()'s part of a period so far */
	void *_Atomic ring;	     /* engine=perf: what the kernel writes */
	_Atomic bool ring_busy;	     /* somebody empties it */
	_Atomic uint64_t taken;	     /* ticks with a pc in the histogram */
	_Atomic uint64_t in_runtime; /* ticks with a pc in gcrt itself */
	_Atomic uint64_t held;	     /* ticks held back, or without memory */
};

struct thread_table {
	struct thread_table *next; /* all tables, newest first */
	_Atomic int owner;	   /* kernel thread id */
	_Atomic unsigned stage;	   /* enum thread_stage; above THREAD_STAGES */
				   /* how often it was claimed */
	bool attached;		   /* owner's threads_mine points here */
	_Atomic uint32_t unloads;  /* how many dlclose() its owner is in */
	uint32_t entries_into_c;   /* how often the slow path was taken */
	void *signal_stack;	   /* for fatal=1, or null */
	_Atomic(struct arc_table *) arcs; /* the newest */
	struct thread_ticks ticks;
};

/*
 * What the stub reads, in this order: the mask first and the entries second,
 * so that a handler which grows the table in between leaves an old, smaller
 * mask with the new, bigger table.  At first `entries` points at an entry
 * that matches no key.
 */
struct threads_mine {
	uintptr_t mask;
	struct arc_entry *entries;
	struct thread_table *table; /* null until the first counted call */
};

/* A word each, at these offsets in every stub. */
_Static_assert(offsetof(struct threads_mine, mask) == 0 &&
		       offsetof(struct threads_mine, entries) ==
			       sizeof(uintptr_t),
	       "the stubs read mask and entries");

#ifdef GCRT_SHARED
#define THREADS_TLS_MODEL "initial-exec"
#else
#define THREADS_TLS_MODEL "local-exec"
#endif
#define THREADS_TLS \
	_Thread_local __attribute__((tls_model(THREADS_TLS_MODEL)))
extern THREADS_TLS struct threads_mine threads_mine;

/*
 * Call `ending` when a thread that has a table ends.  Called from: start, when
 * the C library lets a key be made.
 */
void threads_start(void (*ending)(struct thread_table *table));

/* All tables. */
struct threads {
	_Atomic(struct thread_table *) newest;
	_Atomic int claims; /* threads that claim one just now */
	_Atomic bool claiming_for_others;
};

/*
 * Make the calling thread owner of a table and attach it, or return the table
 * that it has.  Null if there is no memory.  Signals must be blocked.
 */
struct thread_table *threads_claim(struct threads *threads, int pid, int tid);

/*
 * Begin and end to claim tables for other threads.  False if it cannot be done
 * now, since some thread is claiming.  Signals must be blocked.
 */
bool threads_claim_for_others(struct threads *threads);
void threads_claimed_for_others(struct threads *threads);

/*
 * A table for another thread, one that makes no counted calls, so that it can
 * be sampled.  Null if `tid` has a table or there is no memory.
 */
struct thread_table *threads_claim_for(struct threads *threads, int pid,
				       int tid);

/* The table of thread `tid`, or null. */
struct thread_table *threads_find(struct threads *threads, int tid);

/*
 * Give the calling thread's table a bigger, empty arc table.  False if there
 * is no memory.  Signals must be blocked.
 */
bool threads_grow(struct thread_table *table);

/*
 * In a forked child: all counts are zero (but with keep_counts), the calling
 * thread goes on in its table, and those of the threads that are not in this
 * process can be claimed.  Signals must be blocked.
 */
void threads_fork(struct threads *threads, bool keep_counts);

#endif
