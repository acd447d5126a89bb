# SPDX-License-Identifier: 0BSD
"""Runs the programs of the bench in turn, and keeps what they print."""

import os
import re
import statistics
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../real"))
import judge

VARIANTS = "base", "nothing", "libc", "gcrt"
# the verbose=1 line
ACCOUNT = re.compile(r": ([\d.]+) s in the file, ([\d.]+) s outside, "
                     r"([\d.]+) s in the runtime, ([\d.]+) s not sampled")
COUNTED = re.compile(r"leaf|fib|node\d+")  # the functions of calls.c, tree.c


class Results:
    """One figure of several variants: variant -> its values."""

    def __init__(self, values):
        self.values = values

    def least(self, variant):
        return min(self.values.get(variant, []), default=None)

    def middle(self, variant):
        values = self.values.get(variant)
        return statistics.median(values) if values else None

    def ratio(self, over, under):
        """Of the minima, and of the medians."""
        if not self.values.get(over) or (self.least(under) or 0) <= 0:
            return None
        return (self.least(over) / self.least(under),
                self.middle(over) / self.middle(under))

    def more(self, over, under):
        """The same for differences."""
        if not self.values.get(over) or not self.values.get(under):
            return None
        return (self.least(over) - self.least(under),
                self.middle(over) - self.middle(under))


def run(launcher, command):
    """What it prints as `name number` lines, and what run.c adds."""
    process = subprocess.run([launcher] + command, stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL)
    if process.returncode:
        sys.exit("%s failed" % " ".join(command))
    text = process.stdout.decode(errors="replace")
    return {name: float(value) for name, value in
            re.findall(r"^(\w+) ([\d.]+)$", text, re.M)}


# What is found out after a run, from its profile and its figures.

def count_lost(program, figures):
    """Calls that were made, but are not in the profile."""
    if os.path.exists("gmon.out"):
        calls = judge.read_calls(os.environ.get("GPROF", "gprof"), program,
                                 "gmon.out")
        figures["lost"] = figures["calls"] - sum(
            sum(counts) for name, counts in calls.items()
            if COUNTED.fullmatch(name))


def leave_file(program, figures):
    """What the exit took and left."""
    figures["file"] = os.path.getsize("gmon.out") \
        if os.path.exists("gmon.out") else 0
    figures["grown"] = figures["rss"] - figures.get("kib", 0)
    figures["leaving"] = figures["used"] - figures.get("before", 0)


class Bench:
    def __init__(self, directory, rounds, seconds):
        self.directory, self.rounds, self.seconds = directory, rounds, seconds
        os.makedirs(directory + "/here", exist_ok=True)
        os.chdir(directory + "/here")
        self.kept = {}

    def runs(self, program, arguments, prefix="", paths=None, after=None,
             often=1):
        """variant -> what each of its runs says.  All variants in turn, the
        order reversed each time, so that all meet the same machine."""
        key = program, tuple(arguments), prefix
        if key in self.kept:
            return self.kept[key]
        print("  " + " ".join([prefix + program] + arguments), file=sys.stderr)
        result = {variant: [] for variant in VARIANTS}
        for turn in range(self.rounds * often):
            for variant in VARIANTS[::-1 if turn % 2 else 1]:
                path = (paths or {}).get(variant) or "/".join(
                    [self.directory, prefix + variant, program])
                if not os.path.exists(path):
                    continue
                if os.path.exists("gmon.out"):
                    os.unlink("gmon.out")
                figures = run(self.directory + "/run", [path] + arguments)
                if after:
                    after(path, figures)
                result[variant].append(figures)
        self.kept[key] = result
        return result


def figure(runs, name):
    return Results({variant: [figures[name] for figures in each
                              if name in figures]
                    for variant, each in runs.items()})
