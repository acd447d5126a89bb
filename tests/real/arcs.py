#!/usr/bin/env python3
# SPDX-License-Identifier: 0BSD
"""arcs.py REAL GPROF GMON: the libraries of lua and sqlite3, shared, and a
module that lua loads, in one call graph of the whole process.

The same objects in one program, profiled by the C library's runtime, are the
truth: each of its arcs has to be in ours, with the same names and count.  What
differs between two of its runs is left out and named.  Callers that it cannot
know, those without -pg, are in ours alone.
"""

import os
import sys

import judge
import work

LEFT_OUT = 0.02  # of the arcs
ACROSS = 40      # at least so many lead from one image to another

ROW = "{:10}{:>10}{:>7}{:>8}{:>6}  {}"


def measure(real, gprof, gmon, name, mode, runtime, options=""):
    run = work.Run(real, gprof, name, mode, runtime, options)
    os.environ["GPROF"] = gprof
    run.named = judge.read_arcs([gmon, "report", "-w"], *run.files)
    run.arcs = {}
    for arc, counts in run.named.items():
        names = tuple(name.partition("@")[0] for name in arc)
        run.arcs[names] = sorted(run.arcs.get(names, []) + counts)
    return run


def across(arcs):
    """How many arcs lead from an image to another one."""
    return sum(caller.partition("@")[2] != callee.partition("@")[2]
               for caller, callee in arcs)


def differences(truth, ours):
    left_out = {arc for arc in truth[0].arcs
                if truth[0].arcs[arc] != truth[1].arcs.get(arc)}
    callers = {caller for caller, _ in truth[0].arcs} | {
        callee for _, callee in truth[0].arcs}
    for arc, counts in truth[0].arcs.items():
        if arc not in left_out and ours.arcs.get(arc) != counts:
            yield "%s called %s %s times, we say %s" % (
                *arc, counts, ours.arcs.get(arc))
    for arc, counts in ours.arcs.items():
        if arc not in truth[0].arcs and arc[0] in callers:
            yield "%s called %s %s times, which is not true" % (*arc, counts)
    if len(left_out) > LEFT_OUT * len(truth[0].arcs):
        yield "of %d arcs %d are left out: %s" % (
            len(truth[0].arcs), len(left_out), sorted(left_out))


def faults(truth, ours):
    yield from differences(truth, ours)
    for run in truth + [ours]:
        if run.status != 0 or run.output != truth[0].output:
            yield "the output differs, or the exit status is not 0"
    if not ours.summary or ours.summary.lost or ours.summary.calls_outside:
        yield "calls are lost or outside: %s" % (ours.summary,)
    if across(ours.named) < ACROSS:
        yield "only %d arcs lead from image to image" % across(ours.named)


def main():
    real, gprof, gmon = os.path.abspath(sys.argv[1]), *sys.argv[2:]
    print(ROW.format("", "calls", "arcs", "across", "only", ""))
    failed = 0
    for name in "lua -l", "sqlite3":
        truth = [measure(real, gprof, gmon, name, "whole", "libc")
                 for _ in range(2)]
        ours = measure(real, gprof, gmon, name, "shared", "gcrt",
                       "verbose=1:images=all")
        lines = list(faults(truth, ours))
        print(ROW.format(
            name, "%.2f M" % (ours.summary.calls / 1e6 if ours.summary else 0),
            len(ours.arcs), across(ours.named),
            len(set(ours.arcs) - set(truth[0].arcs)),
            "%d FAILED" % len(lines) if lines else "same"))
        print("".join("    %s\n" % line for line in lines[:20]), end="")
        failed += len(lines)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
