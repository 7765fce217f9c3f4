"""The programs of tests/python/numba_kernels.py that end in a fault, or say something.

    umpython numba_faults.py NAME
"""
import ctypes
import sys
import warnings

import numpy as np
from numba import cuda, float64

warnings.filterwarnings("ignore")


@cuda.jit
def add(a, b, c):
    i = cuda.grid(1)
    if i < c.size:
        c[i] = a[i] + b[i]


@cuda.jit(device=True)
def fill(a, n):
    for j in range(n):
        a[(j * 4099) % n] = j


def tried(kernel):
    try:
        kernel[1, 64](np.zeros(64), 1 << 18)
        cuda.synchronize()
        print("it ran")
    except Exception as error:
        print(type(error).__name__, error, flush=True)
    sys.exit(3)


def deep():
    "has more local memory in threads on fibers than their stacks hold"
    @cuda.jit
    def k(x, n):
        a = cuda.local.array(1 << 18, float64)
        fill(a, n)
        cuda.syncwarp()
        x[cuda.grid(1)] = a[cuda.grid(1)]
    tried(k)


def wide():
    "has more local memory in threads that are cut at a barrier than there is for a block"
    @cuda.jit
    def k(x, n):
        a = cuda.local.array(1 << 18, float64)
        fill(a, n)
        cuda.syncthreads()
        x[cuda.grid(1)] = a[cuda.grid(1)]
    tried(k)


def refused():
    "calls a function that nobody defines"
    device = cuda.declare_device("nobody_knows_this", "int32(int32)")

    @cuda.jit
    def k(x):
        x[0] = device(x[0])
    try:
        k[1, 1](np.zeros(1, np.int32))
    except Exception as error:  # each package has a class of its own
        print(type(error).__name__)
    sys.exit(3)


def host_pointer():
    "follows a NumPy pointer"
    from numba.cuda.cudadrv import devicearray, driver
    a = np.ones(256, np.float32)
    memory = driver.MemoryPointer(cuda.current_context(), ctypes.c_void_p(a.ctypes.data), a.nbytes)
    d = devicearray.DeviceNDArray(a.shape, a.strides, a.dtype, gpu_data=memory)
    out = cuda.device_array(256, np.float32)
    try:
        add[1, 256](d, out, out)
        cuda.synchronize()
    except Exception as error:
        print(type(error).__name__, error, flush=True)
    sys.exit(3)


def host_read():
    "reads device memory"
    d = cuda.to_device(np.ones(256, np.float32))
    print("reading", flush=True)
    ctypes.string_at(d.device_ctypes_pointer.value, 4)


def printing():
    "print"
    @cuda.jit
    def k(x):
        print("thread", cuda.threadIdx.x, x[0], cuda.blockIdx.x, -5)
    k[2, 2](np.full(1, 1.5))
    cuda.synchronize()


globals()[sys.argv[1]]()
