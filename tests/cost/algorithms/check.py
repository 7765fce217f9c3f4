#!/usr/bin/env python3
"""Times of Thrust's and CUB's algorithms on the simulator beside an H200's (h200.txt).

    tests/cost/algorithms/check.py [--build build/sim] [--sizes 1000 32768 1048576] [--show]

The simulator's algorithms are its own, and tell what they move (sim/include/thrust/detail/traffic.h). So their times
are good to a factor: the median of all is to be within 1.5, each within 3. WEAK names those that are not, with the
factor that they are within, and why.
"""
import argparse
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
MEDIAN, EACH = 1.5, 3
WEAK = {
    "DeviceSelect::If": (8, "memory for all elements is allocated in the call, CUB's caller brings it"),
    "merge": (8, "NVIDIA's allocates temporary memory, which from 1 MiB on takes 70 us"),
}


def table(text):
    rows = (line.split() for line in text.splitlines() if line and not line.startswith("#"))
    return {(name, int(n)): float(us) for name, n, us in rows}


def simulated(build, sizes):
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "times"
        subprocess.run([build / "bin/umcc", "-O3", "-w", "-std=c++17", "-o", program, HERE / "times.cu"], check=True)
        done = subprocess.run([program, *map(str, sizes)], capture_output=True, text=True, check=True)
    return table(done.stdout)


def main():
    parser = argparse.ArgumentParser(description="Times of Thrust's and CUB's algorithms beside an H200's.")
    parser.add_argument("--build", type=Path, default=ROOT / "build/sim")
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 32768, 1048576])
    parser.add_argument("--show", action="store_true", help="all of them, not only the sum")
    args = parser.parse_args()
    hardware = table((HERE / "h200.txt").read_text())
    known = sorted({n for _, n in hardware})
    for n in args.sizes:
        if n not in known:
            parser.error(f"--sizes {n}: an H200 was asked for {', '.join(map(str, known))} (h200.txt)")
    if not (args.build / "bin/umcc").exists():
        parser.error(f"--build {args.build}: no bin/umcc there; `make BACKEND=sim all` makes it")
    times = simulated(args.build, args.sizes)
    assert times, "the program has printed no times"
    failed, factors = 0, []
    for (name, n), us in times.items():
        factor = us / hardware[name, n]
        factors.append(max(factor, 1 / factor))
        limit, why = WEAK.get(name, (EACH, ""))
        bad = factors[-1] > limit
        failed += bad
        if bad or args.show:
            print(f"{'FAIL' if bad else 'ok':5} {name} of {n}: {us} us, an H200 {hardware[name, n]}: "
                  f"{factor:.2f}, limit {limit} {why}")
    median = statistics.median(factors)
    print(f"{len(factors)} times, off by a factor of {median:.2f} (median), at most {max(factors):.2f}")
    if median > MEDIAN:
        print(f"FAIL  the median is more than {MEDIAN}")
        failed += 1
    print(f"{len(factors) + 1 - failed} passed, {failed} failed, 0 skipped")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
