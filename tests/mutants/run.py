#!/usr/bin/env python3
"""Grades what should fail, and what should not.

    tests/mutants/run.py [--build build/sim] [--seed N] [--jobs N] [--sample N] [lab1 ... | lab1/name ...]
    tests/mutants/run.py --solutions 50 [lab1 ...]    the solutions only, with that many seeds

For each lab with checks: its solution has full marks; its placeholders score 0; and each mutant in tests/mutants/labN
fails exactly where its first line says (mutant.py). A check whose parent (or parent's parent) is named fails with it,
and is not named. Only the exercises of those functions that a mutant changes are judged. --sample 5 grades a fifth of
the mutants, another one at each commit (UM_TURN), and looks of the others only whether they apply; with UM_LONG=1 it
grades all. Each seed has a key of its own (grade/key.h), always the same.

Prints `ok NAME` or `FAIL NAME` with the reason, last `N passed, N failed, N skipped`.
"""
import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import mutant

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "grade"))
import handout  # noqa: E402


def lab_folder(lab):
    return next(iter(sorted((ROOT / "labs").glob(f"{lab}_*"))))


class Grader:
    def __init__(self, build, seed, sandbox):
        self.build, self.seed, self.sandbox = Path(build).resolve(), seed, sandbox
        self.key = hashlib.sha256(f"mutants, seed {seed}".encode()).hexdigest()[:32]

    def grade(self, lab, source, only=()):
        """@return the result document; of the exercises named, or of all"""
        with tempfile.TemporaryDirectory(prefix="um-mutant-") as folder:
            submission = Path(folder, "submission")
            submission.mkdir()
            (submission / "exercise.c").write_text(source)
            command = [self.build / "grade/umgrade", "--lab", lab, "--lab-dir", lab_folder(lab), "--checks",
                       self.build / f"grade/{lab}.so", "--root", ROOT, "--build", self.build, "--out", folder,
                       "--submission", submission, "--sandbox", self.sandbox, "--seed", str(self.seed)]
            command += ["--only", ",".join(only)] if only else []
            key = Path(folder, "key")
            key.touch(0o600)
            key.write_text(self.key + "\n")
            done = subprocess.run(command, capture_output=True, text=True, timeout=600, errors="replace",
                                  env=dict(os.environ, UMLAB_KEY=str(key), UMLAB_STUDENT=""))
            if done.returncode not in (0, 1):
                raise ValueError(f"umgrade exited with {done.returncode}: {done.stderr.strip()}")
            return json.loads(Path(folder, f"{lab}.json").read_text())


def describe(check):
    return f"{check['name']} {check['status']}: expected {check['expected']}; happened: {check['happened']} " \
           f"({check['where']})"


def compare(result, named):
    """@return what is wrong, a line each"""
    checks = {check["name"]: check for check in result["checks"]}
    wrong = [f"there is no check {name}" for name in named if name not in checks]
    if not result["build"]["ok"]:
        return ["it does not compile: " + result["build"]["log"]]
    for name, check in checks.items():
        parent, fails = check["parent"], name in named
        while parent and not fails:
            fails, parent = parent in named, checks[parent]["parent"]
        if fails and check["status"] == "PASS":
            wrong.append(f"{name} passes")
        elif not fails and check["status"] != "PASS":
            wrong.append(describe(check))
        elif name in named and check["status"] == "SKIP":
            wrong.append(f"{name} was not judged: name its parent")
    return wrong


def solution_of(lab):
    return handout.for_instructors((lab_folder(lab) / "exercise.c").read_text(), "exercise.c")


def try_mutant(grader, lab, path):
    wrong, solution = mutant.Mutant(path), solution_of(lab)
    return compare(grader.grade(lab, wrong.apply(solution), wrong.changes(solution)), wrong.fails())


def try_applying(lab, path):
    wrong, solution = mutant.Mutant(path), solution_of(lab)
    wrong.apply(solution)
    wrong.changes(solution)
    return []


def try_solution(grader, lab):
    return compare(grader.grade(lab, solution_of(lab)), [])


def try_placeholders(grader, lab):
    result = grader.grade(lab, handout.for_students((lab_folder(lab) / "exercise.c").read_text(), "exercise.c"))
    wrong = [] if result["build"]["ok"] else ["it does not compile: " + result["build"]["log"]]
    if result["score"]:
        wrong += [f"{c['name']} has {c['points']} points" for c in result["checks"] if c["points"]]
    return wrong


def labs(build):
    for folder in sorted((ROOT / "labs").glob("lab[0-9]*_*")):
        lab = folder.name.split("_")[0]
        if (folder / "grade/checks.c").exists() and (Path(build) / f"grade/{lab}.so").exists():
            yield lab


def cases(grader, wanted, sample):
    """(name, function that returns what is wrong)"""
    turn = int(os.environ.get("UM_TURN", "0"))
    for lab in labs(grader.build):
        every = [(f"{lab}/solution", lambda lab=lab: try_solution(grader, lab)),
                 (f"{lab}/placeholders", lambda lab=lab: try_placeholders(grader, lab))]
        for path in mutant.of_lab(ROOT / "tests/mutants" / lab):
            if (zlib.crc32(path.stem.encode()) + turn) % sample == 0:
                every.append((f"{lab}/{path.stem}", lambda lab=lab, path=path: try_mutant(grader, lab, path)))
            else:
                every.append((f"{lab}/{path.stem} applies", lambda lab=lab, path=path: try_applying(lab, path)))
        yield from (case for case in every if not wanted or case[0] in wanted or lab in wanted)


def solutions(build, sandbox, seeds, wanted):
    """Other seeds are other inputs and other random schedules."""
    for lab in labs(build):
        for seed in range(1, seeds + 1):
            if not wanted or lab in wanted:
                grader = Grader(build, seed, sandbox)
                yield f"{lab}/solution, seed {seed}", lambda grader=grader, lab=lab: try_solution(grader, lab)


def run(case):
    try:
        return case[0], case[1]()
    except (mutant.Bad, handout.Bad, ValueError, OSError, subprocess.SubprocessError) as error:
        return case[0], [str(error)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default=os.environ.get("UMLAB_BUILD", ROOT / "build/sim"))
    parser.add_argument("--seed", type=int, default=1, help="of hidden inputs; the course's changes with the term")
    parser.add_argument("--sandbox", default="auto")
    parser.add_argument("--solutions", type=int, metavar="SEEDS")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--sample", type=int, default=1, metavar="N", help="grade one mutant in N")
    parser.add_argument("wanted", nargs="*", help="lab1, lab1/name")
    options = parser.parse_args()
    if options.solutions:
        every = solutions(options.build, options.sandbox, options.solutions, options.wanted)
    else:
        sample = 1 if os.environ.get("UM_LONG") else max(1, options.sample)
        every = cases(Grader(options.build, options.seed, options.sandbox), options.wanted, sample)
    failed = passed = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for name, wrong in pool.map(run, every):
            print(("FAIL " if wrong else "ok ") + name, flush=True)
            for line in wrong:
                print("        " + line.replace("\n", "\n        "))
            failed, passed = failed + bool(wrong), passed + (not wrong)
    if not failed + passed:
        print("FAIL nothing to grade: `make graders` builds what is needed")
        failed = 1
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
