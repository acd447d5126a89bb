#!/usr/bin/env python3
# SPDX-License-Identifier: 0BSD
"""bench.py BENCH REAL COMPILER [QUICK]: what profiling costs, as Markdown.

Each figure is the minimum of several runs, with the median in parentheses.
The machine is everybody's: look at ratios, of minima first.  Nothing is
asserted.
"""

import os
import platform
import subprocess
import sys

import accuracy
from measure import VARIANTS, Bench, Results, count_lost, figure, leave_file


def show(pair, digits=2):
    """minimum (median)"""
    if pair is None or pair[0] is None:
        return "–"
    return "%.*f (%.*f)" % (digits, pair[0], digits, pair[1])


def cells(results, variants, digits=2):
    return [show((results.least(v), results.middle(v)), digits)
            if results.values.get(v) else "–" for v in variants]


def table(head, rows):
    print("\n| %s |" % " | ".join(head))
    print("|---|" + "---:|" * (len(head) - 1))
    for row in rows:
        print("| %s |" % " | ".join(row))
    sys.stdout.flush()


def call_row(name, results):
    return [name] + cells(results, VARIANTS) + [
        show(results.ratio("gcrt", "nothing")),
        show(results.ratio("libc", "gcrt"), 1)]


WORKS = ("leaf", "hot leaf"), ("fib", "recursion (fib)"), \
    ("tree", "50 functions, 200 arcs, random"), \
    ("fixed", "the same, predictable")


def calls(bench):
    second = str(bench.seconds)

    def timed(work, prefix="", *more, **options):
        return figure(bench.runs("time", [work, second] + list(more), prefix,
                                 **options), "ns")

    for work, name in WORKS:
        yield call_row(name, timed(work))
    for work, name in (("callers", "2 000 callers of one function"),
                       ("callees", "1 000 callees of one call site")):
        for order in "", "shuffled":
            yield call_row(name + (order and ", " + order), figure(
                bench.runs("arcs", [work, second] + [order] * bool(order)),
                "ns"))
    for arcs in "10000", "1000000":
        runs = bench.runs("arcs", [arcs, second, "shuffled"],
                          after=leave_file)
        name = "{:,} arcs".format(int(arcs)).replace(",", " ")
        yield call_row(name + ": new", figure(runs, "new"))
        yield call_row(name + ": second time", figure(runs, "again"))
        yield call_row(name + ": later", figure(runs, "ns"))
    yield call_row("hot leaf after moncontrol(0)", timed("leaf", "", "off"))
    base = {"base": bench.directory + "/base/time"}
    for work, name in WORKS:
        yield call_row("`__fentry__`: " + name,
                       timed(work, "fentry-", paths=base))
    for work, name in WORKS:
        yield call_row("from a `-pg` shared library: " + name,
                       timed(work, "shared-"))
    plain = dict(base, libc=bench.directory + "/libc/time")
    for work, name in WORKS:
        yield call_row("`libgmon.so`: " + name,
                       timed(work, "lib-", paths=plain))


def threads(bench):
    def over_alone(variant):
        return show(Results({"1": alone[variant],
                             "all": cpu.values[variant]}).ratio("all", "1"))

    for work, name in WORKS[0], WORKS[2]:
        alone = None
        for number in 1, 2, 4, 8:
            runs = bench.runs("threads", ["many", work, str(number),
                                          str(bench.seconds)],
                              after=count_lost)
            cpu = figure(runs, "cpu")
            alone = alone or cpu.values
            yield ["%s, %d" % (name, number)] + cells(cpu, VARIANTS) + [
                lost(runs["libc"]), lost(runs["gcrt"]),
                show(cpu.ratio("libc", "gcrt"), 1),
                over_alone("nothing"), over_alone("gcrt")]
    runs = bench.runs("threads", ["signals", str(4 * bench.seconds)],
                      after=count_lost)
    yield ["hot leaf, 1, and handlers at 10 kHz"] + cells(
        figure(runs, "cpu"), VARIANTS) + [
        lost(runs["libc"]), lost(runs["gcrt"]), "", "", ""]


def lost(runs):
    return "%.0f of %.0f M" % (sum(run["lost"] for run in runs),
                               sum(run["calls"] for run in runs) / 1e6)


