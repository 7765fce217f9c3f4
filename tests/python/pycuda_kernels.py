#!/usr/bin/env python3
"""PyCUDA on the simulated GPU, by umpython: its arrays, its kernels, its memory, and what it is told about mistakes.

    tests/python/pycuda_kernels.py [--build build/sim]

Runs with the Python that UM_PYCUDA names, else with .venv's; without PyCUDA there (umpython --install pycuda) it says
SKIP. Prints `ok NAME` or `FAIL NAME` lines, last `N passed, N failed, N skipped`.
"""
import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

BEGIN = """
import numpy as np
import pycuda.autoinit
import pycuda.driver as drv
import pycuda.gpuarray as gpuarray
from pycuda.compiler import SourceModule
a = np.arange(1000, dtype=np.float32)
"""
CASES = {
    "a kernel multiplies": """
f = SourceModule('__global__ void f(float *d, float *x) { d[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }')
d = np.zeros_like(a)
f.get_function('f')(drv.Out(d), drv.In(a), block=(1000, 1, 1))
assert (d == a * a).all()
""",
    "parameters of several sizes": """
m = SourceModule('''__constant__ float k[4];
__global__ void f(char c, double d, short s, float *out) { out[threadIdx.x] = c + d + s + k[threadIdx.x]; }''')
p, n = m.get_global('k')
assert n == 16
drv.memcpy_htod(p, np.arange(4, dtype=np.float32))
o = np.zeros(4, np.float32)
m.get_function('f')(np.int8(1), np.float64(2.5), np.int16(3), drv.Out(o), block=(4, 1, 1))
assert o.tolist() == [6.5, 7.5, 8.5, 9.5]
""",
    "arrays and sums": """
x = gpuarray.to_gpu(a)
assert ((2 * x + 1).get() == 2 * a + 1).all()
assert gpuarray.sum(x).get() == a.sum()
assert gpuarray.max(x).get() == 999
""",
    "element by element": """
from pycuda.elementwise import ElementwiseKernel
k = ElementwiseKernel('float a, float *x, float b, float *y, float *z', 'z[i] = a * x[i] + b * y[i]', 'linear')
x, z = gpuarray.to_gpu(a), gpuarray.empty(1000, np.float32)
k(2, x, 3, x, z)
assert (z.get() == 5 * a).all()
""",
    "reductions": """
from pycuda.reduction import ReductionKernel
k = ReductionKernel(np.float64, neutral='0', reduce_expr='a+b', map_expr='x[i]*y[i]', arguments='double *x, double *y')
x = gpuarray.to_gpu(a.astype(np.float64))
assert k(x, x).get() == np.dot(a.astype(np.float64), a)
""",
    "scans": """
from pycuda.scan import InclusiveScanKernel
d = gpuarray.to_gpu(np.arange(1000, dtype=np.int32))
InclusiveScanKernel(np.int32, 'a+b')(d)
assert (d.get() == np.cumsum(np.arange(1000))).all()
""",
    "random numbers": """
from pycuda.curandom import XORWOWRandomNumberGenerator
g = XORWOWRandomNumberGenerator()
u, n = g.gen_uniform(20000, np.float32).get(), g.gen_normal(20000, np.float64).get()
p = g.gen_poisson(20000, np.uint32, 4.0).get()
assert abs(u.mean() - 0.5) < 0.02 and abs(n.std() - 1) < 0.05 and abs(p.mean() - 4) < 0.1 and abs(p.var() - 4) < 0.3
""",
    "streams, events, pinned memory": """
s, e, f = drv.Stream(), drv.Event(), drv.Event()
h = drv.pagelocked_empty(1000, np.float32)
h[:] = a
d = drv.mem_alloc(h.nbytes)
e.record(s)
drv.memcpy_htod_async(d, h, s)
f.record(s)
f.synchronize()
o = np.zeros_like(a)
drv.memcpy_dtoh(o, d)
assert (o == a).all() and e.time_till(f) >= 0
""",
    "managed memory": """
m = drv.managed_zeros(1000, np.float32, mem_flags=drv.mem_attach_flags.GLOBAL)
m[:] = a
f = SourceModule('__global__ void f(float *x) { x[threadIdx.x] += 1; }').get_function('f')
f(np.uintp(m.base.get_device_pointer()), block=(1000, 1, 1))
drv.Context.synchronize()
assert (m == a + 1).all()
""",
}
# Programs that are wrong: what has to stand on stderr.
MISTAKES = {
    "a kernel that follows a NumPy pointer is explained": ("""
f = SourceModule('__global__ void f(float *x) { x[0] = 1; }').get_function('f')
f(np.uintp(a.ctypes.data), block=(1, 1, 1))
drv.Context.synchronize()
""", ["kernel f wrote memory", "cuCtxSynchronize failed: a kernel used memory"]),
    "NumPy's read of device memory is explained": ("""
import ctypes, faulthandler
faulthandler.enable()
d = drv.mem_alloc(64)
print(ctypes.c_float.from_address(int(d)).value)
""", ["cuMemAlloc", "Fatal Python error"]),
}


def python():
    """The Python that has PyCUDA, or None."""
    for name in (os.environ.get("UM_PYCUDA"), ROOT / ".venv/bin/python3"):
        command = [name, "-c", "import importlib.util, sys; sys.exit(importlib.util.find_spec('pycuda') is None)"]
        if name and Path(name).exists() and subprocess.run(command, check=False).returncode == 0:
            return str(name)
    return None


def run(build, interpreter, text):
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "program.py"
        program.write_text(BEGIN + text)
        env = dict(os.environ, UMPYTHON=interpreter, XDG_CACHE_HOME=str(build / "test/python-cache"))
        return subprocess.run([build / "bin/umpython", program], env=env, capture_output=True, text=True, check=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build/sim")
    build = parser.parse_args().build.resolve()
    interpreter = python()
    if not interpreter:
        print("SKIP pycuda: no Python here has PyCUDA (umpython --install pycuda)")
        print("0 passed, 0 failed, 1 skipped")
        return 0
    passed = failed = 0
    tests = [(name, text, None) for name, text in CASES.items()]
    tests += [(name, text, wanted) for name, (text, wanted) in MISTAKES.items()]
    for name, text, wanted in tests:
        result = run(build, interpreter, text)
        ended_well = result.returncode == 0
        good = ended_well if wanted is None else not ended_well and all(w in result.stderr for w in wanted)
        passed += bool(good)
        failed += not good
        print(f"{'ok' if good else 'FAIL'} {name}")
        if not good:
            print("    " + "\n    ".join(result.stderr.splitlines()[-25:]))
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
