#!/usr/bin/env python3
"""What PyCUDA, Numba and CUDA Python do where articles make claims about them: on the simulated GPU as on an H200.

    tests/python/claims_packages.py        KEEP=1 writes what was found to tests/claims/measured/packages.json

tests/claims/frameworks.py asks, by umpython, with the Pythons of support/packages.py, or SKIP. What it finds is what is
kept, and, but for what DIFFERS lists, what an H200 said.
"""
import json
import os
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent)]
from support import cases, packages  # noqa: E402

CLAIMS = cases.ROOT / "tests/claims"
KEPT = CLAIMS / "measured/packages.json"
ASKED = {"numba-cuda": "numba", "cuda-python": "cuda.bindings", "pycuda": "pycuda"}
TIMED = "takes most of the time"  # real time, of which the simulator has another
DIFFERS = {
    "cuda-python: cudaMalloc returns": "the binding has NVIDIA's runtime inside, which does not run here",
    "cuda-python: distributions": "CuPy was there, too",
    "pycuda-sizes: memcpy_htod of 1,024 float32 into mem_alloc(1024)": "the same error, in the simulator's words",
    "pycuda-sizes: memcpy_dtoh of 1,024 float32 out of it": "the same error, in the simulator's words",
}
found = {"versions": {}, "findings": {}}


class Packages(cases.Case):
    def asked(self, package):
        done = packages.umpython(packages.python(package), CLAIMS / "frameworks.py", "--backend", "sim", "--build",
                                 packages.BUILD, "--only", ASKED[package])
        self.assertEqual(done.returncode, 0, done.stderr)
        answers = json.loads(done.stdout)
        said = {name: value for name, value in answers["findings"].items() if TIMED not in name}
        found["versions"].update(answers["versions"])
        found["findings"].update(said)
        self.assertGreater(len(said), 5)
        hardware = json.loads((CLAIMS / "measured/h200.json").read_text())["findings"]
        self.assertEqual({name: value for name, value in said.items() if name not in DIFFERS},
                         {name: hardware.get(name) for name in said if name not in DIFFERS})
        if not os.environ.get("KEEP"):
            kept = json.loads(KEPT.read_text())["findings"]
            self.assertEqual(said, {name: kept.get(name) for name in said})

    def test_differs(self):
        "what is listed as another answer is one"
        kept = json.loads(KEPT.read_text())["findings"]
        hardware = json.loads((CLAIMS / "measured/h200.json").read_text())["findings"]
        self.assertEqual(sorted(name for name in kept if kept[name] != hardware.get(name)), sorted(DIFFERS))


def test_of(package):
    def test(self):
        self.asked(package)
    test.__doc__ = f"{package} says what it says on an H200"
    return test


for one in ASKED:
    setattr(Packages, f"test_{one}", test_of(one))
if __name__ == "__main__":
    status = cases.main()
    if os.environ.get("KEEP"):
        KEPT.write_text(json.dumps({"schema": "umlab-claims/1", **found}, indent=1) + "\n")
    sys.exit(status)
