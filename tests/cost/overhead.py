#!/usr/bin/env python3
"""What counting takes in real time: launches that declare nothing beside the same launches that declare something, of
which none is counted.

    tests/cost/overhead.py --build build/sim [--runs 9] [--course] [NAME...]

Runs alternate, and the fastest of each are compared: what else the machine does only slows them. For bench's kernels
(bench/work_kernels.h) it is the time of a program's first 32 launches, each waited for; for programs of
tests/programs/course it is all of a run, start and end included. NAMEs choose; --course takes the whole course. The
target is 1.5.
"""
import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = ROOT / "tests/cost/overhead"
COURSE = ROOT / "tests/programs/course"
KERNELS = ["add", "saxpy", "stride", "matrix", "reduce", "small"]
PROGRAMS = ["vector_add", "transpose", "matrix_multiply", "reduction", "histogram", "half_saxpy", "heat_2d", "nbody",
            "convolution", "scan"]
TARGET = 1.5


def build(umcc, source, folder):
    program = folder / source.stem
    folders = [f"-I{place}" for place in (ROOT / "bench", ROOT / "common", source.parent)]
    done = subprocess.run([umcc, "-O3", "-w", "-std=c++17", "-DUMLAB_SIM", *folders, "-o", program, source],
                          capture_output=True, text=True, check=False)
    return program if done.returncode == 0 else None


def run(command, preload):
    """Microseconds: what the program prints if it is series, else of the whole run. None: it failed."""
    env = dict(os.environ, UMSIM_CLOCK="real", **({"LD_PRELOAD": str(preload)} if preload else {}))
    start = time.monotonic()
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    took = (time.monotonic() - start) * 1e6
    if done.returncode != 0:
        return None
    return float(done.stdout) if len(command) > 1 else took


def compare(command, preload, runs):
    times = {True: [], False: []}
    for _ in range(runs + 1):
        for declares in (False, True):
            times[declares].append(run(command, preload if declares else None))
            if times[declares][-1] is None:
                return None
    return [min(times[declares][1:]) for declares in (False, True)]  # the first finds cold files


def main():
    parser = argparse.ArgumentParser(description="What counting takes in real time.")
    parser.add_argument("--build", type=Path, default=ROOT / "build/sim")
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--course", action="store_true", help="all programs of the course")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    umcc = args.build / "bin/umcc"
    programs = sorted(p.stem for p in COURSE.glob("*.cu")) if args.course else PROGRAMS
    for name in args.names:
        if name not in KERNELS and name not in programs:
            parser.error(f"{name} is neither one of bench's kernels ({', '.join(KERNELS)}) nor a program that is asked")
    if not umcc.exists():
        parser.error(f"no umcc in {args.build}: make BACKEND=sim")
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        preload = folder / "declares.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-O2", f"-I{ROOT}/sim/include", "-o", preload, HERE / "declares.c",
                        "-ldl"], check=True)
        series = build(umcc, HERE / "series.cu", folder)
        works = [[series, name] for name in KERNELS] + [[COURSE / f"{name}.cu"] for name in programs]
        print(f"{'':24} {'declares nothing':>17} {'something':>12} {'ratio':>6}")
        for work in works:
            name = work[1] if len(work) > 1 else work[0].stem
            if args.names and name not in args.names:
                continue
            command = work if len(work) > 1 else [build(umcc, work[0], folder)]
            both = compare(command, preload, args.runs) if command[0] else None
            if not both:
                print(f"{name:24} does not run here")
                continue
            ratio = both[0] / both[1]
            missed += ratio > TARGET
            print(f"{name:24} {both[0] / 1e3:14.2f} ms {both[1] / 1e3:9.2f} ms {ratio:6.2f}"
                  f"{'' if ratio <= TARGET else '  above ' + str(TARGET)}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
