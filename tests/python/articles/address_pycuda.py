"""How can I get the address of a GPU variable? With PyCUDA: int() of what mem_alloc() returned.

The host has the address from the start: it made the allocation. It can reckon with it, hand it to a kernel or to a
copy. It cannot follow it.
"""
import ctypes

import numpy as np
import pycuda.autoinit  # noqa: F401  makes a context
import pycuda.driver as drv
from pycuda.compiler import SourceModule
from shown import main, mistake, show

N = 1024
SOURCE = """
__global__ void add_one(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] += 1;
}
__global__ void where_is(float *x, unsigned long long *seen)
{
    *seen = (unsigned long long)x;
}
"""


def program():
    host = np.arange(N, dtype=np.float32)
    device = drv.mem_alloc(host.nbytes)
    drv.memcpy_htod(device, host)
    module = SourceModule(SOURCE)
    module.get_function("add_one")(device, np.int32(N), block=(256, 1, 1), grid=(4, 1))
    drv.memcpy_dtoh(host, device)
    show("elements of 1024 that went up by one", int((host == np.arange(N) + 1).sum()))

    address = int(device)
    show("the address is an integer above 2^32", isinstance(address, int) and address > 1 << 32)
    seen = np.zeros(1, np.uint64)
    module.get_function("where_is")(device, drv.Out(seen), block=(1, 1, 1))
    show("the kernel sees the same number", int(seen[0]) == address)
    one = np.zeros(1, np.float32)
    drv.memcpy_dtoh(one, address + 100 * one.nbytes)
    show("the element 100 * 4 bytes further", one[0])
    mistake("the host reads there", "read")
    mistake("a kernel is given the address of NumPy's array", "give")
    mistake("mem_alloc(1024) for 1024 floats", "short")


def read():
    ctypes.string_at(int(drv.mem_alloc(4096)), 4)


def give():
    host = np.zeros(N, np.float32)
    try:
        SourceModule(SOURCE).get_function("add_one")(np.uintp(host.ctypes.data), np.int32(N), block=(256, 1, 1))
        drv.Context.synchronize()
    except drv.Error as error:
        print("cuCtxSynchronize failed" if "cuCtxSynchronize failed" in str(error) else error)


def short():
    "the article asks for 1,024 bytes, and copies 4,096 there"
    try:
        drv.memcpy_htod(drv.mem_alloc(1024), np.zeros(N, np.float32))
        print("nothing was said")
    except drv.Error as error:
        print(str(error).split(":")[0])


main(program, {"read": read, "give": give, "short": short})
