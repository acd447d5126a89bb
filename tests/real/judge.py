# SPDX-License-Identifier: 0BSD
"""What stock gprof reads in a gmon.out, and what gcrt's summary line says."""

import collections
import re
import subprocess

# [7]     12.2    0.02    0.07 7186086+12      count <cycle 2> [7]
PRIMARY = re.compile(
    r"\[\d+\] +[\d.]+ +[\d.]+ +[\d.]+ +(?:(\d+)(?:\+(\d+))? +)?(\S+)")
#                0.00    0.01   30/60          layer1 [5]
SECONDARY = re.compile(
    r" +(?:[\d.]+ +[\d.]+ +)?(\d+)(?:/\d+)? +(\S+) (?:<cycle \d+> )?\[\d+\]$")
#  5.19      0.62     0.04  7186086     0.00     0.00  find
FLAT = re.compile(r" *[\d.]+ +[\d.]+ +([\d.]+) +(?:\d+ +[\d.]+ +[\d.]+ +)?(\S+)$")

SUMMARY = re.compile(
    r"^gcrt: .*: ([\d.]+) s in the file, ([\d.]+) s outside, "
    r"([\d.]+) s in the runtime, ([\d.]+) s not sampled; "
    r"\d+ arcs, (\d+) calls, (\d+) outside, (\d+) lost$", re.M)

Summary = collections.namedtuple(
    "Summary", "file outside runtime unsampled calls calls_outside lost")


def gprof(command, report, program, gmon):
    """Its report; nothing if there is no profile to read."""
    words = [command] if isinstance(command, str) else command
    return subprocess.run(words + ["-b", report, program, gmon],
                          stdout=subprocess.PIPE, text=True).stdout


def read_calls(command, program, gmon):
    """Function -> how often it was called, recursive calls included; if
    several functions have one name, all their numbers."""
    calls = collections.defaultdict(list)
    for line in gprof(command, "-q", program, gmon).splitlines():
        match = PRIMARY.match(line)
        if match and not match[3].startswith("<"):
            count = int(match[1] or 0) + int(match[2] or 0)
            if count:
                calls[match[3]].append(count)
    return {name: sorted(counts) for name, counts in calls.items()}


def read_arcs(command, program, gmon):
    """(caller, callee) -> how often it called; if several functions have
    these names, all their numbers.  Calls of a function by itself are none."""
    arcs = collections.defaultdict(list)
    callers = []
    for line in gprof(command, "-q", program, gmon).splitlines():
        match = SECONDARY.match(line)
        if match and callers is not None:
            callers.append((match[2], int(match[1])))
        elif PRIMARY.match(line):
            for caller, count in callers or []:
                arcs[caller, PRIMARY.match(line)[3]].append(count)
            callers = None
        elif line.startswith("---"):
            callers = []
    return {arc: sorted(counts) for arc, counts in arcs.items()}


def read_seconds(command, program, gmon):
    """Function -> its own time."""
    seconds = collections.Counter()
    for line in gprof(command, "-p", program, gmon).splitlines():
        match = FLAT.match(line)
        if match:
            seconds[match[2]] += float(match[1])
    return seconds


def read_summary(stderr):
    match = SUMMARY.search(stderr)
    return match and Summary(*map(float, match.groups()))
