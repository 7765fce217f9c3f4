#!/usr/bin/env python3
"""CuPy on the simulated GPU, by umpython: its arrays, its kernels, its memory, and what it is told about mistakes.

    tests/python/cupy_arrays.py

Runs support/cupy_cases.py with the Python that UM_CUPY names, else with .venv's; without CuPy there (umpython --install
cupy) it says SKIP. The cases' results are NumPy's.
"""
import os
import subprocess
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent)]
from support import cases  # noqa: E402

BUILD = Path(os.environ.get("UMLAB_BUILD", cases.ROOT / "build/sim")).resolve()
PROGRAM = Path(__file__).resolve().parent / "support/cupy_cases.py"
HAS_CUPY = "import importlib.util, sys; sys.exit(importlib.util.find_spec('cupy') is None)"
MAPS = f"""
import cupy as cp
cp.arange(4).sum()
cp.zeros((2, 2)) @ cp.zeros((2, 2))
mapped = {{line.split()[-1] for line in open("/proc/self/maps") if "/" in line}}
for name in mapped:
    for word in ("libcu", "libnv", "nvrtc", "nvvm", "nvJitLink", "cudart"):
        assert word not in name or {str(BUILD)!r} in name or ".cpython-" in name, name
print("only ours")
"""
HOST_POINTER = """
import cupy as cp
import numpy as np
f = cp.RawKernel('extern "C" __global__ void f(float *x) { x[0] = 1; }', 'f')
f((1,), (1,), (np.uintp(np.zeros(4, "f").ctypes.data),))
cp.cuda.Device().synchronize()
"""
HOST_READ = """
import ctypes
import faulthandler
import cupy as cp
faulthandler.enable()
print(ctypes.c_float.from_address(cp.zeros(16, "f").data.ptr).value)
"""
CUB = """
import cupy as cp
print(cp.arange(1000, dtype="f").sum())
"""
MRG = """
import cupy as cp
print(cp.random.Generator(cp.random.MRG32k3a(1)).random(4))
"""


def python():
    """The Python that has CuPy."""
    for name in (os.environ.get("UM_CUPY"), cases.ROOT / ".venv/bin/python3"):
        if name and Path(name).exists() and subprocess.run([name, "-c", HAS_CUPY], check=False).returncode == 0:
            return str(name)
    raise cases.Skip("no Python here has CuPy (umpython --install cupy)")


class CuPy(cases.Case):
    def setUp(self):
        super().setUp()
        if not (BUILD / "bin/umpython").exists():
            raise cases.Skip(f"no umpython in {BUILD} (make all)")
        self.python = python()

    def umpython(self, *arguments, **environment):
        caches = str(cases.ROOT / "build/test/python-cache")
        return subprocess.run([BUILD / "bin/umpython", *arguments], capture_output=True, text=True, check=False,
                              timeout=1200,
                              env={**os.environ, "UMPYTHON": self.python, "XDG_CACHE_HOME": caches, **environment})

    def program(self, text, **environment):
        path = self.folder / "program.py"
        path.write_text(text)
        return self.umpython(path, **environment)

    def test_cases(self):
        "each case's results are NumPy's"
        done = self.umpython(PROGRAM)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("ok arrays are made", done.stdout)

    def test_host_pointer(self):
        "a kernel that follows a NumPy pointer is explained"
        done = self.program(HOST_POINTER)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("kernel f wrote memory that it cannot reach", done.stderr)
        self.assertIn("in the host's heap", done.stderr)

    def test_host_read(self):
        "the host's read of device memory is explained"
        done = self.program(HOST_READ)
        self.assertIn("host code read device memory", done.stderr)
        self.assertIn("Fatal Python error", done.stderr)

    def test_cub(self):
        "where CUB is asked for there is an error, and no sum"
        done = self.program(CUB, CUPY_ACCELERATORS="cub")
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(done.stdout, "")

    def test_generator(self):
        "MRG32k3a draws numbers of (0, 1]"
        done = self.program(MRG)
        self.assertEqual(done.returncode, 0, done.stderr)
        numbers = [float(word) for word in done.stdout.strip(" []\n").split()]
        self.assertTrue(len(set(numbers)) == 4 and all(0 < x <= 1 for x in numbers), done.stdout)

    def test_maps(self):
        "no library of NVIDIA's is in the process"
        done = self.program(MAPS)
        self.assertIn("only ours", done.stdout, done.stderr)

    def test_doctor(self):
        "umpython --doctor says that it works"
        self.assertRegex(self.umpython("--doctor").stdout, r"ok +cupy [0-9.]+: kernels ran")


class Source(cases.Case):
    def test_header(self):
        "what CuPy's source is given compiles, before CUDA's headers"
        source = self.folder / "conftest.cpp"
        source.write_text("#include <cuda.h>\n#include <cuda_profiler_api.h>\n#include <cuda_runtime.h>\n"
                          "#include <cufft.h>\ncudaXtDesc x;\n")
        for header in ([], ["-include", cases.ROOT / "sim/python/cupy_missing.h"]):
            self.call("g++", "-std=c++17", "-fsyntax-only", *header, f"-I{cases.ROOT}/sim/include", source,
                      status=0 if header else 1)


if __name__ == "__main__":
    sys.exit(cases.main())
