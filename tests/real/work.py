# SPDX-License-Identifier: 0BSD
"""The real work: what each program is given to do, and one run of it."""

import hashlib
import os
import subprocess

import judge

HERE = os.path.dirname(os.path.abspath(__file__))
BIG_COPIES = 4

# without address randomisation, if the machine lets us: the same steps in
# every run
FIXED = ["setarch", "-R"]
if subprocess.run(FIXED + ["true"], stderr=subprocess.DEVNULL).returncode:
    FIXED = []

# program and arguments (@: its own folder); what it reads; what it leaves
WORKS = {
    "lua": (["lua", HERE + "/work.lua", "16"], "/dev/null", []),
    "lua -l": (["lua", HERE + "/grammar.lua", "@", "3000"], "/dev/null", []),
    "bzip2 -c": (["bzip2", "-c"], "big", []),
    "bzip2 -dc": (["bzip2", "-dc", "../../../big.bz2", "../../../big.bz2"],
                  "/dev/null", []),
    "sqlite3": (["sqlite3", "work.db"], HERE + "/work.sql", ["work.db"]),
}


def prepare(real):
    """The big file: a big program's text, and the same as bzip2 packs it."""
    os.makedirs(real + "/run", exist_ok=True)
    with open(real + "/amalgamation/sqlite3.c", "rb") as file:
        text = file.read()
    with open(real + "/run/big", "wb") as file:
        file.write(text * BIG_COPIES)
    with open(real + "/run/big.bz2", "wb") as file:
        subprocess.run([real + "/pie/libc/bzip2", "-c", real + "/run/big"],
                       cwd=real + "/run", stdout=file, check=True)


def unpacked(real):
    """What `bzip2 -dc` has to print."""
    with open(real + "/run/big", "rb") as file:
        return hashlib.sha256(file.read() * 2).hexdigest()


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


class Run:
    """status, output (its digest), cpu (seconds), and the profile: summary
    (ours only), calls and seconds of each function."""

    def __init__(self, real, gprof, work, mode, runtime, options=""):
        command, stdin, leavings = WORKS[work]
        folder = "/".join([real, mode, runtime])
        path = folder + "/" + command[0]
        here = "/".join([real, "run", work.replace(" ", ""), mode, runtime])
        os.makedirs(here, exist_ok=True)
        for name in ["gmon.out"] + leavings:
            if os.path.exists(here + "/" + name):
                os.unlink(here + "/" + name)
        with open(os.path.join(real, "run", stdin)) as source, \
                open(here + "/out", "wb") as out, \
                open(here + "/err", "wb") as err:
            child = subprocess.Popen(
                FIXED + [path] + [folder if word == "@" else word
                                  for word in command[1:]], cwd=here,
                stdin=source, stdout=out, stderr=err,
                env=dict(os.environ, GMON_OPTIONS=options, LC_ALL="C"))
            _, self.status, usage = os.wait4(child.pid, 0)
        child.returncode = self.status
        self.cpu = usage.ru_utime + usage.ru_stime
        self.output = digest(here + "/out")
        with open(here + "/err", errors="replace") as err:
            self.summary = judge.read_summary(err.read())
        self.files = path, here + "/gmon.out"
        self.calls = judge.read_calls(gprof, path, here + "/gmon.out")
        self.seconds = judge.read_seconds(gprof, path, here + "/gmon.out")
