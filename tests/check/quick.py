#!/usr/bin/env python3
"""umcc --check tells the same of random kernels, however it judges their accesses.

    tests/check/quick.py

random/kernels.cu plays random scripts of wrong accesses; random/rows.cu has loops, which may be judged before they
begin (sim/check/rows.h). Each seed is run as programs are, in which most accesses are judged in the short way
(sim/check/quick.h), and with UMSIM_CHECK=all,each, where none is: both have to tell the same, word by word, and again
in a second run. Where launches are beside each other, when the host looks decides which reports come first and how
they are counted together (docs/left.md): of those the reports themselves are compared, of several runs each. Most
kernels are told something; if few were, this would show little, so that fails as well. 200 seeds of each with
UM_LONG=1, else 6, at the next commit (UM_TURN) others.
UMLAB_BUILD says where the simulator is (build/sim). Prints what differed first, and last `N passed, N failed`.
"""
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
BUILD = Path(os.environ.get("UMLAB_BUILD", "build/sim")).resolve()
# Kernels of each seed, and how many reports there have to be at least of 6 seeds: twice as many are usual.
PROGRAMS = {"kernels": (60, 300), "rows": (30, 60), "segments": (30, 60)}
BETWEEN = "========= \n"  # two reports
IS_LONG = os.environ.get("UM_LONG") == "1"
SEEDS = 200 if IS_LONG else 6


def told(program, seed, checks):
    """What a run prints."""
    kernels = PROGRAMS[Path(program).name][0]
    done = subprocess.run([program, str(seed), str(kernels)], env=dict(os.environ, UMSIM_CHECK=checks),
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, check=False)
    return done.stdout + BETWEEN + done.stderr


def first_difference(one, other):
    """Where two texts part, for people."""
    lines, others = one.splitlines(), other.splitlines()
    for number, (a, b) in enumerate(zip(lines, others), 1):
        if a != b:
            return f"line {number}\n  {a}\n  {b}"
    return f"line {min(len(lines), len(others)) + 1}: one ends there"


def reports(text):
    """The reports of a run, whichever comes first and however many are alike, and what was computed."""
    one_each = re.sub(r"=========     and \d+ more like it\n|========= ERROR SUMMARY.*\n", "", text)
    return set(one_each.split(BETWEEN))


def only_told(program, seed, runs):
    """What every run of one way tells and none of the other does: two sets."""
    usual, each = ([reports(told(program, seed, checks)) for _ in range(runs)] for checks in ("all", "all,each"))
    return (set.intersection(*usual) - set.union(*each), set.intersection(*each) - set.union(*usual)), len(usual[0])


def judge_beside(program, seed):
    """The same as judge(), of launches that are beside each other. What only some runs tell two runs can show of one
    way alone: whatever they do is asked again of ten."""
    only, told_of = only_told(program, seed, 2)
    if any(only):
        only, told_of = only_told(program, seed, 10)
    for name, some in zip(("", " with each access judged in full"), only):
        if some:
            return f"only{name} it tells: {min(some)}", 0
    return "", told_of


def judge(program, seed):
    """'' or what is wrong; how many reports there are."""
    if Path(program).name == "segments":
        return judge_beside(program, seed)
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
