# SPDX-License-Identifier: 0BSD
"""How true sampled time is: what a profile counted, over what was used."""

import os
import re
import subprocess

from measure import ACCOUNT

ENGINES = "timer", "perf"
RATES = 100, 1000, 10000
THREADS = 1, 2, 4, 8


def run(program, options, arguments):
    """What accuracy.c prints, and the four sums; None if refused."""
    process = subprocess.run(
        [program] + arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, env=dict(os.environ, GMON_OPTIONS="verbose=1:" + options))
    sums = ACCOUNT.search(process.stderr)
    if process.returncode or not sums or "refused" in process.stderr:
        return None
    figures = {name: float(value) for name, value in
               re.findall(r"^(\w+) ([\d.]+)$", process.stdout, re.M)}
    figures["counted"] = sum(map(float, sums.groups()[:3]))
    figures["unsampled"] = float(sums.group(4))
    return figures


def own_times(program):
    """function -> seconds, as gprof says"""
    process = subprocess.run(
        [os.environ.get("GPROF", "gprof"), "-bp", program, "gmon.out"],
        stdout=subprocess.PIPE, text=True)
    return {name: float(own) for own, name in re.findall(
        r"^ *[\d.]+ +[\d.]+ +([\d.]+) .* (spin_\d)$", process.stdout, re.M)}


def totals(program, seconds, rounds):
    """Rows of engine and rate; a cell for each number of threads."""
    for engine in ENGINES:
        true = "used" if engine == "timer" else "user"
        for rate in RATES:
            row = ["`%s`, %d Hz" % (engine, rate)]
            worst = 0
            for threads in THREADS:
                runs = [run(program, "engine=%s:rate=%d" % (engine, rate),
                            [str(threads), str(seconds)])
                        for _ in range(rounds)]
                if None in runs:
                    row.append("refused")
                    continue
                row.append(spread([r["counted"] / r[true] for r in runs]))
                worst = max([worst] + [r["unsampled"] / r[true] for r in runs])
            yield row + ["%.1f %%" % (100 * worst)]


def each_thread(program, seconds, rounds):
    """At 100 Hz: the least and the most any thread got of its own time, of
    those that had `seconds`; the others have too few ticks to tell."""
    for engine in ENGINES:
        for kind in [], ["uneven"]:
            row = ["`%s`, %s" % (engine, "90/10" if kind else "equal")]
            for threads in THREADS:
                ratios = []
                for _ in range(rounds):
                    figures = run(program, "engine=" + engine, [
                        str(threads), str(seconds * threads * (
                            2 if kind else 1))] + kind)
                    own = own_times(program)
                    if figures:
                        ratios += [own.get("spin_%d" % i, 0) /
                                   figures["thread_%d" % i]
                                   for i in range(threads)
                                   if figures["thread_%d" % i] >= seconds]
                row.append(spread(ratios) if ratios else "refused")
            yield row


def spread(ratios):
    """least – most, in percent"""
    return "%.1f – %.1f %%" % (100 * min(ratios), 100 * max(ratios))


def head(first):
    return [first] + ["%d thread%s" % (n, "s" if n > 1 else "")
                      for n in THREADS]
