# SPDX-License-Identifier: 0BSD
"""generate.py tree | arcs: functions by the hundred, as C."""

import sys

TREE = 50
SITES, CALLEES, CALLERS = 1000, 1000, 2000


def tree():
    """Each node calls one of four others, as the path says."""
    for n in range(TREE):
        print("void node%d(unsigned path, int depth);" % n)
    for n in range(TREE):
        # not in parts, whose names gprof would not show
        print("__attribute__((noipa))")
        print("void node%d(unsigned path, int depth)\n{" % n)
        print("\tif (!depth)\n\t\treturn;\n\tswitch (path & 3) {")
        for way in range(4):
            print("\tcase %d:\n\t\tnode%d(path >> 2, depth - 1);\n\t\tbreak;"
                  % (way, (n * 4 + way * 13 + 1) % TREE))
        print("\t}\n}")


def arcs():
    """Any site calls any callee: 1 000 000 arcs.  Only callees are counted."""
    print('#include "arcs.h"')
    print("#define COUNTED static __attribute__((noinline))")
    print("#define UNCOUNTED static __attribute__((no_instrument_function))")
    # the first one aligns them all, for they shall lie alike in each program
    print("COUNTED __attribute__((aligned(64))) void callee0(void);")
    for n in range(CALLEES):
        print("COUNTED void callee%d(void) { __asm__ volatile(\"\"); }" % n)
    for n in range(SITES):
        print("UNCOUNTED void site%d(callee *f) { f(); }" % n)
    for n in range(CALLERS):
        print("UNCOUNTED void caller%d(void) { callee0(); }" % n)
    for kind, name, count in (("callee *", "callee", CALLEES),
                              ("site *", "site", SITES),
                              ("callee *", "caller", CALLERS)):
        print("%sconst %ss[] = {%s};" % (kind, name, ", ".join(
            "%s%d" % (name, n) for n in range(count))))


{"tree": tree, "arcs": arcs}[sys.argv[1]]()
