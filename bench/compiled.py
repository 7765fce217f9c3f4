#!/usr/bin/env python3
"""bench: what umcc takes for a small program and for a module, beside nvcc in turns.

    bench/compiled.py [NVCC]        UMLAB_BUILD names the build; bench/run.py reads the lines of JSON

Processor time is that of all processes that the compiler starts; the least of each is compared: what else the machine
does only adds to it. A module is what NVRTC has umcc make; for nvcc it is a cubin. The targets: half of nvcc's time for
the small program, 300 ms of processors for the module. Exit 2: no umcc is built.
"""
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROUNDS = 9
HALF, MODULE_MS = {"target": 0.5, "target_is": "ratio"}, {"target": 300}
WORKS = [("a program of one kernel", "small.cu", [], [HALF, HALF]),
         ("a kernel as a module", "kernel.cu", ["--cubin"], [MODULE_MS, {}]),
         ("a program of a course", "course.cu", [], [{}, {}])]
UNITS = ["of processors", "in all"]


def take(command):
    """Milliseconds of processors, and of the clock."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return used * 1e3, (time.monotonic() - start) * 1e3


def least(runs):
    return [min(run[i] for run in runs) for i in range(len(UNITS))]


def main():
    build = Path(os.environ.get("UMLAB_BUILD", HERE.parent / "build/sim"))
    umcc = build / "bin/umcc"
    if not umcc.exists():
        print(f"no umcc in {build} (make BACKEND=sim)", file=sys.stderr)
        return 2
    found = sys.argv[1] if len(sys.argv) > 1 else shutil.which("nvcc")
    nvcc = found or shutil.which("/usr/local/cuda/bin/nvcc")
    with tempfile.TemporaryDirectory(prefix="umlab-bench-") as folder:
        for work, source, options, targets in WORKS:
            command = [*options, "-o", f"{folder}/made", HERE / "compiled" / source]
            ours, theirs = [], []
            for _ in range(ROUNDS):
                ours.append(take([umcc, *command]))
                if nvcc:
                    theirs.append(take([nvcc, *command]))
            peers = least(theirs) if nvcc else [None] * len(UNITS)
            for unit, our, peer, target in zip(UNITS, least(ours), peers, targets):
                print(json.dumps({"work": f"umcc, {work}, {unit}", "unit": "ms", "ours": our, "peer": peer,
                                  "peer_name": "nvcc", "skipped": "no nvcc", "target": None, "better": "lower",
                                  **target}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
