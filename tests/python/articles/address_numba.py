"""How can I get the address of a GPU variable? With Numba: the array says it, twice.

A launch needs two numbers, blocks and threads: kernel[256,](x), as the article has it, is refused. And a NumPy array as
an argument is copied to the GPU and back; the kernel never sees its address.
"""
import ctypes
import warnings

import numpy as np
from numba import cuda
from shown import main, mistake, show

N = 1024
warnings.filterwarnings("ignore")  # small grids


@cuda.jit
def add_one(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 1


def program():
    host = np.arange(N, dtype=np.float32)
    device = cuda.to_device(host)
    try:
        add_one[256,](device)
        show("add_one[256,]", "works")
    except (TypeError, ValueError):
        show("add_one[256,]", "an exception")
    add_one[4, 256](device)
    show("elements of 1024 that went up by one", int((device.copy_to_host() == host + 1).sum()))
    address = device.__cuda_array_interface__["data"][0]
    show("the address is an integer above 2^32", isinstance(address, int) and address > 1 << 32)
    show("device_ctypes_pointer is the same number", device.device_ctypes_pointer.value == address)
    part = device[100:]
    show("a slice from element 100 begins 400 bytes further",
         part.__cuda_array_interface__["data"][0] == address + 400)
    add_one[4, 256](host)
    show("a NumPy array as the argument comes back changed", bool((host == np.arange(N) + 1).all()))
    managed = cuda.managed_array(N, np.float32)
    managed[:] = 0
    add_one[4, 256](managed)
    cuda.synchronize()
    show("managed memory: NumPy sees the change without a copy", bool((np.asarray(managed) == 1).all()))
    mistake("the host reads at the device array's address", "read")


def read():
    ctypes.string_at(cuda.to_device(np.zeros(N)).device_ctypes_pointer.value, 4)


main(program, {"read": read})
