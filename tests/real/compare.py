#!/usr/bin/env python3
# SPDX-License-Identifier: 0BSD
"""compare.py REAL GPROF: lua, bzip2 and sqlite3 at work, profiled by the C
library's runtime and by ours, as build.mk built them below REAL.

Each runtime has two runs.  A function whose count differs between the two of
the C library's is left out and named; all others must have the same count in
ours.  main, callbacks and destructors, which are called from outside of the
program, have counts in ours alone.
"""

import os
import sys

import work

WORKS = "lua", "bzip2 -c", "bzip2 -dc", "sqlite3"
MODES = "pie", "nopie", "static"

SAMPLES_PER_SECOND = 100
LEFT_OUT = 0.02    # of the functions
TIME_ERROR = 0.03  # of the CPU time, by which the four sums may miss it
UNSAMPLED = 0.01   # of the CPU time
TOP = 0.10         # of the profile: a function with so much in the one ...
TOP_ERROR = 0.03   # ... has as much in the other, but for this and ...
TOP_DEVIATION = 4  # ... so many standard deviations

ROW = "{:10}{:7}{:>10}{:>7}{:>6}{:>6}{:>8}{:>8}{:>9}{:>9}{:>12}  {}"
HEAD = ROW.format("", "", "calls", "funcs", "only", "left", "CPU", "file",
                  "outside", "runtime", "not sampled", "")


def check_output(libc, ours, expected):
    for run in libc + ours:
        if run.status != 0 or run.output != (expected or libc[0].output):
            yield "the output differs, or the exit status is not 0"


def check_counts(left_out, libc, ours):
    if not libc[0].calls:
        yield "the C library's runtime has no counts"
    for name, counts in libc[0].calls.items():
        for run in ours:
            if name not in left_out and run.calls.get(name) != counts:
                yield "%s was called %s times, we say %s" % (
                    name, counts, run.calls.get(name))
    for run in ours:
        if run.calls.get("main") != [1]:
            yield "main was called %s times" % run.calls.get("main")
        if run.summary and run.summary.lost:
            yield "%d calls were lost" % run.summary.lost


def check_left_out(left_out, libc):
    if len(left_out) > LEFT_OUT * len(libc[0].calls):
        yield "of %d functions %d are left out: %s" % (
            len(libc[0].calls), len(left_out), ", ".join(sorted(left_out)))


def check_time(ours):
    for run in ours:
        total = run.summary and sum(run.summary[:4])
        if not total or abs(total - run.cpu) > TIME_ERROR * run.cpu:
            yield "of %.2f s CPU time, %s are accounted for" % (run.cpu, total)


def check_unsampled(ours):
    # a machine that stood still for two ticks of the kernel cannot be told
    # from a thread that held the signal back; so the better run counts
    parts = [run.summary.unsampled / run.cpu for run in ours if run.summary]
    if len(parts) < len(ours) or min(parts) > UNSAMPLED:
        yield "parts not sampled: %s" % parts


def shares(runs, functions):
    """Function -> its part of the time, and the variance of that."""
    seconds = {name: sum(run.seconds.get(name, 0) for run in runs)
               for name in functions}
    total = sum(seconds.values()) or 1
    return {name: (time / total, time / total * (1 - time / total) /
                   (total * SAMPLES_PER_SECOND))
            for name, time in seconds.items()}


def check_top(libc, ours):
    # of the functions that have counts: static programs show the C library,
    # and its time in the kernel follows the machine's mood
    theirs, our = (shares(runs, ours[0].calls) for runs in (libc, ours))
    for name in theirs:
        (a, a_variance), (b, b_variance) = theirs[name], our[name]
        error = TOP_ERROR + TOP_DEVIATION * (a_variance + b_variance) ** 0.5
        if max(a, b) >= TOP and abs(a - b) > error:
            yield "%s has %.0f %% of their profile, %.0f %% of ours" % (
                name, a * 100, b * 100)


def compare(real, gprof, name, mode, expected):
    """Print a row, and return how many checks passed and failed."""
    libc = [work.Run(real, gprof, name, mode, "libc") for _ in range(2)]
    # as a user has it, and as finely as the timers go
    ours = [work.Run(real, gprof, name, mode, "gcrt", "verbose=1" + rate)
            for rate in ("", ":rate=1000")]
    left_out = {f for f in libc[0].calls if libc[0].calls[f] !=
                libc[1].calls.get(f)} | set(libc[1].calls) - set(libc[0].calls)
    only = set(ours[0].calls) - set(libc[0].calls)
    results = [list(check) for check in (
        check_output(libc, ours, expected),
        check_counts(left_out, libc, ours),
        check_left_out(left_out, libc),
        check_time(ours), check_unsampled(ours), check_top(libc, ours))]
    failed = sum(map(bool, results))
    summary = ours[0].summary
    print(ROW.format(
        name, mode, "%.2f M" % (summary.calls / 1e6) if summary else "?",
        len(ours[0].calls), len(only), len(left_out), "%.2f" % ours[0].cpu,
        *("%.2f" % time for time in (summary or [0] * 4)[:4]),
        "%d FAILED" % failed if failed else "same"))
    for line in sum(results, []):
        print("    " + line)
    if left_out:
        print("    left out: " + ", ".join(sorted(left_out)))
    sys.stdout.flush()
    return len(results) - failed, failed


def main():
    real, gprof = os.path.abspath(sys.argv[1]), sys.argv[2]
    work.prepare(real)
    if not work.FIXED:
        print("setarch -R is refused here: addresses are random")
    print(HEAD)
    passed = failed = 0
    for name in WORKS:
        expected = work.unpacked(real) if name == "bzip2 -dc" else None
        for mode in MODES:
            result = compare(real, gprof, name, mode, expected)
            passed += result[0]
            failed += result[1]
    print("%d passed, %d failed" % (passed, failed))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
