#!/usr/bin/env python3
"""bench: what umcc --check costs: ten kernels beside themselves, compiled without it, in turns.

    bench/checked.py          UMLAB_BUILD names the build; bench/run.py reads the lines of JSON

The targets: 60 times at most, 20 times in the middle. Exit 2: no umcc is built.
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROUNDS = 3
WORST, MIDDLE = 60, 20


def times(program):
    done = subprocess.run([program, "2"], check=True, capture_output=True, text=True,
                          env=dict(os.environ, UMSIM_CLOCK="real"))
    return {name: float(seconds) for name, seconds in (line.split() for line in done.stdout.splitlines())}


def main():
    build = Path(os.environ.get("UMLAB_BUILD", HERE.parent / "build/sim"))
    if not (build / "bin/umcc").exists():
        print(f"no umcc in {build} (make BACKEND=sim)", file=sys.stderr)
        return 2
    plain, checked = [], []
    with tempfile.TemporaryDirectory(prefix="umlab-bench-") as folder:
        for name, options in (("plain", []), ("checked", ["--check"])):
            subprocess.run([build / "bin/umcc", "-O3", *options, "-o", f"{folder}/{name}",
                            HERE / "checked/kernels.cu"], check=True)
        for _ in range(ROUNDS):
            plain.append(times(f"{folder}/plain"))
            checked.append(times(f"{folder}/checked"))
    ratios = {}
    for name in plain[0]:
        ours, peer = (statistics.median(run[name] for run in runs) for runs in (checked, plain))
        ratios[name] = ours / peer
        print(json.dumps({"work": f"{name}, checked", "unit": "ms", "ours": ours * 1e3, "peer": peer * 1e3,
                          "peer_name": "not checked", "target": WORST, "target_is": "ratio", "better": "lower"}))
    print(json.dumps({"work": "checked kernels, in the middle", "unit": "times",
                      "ours": statistics.median(ratios.values()), "peer": None,
                      "skipped": "each kernel beside itself", "target": MIDDLE, "better": "lower"}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
