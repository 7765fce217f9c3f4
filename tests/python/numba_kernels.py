#!/usr/bin/env python3
"""Numba on the simulated GPU, by umpython: the one that has its CUDA target inside, and numba-cuda.

    tests/python/numba_kernels.py

Runs support/numba_cases.py with the Pythons that UM_NUMBA and UM_NUMBA_CUDA name, else with Pythons of its own in
build/packages, into which it installs what `umpython --install numba` and `numba-cuda` do. Where the package index
cannot be reached it says SKIP. The cases' results are NumPy's and Python's; there is no NVIDIA binary in the process.
"""
import os
import subprocess
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent)]
from support import cases  # noqa: E402

BUILD = Path(os.environ.get("UMLAB_BUILD", cases.ROOT / "build/sim")).resolve()
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


def python(package):
    """A Python with the package."""
    named = os.environ.get("UM_" + package.upper().replace("-", "_"))
    if named:
        return named
    folder = cases.ROOT / "build/packages" / package
    own = folder / "bin/python3"
    if not (folder / "whole").exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True, stdout=subprocess.DEVNULL)
        done = subprocess.run([BUILD / "bin/umpython", "--install", package], capture_output=True, text=True,
                              check=False, env={**os.environ, "UMPYTHON": str(own)})
        if done.returncode:
            raise cases.Skip(f"{package} cannot be installed: " + done.stderr.strip().split("\n")[-1])
        (folder / "whole").touch()
    return str(own)


class Numba:
    package = "numba"

    def setUp(self):
        super().setUp()
        if not (BUILD / "bin/umpython").exists():
            raise cases.Skip(f"no umpython in {BUILD} (make all)")
        self.python = python(self.package)

    def umpython(self, *arguments):
        return subprocess.run([BUILD / "bin/umpython", *arguments], capture_output=True, text=True, check=False,
                              timeout=300, env={**os.environ, "UMPYTHON": self.python})

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

    def test_print(self):
        self.says("printing", "thread 0 1.500000 0 -5\nthread 1 1.500000 0 -5\nthread 0 1.500000 1 -5\n"
                              "thread 1 1.500000 1 -5\n")

    def test_maps(self):
        path = self.folder / "maps.py"
        path.write_text(f"BUILD = {str(BUILD)!r}\n" + MAPS)
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
