"""How can I get the address of a GPU variable? With cuda.bindings: cuMemAlloc() returns nothing else.

The driver says of any address whose memory it is: the device's, the host's page-locked, or managed.
"""
import ctypes

import numpy as np
from cuda.bindings import driver
from driver import call, kernel, launch, start
from shown import main, mistake, show

N = 1024
SOURCE = """
extern "C" __global__ void add_one(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] += 1;
}
"""


def type_of(address):
    """What the driver says of an address."""
    which = driver.CUpointer_attribute.CU_POINTER_ATTRIBUTE_MEMORY_TYPE
    error, kind = driver.cuPointerGetAttribute(which, address)
    return driver.CUmemorytype(int(kind)).name if error.value == 0 else error.name


def program():
    start()
    host = np.arange(N, dtype=np.float32)
    device = int(call(driver.cuMemAlloc(host.nbytes)))
    call(driver.cuMemcpyHtoD(device, host.ctypes.data, host.nbytes))
    launch(kernel(SOURCE, "add_one"), 4, 256, (device, N), (ctypes.c_void_p, ctypes.c_int))
    call(driver.cuMemcpyDtoH(host.ctypes.data, device, host.nbytes))
    show("elements of 1024 that went up by one", int((host == np.arange(N) + 1).sum()))
    show("the address is an integer above 2^32", device > 1 << 32)
    show("whose it is", type_of(device))
    show("and 400 bytes further", type_of(device + 400))
    locked = int(call(driver.cuMemAllocHost(4096)))
    show("of page-locked memory", type_of(locked))
    show("of NumPy's array", type_of(host.ctypes.data))
    base, size = call(driver.cuMemGetAddressRange(device + 400))
    show("the allocation around an address inside it", f"{device + 400 - int(base)} bytes in, of {size}")
    mistake("the host reads there", "read")
    mistake("a kernel is given the address of NumPy's array", "give")
    call(driver.cuMemFreeHost(locked))
    call(driver.cuMemFree(device))


def read():
    start()
    ctypes.string_at(int(call(driver.cuMemAlloc(4096))), 4)


def give():
    start()
    host = np.zeros(N, np.float32)
    try:
        launch(kernel(SOURCE, "add_one"), 4, 256, (host.ctypes.data, N), (ctypes.c_void_p, ctypes.c_int))
        call(driver.cuCtxSynchronize())
        print("nothing was said")
    except RuntimeError as error:
        print(error)


main(program, {"read": read, "give": give})
