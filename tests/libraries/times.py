#!/usr/bin/env python3
"""Modelled times of the libraries' calls beside those of an H200: products from 512 rows on are within a factor of two.

    tests/libraries/times.py [--build build/sim]

Builds support/times.cu and compares what it prints with measured/h200.txt, which is what it printed on a GPU. Times are
those of events, so they are modelled here, and the same in each run. With UM_LONG=1 products of 2048 rows, too. Also
told: that time grows with the work, and that fewer bits take less. Last line `N passed, N failed, N skipped`.
"""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from support.gpu import Tally, options

HERE = Path(__file__).resolve().parent
PRODUCTS = ("sgemm", "sgemm-tf32", "dgemm", "cgemm", "hgemm", "igemm")


def rows(text):
    """{(name, n): microseconds}"""
    lines = [line.split() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return {(name, int(n)): float(time) for name, n, time in lines}


def main():
    chosen, tally = options(__doc__), Tally(__file__)
    largest = "2048" if os.environ.get("UM_LONG") else "512"
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "times"
        subprocess.run([Path(chosen.build) / "bin/umcc", "-std=c++17", "-o", program, HERE / "support/times.cu",
                        "-lcublas"], check=True)
        # With its own clock a program's events show what its host takes between two calls, too.
        modelled = rows(subprocess.run([program, largest, "1"], check=True, capture_output=True, text=True,
                                       env=dict(os.environ, UMSIM_CLOCK="real")).stdout)
    measured = rows((HERE / "measured/h200.txt").read_text())
    for (name, n), time in sorted(modelled.items()):
        if (name, n) in measured and name in PRODUCTS and n >= 512:
            factor = time / measured[name, n]
            tally.check(f"{name} of {n}", 0.5 <= factor <= 2, f"{time} us, an H200 took {measured[name, n]}")
    for name in PRODUCTS:
        tally.check(f"{name} grows", modelled[name, 512] > modelled[name, 128], modelled)
    tally.check("half is quicker than float", modelled["hgemm", 512] < modelled["sgemm", 512], modelled)
    tally.check("complex is slower than float", modelled["cgemm", 512] > modelled["sgemm", 512], modelled)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
