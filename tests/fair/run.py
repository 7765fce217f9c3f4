#!/usr/bin/env python3
"""Grades right solutions that are unusual: each has to get full marks.

    tests/fair/run.py [--build build/sim] [--seed N] [--jobs N] [--sample N] [lab1 ... | lab1/name ...]

Each tests/fair/labN/NAME.c has some of the lab's functions, done in a way that the lab's own solution does not show;
its first line is a comment, `fair: what is unusual`. The other functions are the solution's, and only the exercises of
the file's own functions are judged. So a check that fails here is unfair: exercise.h does not forbid what the program
does. --sample 4 grades a quarter of the files, another one at each commit (UM_TURN), and looks of the others only
whether they are in form; with UM_LONG=1 it grades all.

Prints `ok NAME` or `FAIL NAME` with the checks that are not passed, last `N passed, N failed, N skipped`; or `SKIP`
and the reason why nothing can be graded here.
"""
import argparse
import os
import re
import sys
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/mutants"))
import mutant  # noqa: E402
import run as mutants  # noqa: E402

HEADER = re.compile(r"/\* fair: \S")


def functions_of(path, solution):
    """@return the lab's functions that the file has"""
    text = path.read_text()
    if not HEADER.match(text):
        raise mutant.Bad(f"{path}:1: it is not `/* fair: what is unusual */`")
    mine = sorted(mutant.functions(text) & mutant.functions(solution))
    if not mine:
        raise mutant.Bad(f"{path}: it has no function of the lab's")
    return mine


def submission(path, solution, mine):
    """exercise.c: the file, and in front of it the solution with other names for what the file has."""
    text = path.read_text()
    if set(mine) == mutant.functions(solution):
        return text
    before = "".join(f"#define {name} {name}_of_the_solution\n" for name in mine)
    after = "".join(f"#undef {name}\n" for name in mine)
    return f'#define _GNU_SOURCE\n{before}{solution}{after}#line 1 "{path.name}"\n{text}'


def grade(grader, path):
    lab = path.parent.name
    solution = mutants.solution_of(lab)
    mine = functions_of(path, solution)
    return mutants.compare(grader.grade(lab, submission(path, solution, mine), mine), [])


def look(path):
    functions_of(path, mutants.solution_of(path.parent.name))
    return []


def cases(grader, wanted, sample):
    """(name, function that returns what is wrong)"""
    turn = int(os.environ.get("UM_TURN", "0"))
    for path in sorted((ROOT / "tests/fair").glob("lab*/*.c")):
        lab, name = path.parent.name, f"{path.parent.name}/{path.stem}"
        if wanted and not {lab, name} & set(wanted):
            continue
        if (zlib.crc32(path.stem.encode()) + turn) % sample == 0:
            yield name, lambda path=path: grade(grader, path)
        else:
            yield f"{name} is in form", lambda path=path: look(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default=os.environ.get("UMLAB_BUILD", ROOT / "build/sim"))
    parser.add_argument("--seed", type=int, default=1, help="of hidden inputs")
    parser.add_argument("--sandbox", default="auto")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--sample", type=int, default=1, metavar="N", help="grade one file in N")
    parser.add_argument("wanted", nargs="*", help="lab1, lab1/name")
    options = parser.parse_args()
    if not (Path(options.build) / "grade/umgrade").exists():
        print("SKIP right solutions: there is no grader; `make graders` builds what is needed")
        return 2
    sample = 1 if os.environ.get("UM_LONG") else max(1, options.sample)
    grader = mutants.Grader(options.build, options.seed, options.sandbox)
    every = list(cases(grader, options.wanted, sample))
    failed = 0
    if not every:
        print("FAIL nothing to grade: no file of tests/fair has such a name")
        failed = 1
    with ThreadPoolExecutor(options.jobs) as pool:
        for name, wrong in pool.map(mutants.run, every):
            print(("FAIL " if wrong else "ok ") + name, flush=True)
            for line in wrong:
                print("        " + line.replace("\n", "\n        "))
            failed += bool(wrong)
    print(f"{max(0, len(every) - failed)} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
