#!/usr/bin/env python3
"""PyCUDA on the simulated GPU, by umpython: its arrays, its kernels, its memory, and what it is told about mistakes.

    tests/python/pycuda_kernels.py

Runs with the Python of support/packages.py, or says SKIP.
"""
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent)]
from support import cases, packages  # noqa: E402

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


class PyCUDA(cases.Case):
    python = None

    def run_program(self, text):
        path = self.folder / "program.py"
        path.write_text(BEGIN + text)
        return packages.umpython(self.python, path)

    def right(self, text):
        done = self.run_program(text)
        self.assertEqual(done.returncode, 0, done.stderr)

    def wrong(self, text, says):
        done = self.run_program(text)
        self.assertNotEqual(done.returncode, 0)
        for word in says:
            self.assertIn(word, done.stderr)

    def test_alone(self):
        "an import without umpython says what to do"
        done = self.call(self.python, "-c", "import pycuda.driver", status=1)
        self.assertIn("run the program by umpython", done.stderr)


def test_of(title, method, *arguments):
    def test(self):
        getattr(self, method)(*arguments)
    test.__doc__ = title
    return test


def setUpModule():
    PyCUDA.python = packages.python("pycuda")


for number, (title, program) in enumerate(CASES.items()):
    setattr(PyCUDA, f"test_case_{number:02}", test_of(title, "right", program))
for number, (title, (program, words)) in enumerate(MISTAKES.items()):
    setattr(PyCUDA, f"test_mistake_{number:02}", test_of(title, "wrong", program, words))
if __name__ == "__main__":
    sys.exit(cases.main())
