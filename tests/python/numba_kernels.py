#!/usr/bin/env python3
"""Numba on the simulated GPU, by umpython: the one that has its CUDA target inside, and numba-cuda.

    tests/python/numba_kernels.py

Runs support/numba_cases.py with the Pythons of support/packages.py, or says SKIP. The cases' results
are NumPy's and Python's; there is no NVIDIA binary in the process.
"""
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent)]
from support import cases, packages  # noqa: E402

PROGRAM = Path(__file__).resolve().parent / "support/numba_cases.py"
FAULTS = PROGRAM.with_name("numba_faults.py")
MAPS = """
import numpy as np
from numba import cuda
@cuda.jit
def k(x):
    x[0] = 1
k[1, 1](np.zeros(1))
mapped = {line.split()[-1] for line in open("/proc/self/maps") if "/" in line}
for name in mapped:
    for word in ("libcuda", "libnv", "nvrtc", "nvvm", "nvJitLink", "cudart"):
        assert word not in name or BUILD in name or ".cpython-" in name, name
print("only ours")
"""


class Numba:
    package = "numba"

    def setUp(self):
        super().setUp()
        self.python = packages.python(self.package)

    def umpython(self, *arguments):
        return packages.umpython(self.python, *arguments)

    def says(self, name, *texts):
        done = self.umpython(FAULTS, name)
        for text in texts:
            self.assertIn(text, done.stdout + done.stderr)

    def test_cases(self):
        done = self.umpython(PROGRAM)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("ok a kernel of one line", done.stdout)
        for line in done.stdout.splitlines():
            self.assertTrue(line.startswith("ok "), line)

    def test_host_pointer(self):
        self.says("host_pointer", "kernel add read memory that it cannot reach", "in the host's heap", "[")

    def test_host_read(self):
        self.says("host_read", "reading", "host code read device memory")

    def test_refused(self):
        self.says("refused", "function nobody_knows_this is called, and is in no module that was linked")

    def test_deep(self):
        self.says("deep", "kernel k overflowed its stack")
        self.says("wide", "kernel k has more local variables in the threads of a block than there is memory for")

    def test_print(self):
        self.says("printing", "thread 0 1.500000 0 -5\nthread 1 1.500000 0 -5\nthread 0 1.500000 1 -5\n"
                              "thread 1 1.500000 1 -5\n")

    def test_maps(self):
        path = self.folder / "maps.py"
        path.write_text(f"BUILD = {str(packages.BUILD)!r}\n" + MAPS)
        done = self.umpython(path)
        self.assertIn("only ours", done.stdout, done.stderr)

    def test_doctor(self):
        self.assertRegex(self.umpython("--doctor").stdout, rf"ok +{self.package} 0[.0-9]+: a kernel ran")


TITLES = {
    "test_cases": "each kernel's results are NumPy's",
    "test_host_pointer": "a kernel that follows a NumPy pointer is explained",
    "test_host_read": "the host's read of device memory is explained",
    "test_refused": "a function that nobody knows is refused by its name",
    "test_deep": "local memory that is larger than a stack is told, and overwrites nothing",
    "test_print": "what kernels print comes in the order of the blocks",
    "test_maps": "no library of NVIDIA's is in the process",
    "test_doctor": "umpython --doctor says that it works",
}


def titled(of, title):
    def test(self):
        of(self)
    test.__doc__ = title
    return test


def tests(package):
    """The class of tests of a package, with titles that name it."""
    kind = type(package, (Numba, cases.Case), {"package": package})
    for name, title in TITLES.items():
        setattr(kind, name, titled(getattr(Numba, name), f"{package}: {title}"))
    return kind


Bundled, Apart = tests("numba"), tests("numba-cuda")
if __name__ == "__main__":
    sys.exit(cases.main())
