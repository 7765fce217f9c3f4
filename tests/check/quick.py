#!/usr/bin/env python3
"""umcc --check tells the same of random kernels, however it judges their accesses.

    tests/check/quick.py

random/kernels.cu plays random scripts of wrong accesses. Each seed is run as programs are, in which most accesses are
judged in the short way (sim/check/quick.h), and with UMSIM_CHECK=all,each, where none is: both have to tell the same,
word by word, and again in a second run. Most kernels are told something; if few were, this would show little, so that
fails as well. 200 seeds of 60 kernels with UM_LONG=1, else 6, at the next commit (UM_TURN) others.
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
KERNELS = 60  # of each seed
LEAST = 40    # reports of each seed: 100 and more are usual
IS_LONG = os.environ.get("UM_LONG") == "1"
SEEDS = 200 if IS_LONG else 6


def told(program, seed, checks):
    """What a run prints."""
    done = subprocess.run([program, str(seed), str(KERNELS)], env=dict(os.environ, UMSIM_CHECK=checks),
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
    """'', or what is wrong."""
    usual = told(program, seed, "all")
    for checks in ("all,each", "all"):
        if (again := told(program, seed, checks)) != usual:
            return f"with UMSIM_CHECK={checks} it is told something else: {first_difference(usual, again)}"
    reports = usual.count("\n========= \n")
    return "" if reports >= LEAST else f"only {reports} reports"


def main():
    first = 1 if IS_LONG else 1 + SEEDS * int(os.environ.get("UM_TURN", "0"))
    failed = 0
    with tempfile.TemporaryDirectory(prefix="umlab-quick-") as folder:
        program = f"{folder}/kernels"
        subprocess.run([BUILD / "bin/umcc", "--check", "-o", program, HERE / "random/kernels.cu"], check=True)
        with ThreadPoolExecutor(2) as pool:
            seeds = range(first, first + SEEDS)
            for seed, wrong in zip(seeds, pool.map(lambda seed: judge(program, seed), seeds)):
                failed += bool(wrong)
                print(f"FAIL  seed {seed}: {wrong}" if wrong else f"ok  seed {seed}")
    print(f"{SEEDS - failed} passed, {failed} failed, 0 skipped")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
