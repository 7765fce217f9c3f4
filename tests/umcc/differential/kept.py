#!/usr/bin/env python3
"""The programs in found/: random kernels that umcc once got wrong, reduced to a few lines by run.py.

    tests/umcc/differential/kept.py [--build build/sim] [--folder found] [--modes default,plain,check] [PART-OF-A-NAME]

Each file says at its end what it has to print; by itself it is a program that prints OK (umcc -I near -isystem far).
Here many are one program, so that all are compiled and run in seconds. Prints a line for each that failed, and last
`N passed, N failed`. Exit 1 when one failed.

The first ones show that the random kernels find what reading had found before. Kernels of seed 1 (run.py --seed 1
--numbers N) that umcc got wrong when its passes went by spelling; nearby ones with the same form (--having) did, too:

| what was known                                                    | found by kernels       |
|-------------------------------------------------------------------|------------------------|
| `(unsigned)x < (unsigned)w` with x < 0: rows skipped              | 5999; 50 of seed 5     |
| the same in two dimensions                                        | 5693, 8468             |
| `unsigned i = ... + d; if (i >= n) return;` with d < 0            | 1529, 1557             |
| `if (i < n)` with an overloaded operator                          | 1617, 10536, 11651     |
| loop, carried variable changed by a functor                       | 3429, 2281, 2330, 3688 |
| ... by an aggregate that holds a reference                        | 5048, 1709, 1744, 5814 |
| ... by an overloaded `<<`                                         | 1369, 533, 1036        |
| ... by a function whose parameter is `using R = int &`            | 4018; 161 of seed 5    |
| ... by a function of a header that -isystem finds                 | 463                    |
| ... by a constexpr function                                       | 1863, 1100             |
| barriers: a functor by reference                                  | 2243, 13, 2475         |
| barriers: a thread's own value, by an aggregate, taken for uniform| 4861, 5844, 4454       |
"""
import argparse
import os
import re
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from toolchain import Toolchain

HERE = Path(__file__).resolve().parent
LAST = re.compile(r'^MAIN\((\d+),\s*"k\d+ ([^)]*)"\)', re.MULTILINE)
TOGETHER = 25  # programs in one


class Kept:
    """A file: the number of its kernel, and what it has to print."""

    def __init__(self, path):
        self.path = path
        number, self.expected = LAST.search(path.read_text()).groups()
        self.number, self.expected = int(number), re.sub(r'"\s*"', "", self.expected)


def groups_of(programs):
    """Lists of programs whose numbers are different, so that their names are."""
    groups = []
    for program in programs:
        fits = (g for g in groups if len(g) < TOGETHER and program.number not in g)
        group = next(fits, None)
        if group is None:
            groups.append(group := {})
        group[program.number] = program
    return groups


def text_of(group):
    lines = ["#define TOGETHER"]
    lines += [f'#include "{program.path}"' for program in group.values()]
    lines += ["int main(int argc, char **argv)", "{", "    prepare();",
              "    const int first = atoi(argv[1]), last = atoi(argv[argc - 1]);"]
    lines += [f"    if (first <= {n} && {n} <= last) run{n}();" for n in sorted(group)]
    return "\n".join([*lines, "    return 0;", "}"]) + "\n"


def said(tools, mode, group, name):
    """What each program of a group prints: {number: text}. Those that do not compile together are compiled alone."""
    source, program = tools.work / f"{name}-{mode}.cu", tools.work / f"{name}-{mode}"
    source.write_text(text_of(group))
    good, messages = tools.compile(mode, source, program)
    if good:
        return tools.run(program, group)
    if len(group) == 1:
        return {number: "refused: " + messages.strip()[:200] for number in group}
    results = {}
    for number, kept in group.items():
        results |= said(tools, mode, {number: kept}, f"{name}-{number}")
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    build = os.environ.get("UMLAB_BUILD", HERE.parents[2] / "build/sim")
    parser.add_argument("--build", type=Path, default=Path(build))
    parser.add_argument("--folder", type=Path, default=HERE / "found")
    parser.add_argument("--modes", default="default,plain,check")
    parser.add_argument("only", nargs="?", default="")
    args = parser.parse_args()
    programs = [Kept(p) for p in sorted(args.folder.resolve().glob("*.cu")) if args.only in p.name]
    failed = 0
    with tempfile.TemporaryDirectory() as work, ThreadPoolExecutor(os.cpu_count()) as pool:
        tools = Toolchain(args.build.resolve(), Path(work))
        asked = [(mode, group) for mode in args.modes.split(",") for group in groups_of(programs)]
        answers = pool.map(lambda n: said(tools, *asked[n], f"kept{n}"), range(len(asked)))
        for (mode, group), results in zip(asked, answers):
            for number, program in group.items():
                if results.get(number) != program.expected:
                    failed += 1
                    print(f"FAIL  {program.path.name}, {mode}: {results.get(number)}, expected {program.expected}")
    print(f"{len(programs) * len(args.modes.split(',')) - failed} passed, {failed} failed")
    return 1 if failed or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
