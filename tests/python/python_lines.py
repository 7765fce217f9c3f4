#!/usr/bin/env python3
"""What the simulator tells of a Python program names the program's own lines: allocations, launches, bad accesses.

    tests/python/python_lines.py

Programs of ctypes alone run with any Python; those of packages with the Pythons of support/packages.py, or say SKIP.
A line that has to be named ends with a comment that begins with `#@` and a word.
"""
import re
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent)]
from support import cases, packages  # noqa: E402

CTYPES = """
import ctypes, sys, threading
cuda = ctypes.CDLL("libcuda.so.1")
context = ctypes.c_void_p()
assert cuda.cuInit(0) == 0 and cuda.cuCtxCreate_v2(ctypes.byref(context), 0, 0) == 0
def allocate(library, size):
    pointer = ctypes.c_uint64()
    assert library.cuMemAlloc_v2(ctypes.byref(pointer), ctypes.c_size_t(size)) == 0 #@ allocate
    return pointer.value
"""
PACKAGE = """
import ctypes
def allocate(library):
    pointer = ctypes.c_uint64()
    assert library.cuMemAlloc_v2(ctypes.byref(pointer), ctypes.c_size_t(64)) == 0
    return pointer.value
"""
PYCUDA = """
import ctypes
import numpy as np
import pycuda.autoinit
import pycuda.driver as drv
import pycuda.gpuarray
from pycuda.compiler import SourceModule
a = np.arange(1000, dtype=np.float32)
f = SourceModule('''
__global__ void f(const float *x, float *y)
{
    y[threadIdx.x] = x[threadIdx.x]; //@ kernel
}''').get_function('f')
"""
NUMBA = """
import ctypes, warnings
import numpy as np
from numba import cuda
warnings.filterwarnings("ignore")
@cuda.jit
def f(x, y):
    y[cuda.grid(1)] = x[cuda.grid(1) + (1 << 30)]
"""
CORE = """
import numpy as np
from cuda.core import Device, LaunchConfig, Program, ProgramOptions, launch
dev = Device(); dev.set_current(); stream = dev.create_stream()
made = Program('''
extern "C" __global__ void f(const float *x, float *y)
{
    y[threadIdx.x] = x[threadIdx.x]; //@ kernel
}''', 'c++', options=ProgramOptions(arch=f'sm_{dev.arch}')).compile('cubin').get_kernel('f')
"""
# title: the Python, the program, what stands on stderr: {word} is the line that ends with #@ word.
FAULTS = {
    "ctypes: the host's read, and where the memory was allocated": (None, CTYPES + """
ctypes.string_at(allocate(cuda, 64), 4) #@ read
""", ["read device memory at program.py:{read}.", "cuMemAlloc allocation made at program.py:{allocate}"]),
    "ctypes: calls that keep the interpreter's lock": (None, CTYPES + """
ctypes.c_char.from_address(allocate(ctypes.PyDLL("libcuda.so.1"), 64)).value #@ read
""", ["read device memory at program.py:{read}.", "allocation made at program.py:{allocate}"]),
    "ctypes: a thread, beside others that compute all the time": (None, CTYPES + """
done = False
def compute():
    while not done:
        sum(range(100))
def work():
    global done
    cuda.cuCtxSetCurrent(context)
    memory = [allocate(cuda, 64) for _ in range(100)]
    done = True
    ctypes.string_at(memory[7], 4) #@ read
for target in (compute, compute, work):
    threading.Thread(target=target).start()
""", ["read device memory at program.py:{read}.", "allocation made at program.py:{allocate}"]),
    "ctypes: a package's function is called at the program's line": (None, CTYPES + """
import package
ctypes.string_at(package.allocate(cuda), 4) #@ call
""", ["read device memory at program.py:{call}.", "allocation made at program.py:{call}"]),
    "ctypes: text that a program compiles": (None, CTYPES + """
exec("memory = allocate(cuda, 64)")
ctypes.string_at(eval("memory"), 4) #@ read
""", ["read device memory at program.py:{read}."]),
    "pycuda: an array of a package's": ("pycuda", PYCUDA + """
d = pycuda.gpuarray.to_gpu(a) #@ made
ctypes.string_at(int(d.gpudata), 4) #@ read
""", ["read device memory at program.py:{read}.", "allocation made at program.py:{made}"]),
    "pycuda: a launch": ("pycuda", PYCUDA + """
f(np.uintp(a.ctypes.data), np.uintp(0), block=(1, 1, 1)) #@ launch
drv.Context.synchronize()
""", ["launched program.py:{launch}"]),
    "pycuda: of launches that nobody has waited for, the one that fails": ("pycuda", PYCUDA + """
x = drv.mem_alloc(4)
for _ in range(5):
    f(x, x, block=(1, 1, 1))
f(np.uintp(a.ctypes.data), np.uintp(0), block=(1, 1, 1)) #@ launch
drv.Context.synchronize()
""", ["launched program.py:{launch}"]),
    "numba-cuda: an array, a launch": ("numba-cuda", NUMBA + """
x, y = cuda.to_device(np.ones(4)), cuda.device_array(4) #@ made
f[1, 4](x, y) #@ launch
cuda.synchronize()
""", ["kernel f", "launched program.py:{launch}"]),
    "numba-cuda: NumPy's read": ("numba-cuda", NUMBA + """
x = cuda.to_device(np.ones(1 << 20)) #@ made
array = np.ctypeslib.as_array((ctypes.c_double * (1 << 20)).from_address(x.device_ctypes_pointer.value))
array.sum() #@ read
""", ["read device memory at program.py:{read}.", "allocation made at program.py:{made}"]),
    "cuda.core: a launch": ("cuda-python", CORE + """
launch(stream, LaunchConfig(grid=1, block=1), made, np.ones(4).ctypes.data, 0) #@ launch
stream.sync()
""", ["launched program.py:{launch}"]),
}
CHECKED = {
    "pycuda: --check names the program's lines and the kernel's": ("pycuda", PYCUDA + """
x = drv.mem_alloc(400) #@ x
y = drv.mem_alloc(400) #@ y
drv.memcpy_htod(x, a[:100])
f(x, y, block=(101, 1, 1)) #@ launch
drv.Context.synchronize()
""", ["in kernel.cu:{kernel}\n", "allocated by cuMemAlloc at program.py:{x}",
      "allocated by cuMemAlloc at program.py:{y}", "launched at program.py:{launch}", "ERROR SUMMARY: 2 errors"]),
    "pycuda: --check tells a copy of what nobody has written": ("pycuda", PYCUDA + """
drv.memcpy_dtoh(a, drv.mem_alloc(4000)) #@ copy
""", ["of 4000 bytes that nobody has written, at program.py:{copy}", "ERROR SUMMARY: 1 error"]),
    "cuda.core: --check names the program's lines and the kernel's": ("cuda-python", CORE + """
x, y = (dev.allocate(400, stream=stream) for _ in 'xy') #@ made
launch(stream, LaunchConfig(grid=1, block=100), made, x, y) #@ launch
stream.sync()
x.close(), y.close()
""", ["in default_program:{kernel}\n", "reads what nobody has written", "at program.py:{made}",
      "launched at program.py:{launch}", "ERROR SUMMARY: 1 error"]),
    "ctypes: --check names a leak's line, and a refused call's": (None, CTYPES + """
allocate(cuda, 64)
cuda.cuMemFree_v2(ctypes.c_uint64(12345)) #@ free
""", ["Leaked 64 bytes", "allocated by cuMemAlloc at program.py:{allocate}", "program.py:{free}"]),
}


