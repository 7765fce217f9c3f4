"""How can Python reach the CUDA runtime? With CuPy, which is a library of arrays: the article takes it for CUDA Python.

Its listings, corrected: RawKernel wants CUDA C++, not a file of PTX; page-locked memory is a buffer that NumPy looks
at, and has no free() of its own.
"""
import ctypes

import cupy as cp
import numpy as np
from shown import main, mistake, show

N = 100000
ADD = cp.RawKernel("""
extern "C" __global__ void add(const float *x, const float *y, float *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        z[i] = x[i] + y[i];
}
""", "add")


def program():
    x, y = cp.arange(N, dtype=cp.float32), cp.arange(N, dtype=cp.float32)
    show("sums of 100000 that are right", int((cp.asnumpy(x + y) == 2 * np.arange(N)).sum()))
    z = cp.zeros_like(x)
    ADD(((N + 255) // 256,), (256,), (x, y, z, np.int32(N)))
    show("by a kernel of ours", int((cp.asnumpy(z) == 2 * np.arange(N)).sum()))
    show("the address is an integer above 2^32", z.data.ptr > 1 << 32)
    show("a slice from element 100 begins 400 bytes further", z[100:].data.ptr == z.data.ptr + 400)
    locked = cp.cuda.alloc_pinned_memory(4 * 1024)
    view = np.frombuffer(locked, np.float32, 1024)
    view[:] = 7
    on_gpu = cp.asarray(view)
    view[:] = 8
    show("elements of 1024 that a change of the page-locked source has reached", int((on_gpu == 8).sum()))
    on_gpu.get(out=view)
    show("copied back there", int((view == 7).sum()))
    mistake("the host reads at the array's address", "read")


def read():
    ctypes.string_at(cp.zeros(N, cp.float32).data.ptr, 4)


main(program, {"read": read})
