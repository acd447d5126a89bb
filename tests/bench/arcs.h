/* SPDX-License-Identifier: 0BSD */
/* The generated functions of the works with many arcs. */
#ifndef BENCH_ARCS_H
#define BENCH_ARCS_H

typedef void callee(void);
typedef void site(callee *f);

enum { SITE_COUNT = 1000, CALLEE_COUNT = 1000, CALLER_COUNT = 2000 };

extern callee *const callees[CALLEE_COUNT]; /* counted */
extern site *const sites[SITE_COUNT];       /* call f; not counted */
extern callee *const callers[CALLER_COUNT]; /* call callee0; not counted */

#endif
