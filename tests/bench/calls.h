/* SPDX-License-Identifier: 0BSD */
/*
 * Calls to be timed.  Each work makes about `count` of them and returns how
 * many it made, its own one not included.
 */
#ifndef BENCH_CALLS_H
#define BENCH_CALLS_H

typedef long work(long count);

work work_leaf;  /* one function, one call site */
work work_fib;   /* recursion */
work work_tree;  /* 50 functions, 200 arcs, in pseudo-random order */
work work_fixed; /* the same, always the same way */

/* The work of this name, or null. */
work *work_named(const char *name);

#endif