def line_numbers(text):
    """{word: its line}: of `kernel`, counted from the text that begins with '''."""
    lines = text.split("\n")
    numbers = {re.search(r"#@ (\w+)", line)[1]: number for number, line in enumerate(lines, 1) if "#@" in line}
    for number, line in enumerate(lines):
        if "//@ kernel" in line:
            numbers["kernel"] = number - next(n for n in range(number, 0, -1) if "'''" in lines[n]) + 1
    return numbers


class Lines(cases.Case):
    def told(self, package, text, says, *options):
        interpreter = packages.python(package) if package else sys.executable
        # An installed package, in the user's own folder for those; the program's folder only looks like one.
        base = self.folder / "base"
        library = base / "lib/python{}.{}/site-packages".format(*sys.version_info)
        program = self.folder / "lib/python3.11/site-packages/program.py"
        for file, content in (library / "package.py", PACKAGE), (program, text):
            file.parent.mkdir(parents=True)
            file.write_text(content)
        done = packages.umpython(interpreter, *options, program, PYTHONPATH=str(library), PYTHONUSERBASE=str(base))
        self.assertNotEqual(done.returncode, 0)
        for words in says:
            self.assertIn(words.format(**line_numbers(text)), done.stderr)


def test_of(title, arguments, *options):
    def test(self):
        self.told(*arguments, *options)
    test.__doc__ = title
    return test


for index, (title, of) in enumerate(FAULTS.items()):
    setattr(Lines, f"test_fault_{index:02}", test_of(title, of))
for index, (title, of) in enumerate(CHECKED.items()):
    setattr(Lines, f"test_checked_{index:02}", test_of(title, of, "--check"))
if __name__ == "__main__":
    sys.exit(cases.main())