def costs(bench, quick):
    def row(name, results, digits=2):
        return [name] + cells(results, VARIANTS, digits) + [
            show(results.more("gcrt", "base"), digits),
            show(results.ratio("gcrt", "base"))]

    short = ["short", "2000" if quick else "10000"]
    yield row("a thread of 200 calls, CPU µs",
              figure(bench.runs("threads", short), "us"))
    yield row("the same, without timers",
              figure(bench.runs("threads", short + ["untimed"]), "us"))
    yield row("a living thread with 200 arcs, KiB",
              figure(bench.runs("threads", ["living", "100"]), "kib"))
    idle = bench.runs("idle", [], after=leave_file, often=2)
    yield row("100 MB of text: start and exit, CPU ms", figure(idle, "used"))
    yield row("100 MB of text: memory, KiB", figure(idle, "rss"), 0)
    yield row("100 MB of text: gmon.out, bytes", figure(idle, "file"), 0)
    many = bench.runs("arcs", ["1000000", str(bench.seconds), "shuffled"],
                      after=leave_file)
    yield row("1 000 000 arcs: exit, CPU ms", figure(many, "leaving"))
    yield row("1 000 000 arcs: memory, KiB", figure(many, "kib"), 0)
    yield row("1 000 000 arcs: more at exit, KiB", figure(many, "grown"), 0)
    yield row("1 000 000 arcs: gmon.out, bytes", figure(many, "file"), 0)
    samples = bench.runs("sample", [])
    yield row("a sample, µs", figure(samples, "us"))
    yield row("the same signal to an empty handler, µs",
              figure(samples, "empty"))


def programs(bench, real):
    """As in tests/real, but with work for a tenth of a second."""
    here = os.path.dirname(os.path.abspath(__file__)) + "/../real/"
    with open(here + "work.sql") as file, open("work.sql", "w") as small:
        small.write(file.read().replace("i < 400000", "i < 20000"))
    with open(real + "/amalgamation/sqlite3.c") as file, \
            open("big", "w") as small:
        small.write(file.read(2 << 20))
    for program, arguments in (("lua", [here + "work.lua", "1"]),
                               ("sqlite3", [":memory:", ".read work.sql"]),
                               ("bzip2", ["-c", "big"])):
        results = figure(bench.runs(program, arguments, paths={
            v: "%s/pie/%s/%s" % (real, v, program) for v in VARIANTS}), "used")
        yield [program] + cells(results, VARIANTS, 1) + [
            show(results.ratio(v, "base")) for v in ("libc", "gcrt")] + [
            show(results.ratio("gcrt", "nothing"))]


def machine(compiler):
    with open("/proc/cpuinfo") as file:
        names = [line.split(":")[1].strip() for line in file
                 if line.startswith("model name")] or [platform.machine()]
    version = subprocess.run([compiler, "--version"], text=True,
                             stdout=subprocess.PIPE).stdout.splitlines()[0]
    return "%d x %s, Linux %s, %s, %s" % (
        os.cpu_count(), names[0], platform.release(),
        " ".join(platform.libc_ver()), version)


def main():
    directory, real = map(os.path.abspath, sys.argv[1:3])
    quick = len(sys.argv) > 4
    bench = Bench(directory, 3 if quick else 9, 0.03 if quick else 0.05)
    names = ["without `-pg`", "do-nothing", "C library", "gcrt"]
    print("%s.  Minima (medians) of %d interleaved runs." % (
        machine(sys.argv[3]), bench.rounds))
    table(["CPU ns per call"] + names +
          ["gcrt / do-nothing", "C library / gcrt"], calls(bench))
    table(["threads, CPU ns per call"] + names +
          ["calls lost by the C library", "by gcrt", "C library / gcrt",
           "do-nothing / with 1 thread",
           "gcrt / with 1 thread"], threads(bench))
    if os.path.exists(real + "/pie/gcrt/sqlite3"):
        table(["CPU ms"] + names + [
            "C library / without", "gcrt / without", "gcrt / do-nothing"],
            programs(bench, real))
    else:
        print("\nlua, sqlite3 and bzip2 could not be built: not measured")
    program = directory + "/gcrt/accuracy"
    table(accuracy.head("time sampled / CPU time used") +
          ["not sampled, at most"], accuracy.totals(
              program, 0.5 if quick else 5, 1 if quick else 3))
    table(accuracy.head("a thread's time / its own clock, 100 Hz"),
          accuracy.each_thread(program, 0.3 if quick else 1,
                               1 if quick else 5))
    table(["once"] + names + ["gcrt − without", "gcrt / without"],
          costs(bench, quick))


if __name__ == "__main__":
    main()
