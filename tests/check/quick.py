#!/usr/bin/env python3
"""umcc --check tells the same of random kernels, however it judges their accesses.

    tests/check/quick.py

random/kernels.cu plays random scripts of wrong accesses; random/rows.cu has loops, which may be judged before they
begin (sim/check/rows.h). Each seed is run as programs are, in which most accesses are judged in the short way
(sim/check/quick.h), and with UMSIM_CHECK=all,each, where none is: both have to tell the same, word by word, and again
in a second run. Most kernels are told something; if few were, this would show little, so that fails as well. 200
seeds of each with UM_LONG=1, else 6, at the next commit (UM_TURN) others.
UMLAB_BUILD says where the simulator is (build/sim). Prints what differed first, and last `N passed, N failed`.
"""
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
BUILD = Path(os.environ.get("UMLAB_BUILD", "build/sim")).resolve()
# Kernels of each seed, and how many reports there have to be at least of 6 seeds: twice as many are usual.
PROGRAMS = {"kernels": (60, 300), "rows": (30, 60)}
IS_LONG = os.environ.get("UM_LONG") == "1"
SEEDS = 200 if IS_LONG else 6


def told(program, seed, checks):
    """What a run prints."""
    kernels = PROGRAMS[Path(program).name][0]
    done = subprocess.run([program, str(seed), str(kernels)], env=dict(os.environ, UMSIM_CHECK=checks),
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, check=False)
    return done.stdout + done.stderr


def first_difference(one, other):
    """Where two texts part, for people."""
    lines, others = one.splitlines(), other.splitlines()
    for number, (a, b) in enumerate(zip(lines, others), 1):
        if a != b:
            return f"line {number}\n  {a}\n  {b}"
    return f"line {min(len(lines), len(others)) + 1}: one ends there"


def judge(program, seed):
    """'' or what is wrong; how many reports there are."""
    usual = told(program, seed, "all")
    for checks in ("all,each", "all"):
        if (again := told(program, seed, checks)) != usual:
            return f"with UMSIM_CHECK={checks} it is told something else: {first_difference(usual, again)}", 0
    return "", usual.count("\n========= \n")


def judge_all(program, pool):
    """@return how many seeds have passed, how many have failed."""
    name = Path(program).name
    subprocess.run([BUILD / "bin/umcc", "--check", "-o", program, HERE / f"random/{name}.cu"], check=True)
    first = 1 if IS_LONG else 1 + SEEDS * int(os.environ.get("UM_TURN", "0"))
    failed, reports = 0, 0
    for number, (wrong, told_of) in enumerate(pool.map(lambda seed: judge(program, seed), range(first, first + SEEDS))):
        failed += bool(wrong)
        reports += told_of
        print(f"FAIL  {name}, seed {first + number}: {wrong}" if wrong else f"ok  {name}, seed {first + number}")
    if reports < PROGRAMS[name][1] * SEEDS / 6:
        print(f"FAIL  {name}: only {reports} reports")
        failed += 1
    return SEEDS - failed, failed


def main():
    with tempfile.TemporaryDirectory(prefix="umlab-quick-") as folder, ThreadPoolExecutor(2) as pool:
        results = [judge_all(f"{folder}/{name}", pool) for name in PROGRAMS]
    passed, failed = (sum(column) for column in zip(*results))
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
