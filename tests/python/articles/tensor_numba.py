"""How do I obtain a framework's device pointer? By the conventions that are for that, in one line, without internals.

The article has TensorFlow in mind, and goes through IdentityN and its insides. An array says where it is by
__cuda_array_interface__ or DLPack; here it is Numba's, and the kernel that is given the pointer is compiled by NVRTC
and launched by the driver API. PyTorch's, CuPy's and JAX's arrays say it in the same way.
"""
import ctypes
import warnings

import numpy as np
from cuda.bindings import driver
from driver import call, kernel, launch
from numba import cuda
from shown import main, mistake, show

N = 1024
warnings.filterwarnings("ignore")
SOURCE = """
extern "C" __global__ void twice(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= 2;
}
"""


class Foreign:
    """What any framework's tensor says of itself."""

    def __init__(self, pointer, count):
        self.__cuda_array_interface__ = {"shape": (count,), "typestr": "<f4", "data": (pointer, False), "version": 3,
                                         "strides": None}


def program():
    tensor = cuda.to_device(np.arange(N, dtype=np.float32))
    cuda.synchronize()
    said = tensor.__cuda_array_interface__
    pointer = said["data"][0]
    show("shape and type that it says", f"{said['shape']} {said['typestr']}")
    where = driver.CUpointer_attribute
    show("whose memory the driver says it is", driver.CUmemorytype(int(call(driver.cuPointerGetAttribute(
        where.CU_POINTER_ATTRIBUTE_MEMORY_TYPE, pointer)))).name)
    show("the device, which nobody had to be told",
         call(driver.cuPointerGetAttribute(where.CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, pointer)))
    launch(kernel(SOURCE, "twice"), 4, 256, (pointer, N), (ctypes.c_void_p, ctypes.c_int))
    call(driver.cuCtxSynchronize())
    show("elements of 1024 that a kernel of ours doubled", int((tensor.copy_to_host() == 2 * np.arange(N)).sum()))
    view = cuda.as_cuda_array(Foreign(pointer, N))
    show("another library's view of it has the same address", view.device_ctypes_pointer.value == pointer)
    show("and the same elements", bool((view.copy_to_host() == tensor.copy_to_host()).all()))
    mistake("NumPy looks at the pointer", "look")


def look():
    tensor = cuda.to_device(np.zeros(N, np.float32))
    pointer = tensor.__cuda_array_interface__["data"][0]
    float(np.ctypeslib.as_array((ctypes.c_float * N).from_address(pointer)).sum())


main(program, {"look": look})
