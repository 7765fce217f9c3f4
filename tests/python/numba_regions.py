#!/usr/bin/env python3
"""Numba's kernels that are cut, at barriers or in grid-stride loops, compute what they do uncut: random ones.

    tests/python/numba_regions.py

UM_FUZZ=N runs N kernels (8), from the seed of the turn (UM_TURN) on. Each program of support/numba_random.py is run
twice, and with UMLAB_NVVM_FIBERS=1 nothing is cut. The compiler says what became of each kernel (UMLAB_NVVM_REPORT).
"""
import os
import re
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent)]
from support import cases, packages  # noqa: E402

PROGRAM = Path(__file__).resolve().parent / "support/numba_random.py"
COUNT, TURN = int(os.environ.get("UM_FUZZ", "8")), int(os.environ.get("UM_TURN", "0"))


class Regions(cases.Case):
    def run_kernels(self, **environment):
        done = self.call(packages.BUILD / "bin/umpython", PROGRAM, TURN, COUNT, env={
            "UMPYTHON": packages.python("numba"), "UMLAB_NVVM_REPORT": "1", **environment})
        became = re.findall(r"^libnvvm: kernel kernel\d+: (cut into|its threads are|it is not cut)", done.stderr, re.M)
        return done.stdout, became

    def test_same(self):
        "random kernels with barriers and strides: cut and uncut the same results"
        cut, became = self.run_kernels()
        whole, none = self.run_kernels(UMLAB_NVVM_FIBERS="1")
        self.assertEqual(cut, whole)
        self.assertEqual(len(cut.splitlines()), COUNT)
        self.assertEqual((len(became), none), (COUNT, []))
        print(f"        {became.count('cut into')} of {COUNT} kernels were cut")
        # How many can be cut is chance (4 to 8 of 8); with few the comparison would say little.
        self.assertGreaterEqual(became.count("cut into"), COUNT // 4)


if __name__ == "__main__":
    sys.exit(cases.main())
