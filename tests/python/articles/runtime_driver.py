"""How can Python reach CUDA? By CUDA Python, which is not CuPy: bindings of the driver's calls, without arrays.

The article's three listings in this form: a sum of vectors by a kernel that is compiled while the program runs, and
page-locked memory that the kernel reaches as it is.
"""
import ctypes

import numpy as np
from cuda.bindings import driver
from driver import call, kernel, launch, start
from shown import main, mistake, show

N = 100000
SOURCE = """
extern "C" __global__ void add(const float *x, const float *y, float *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        z[i] = x[i] + y[i];
}
"""
TYPES = (ctypes.c_void_p,) * 3 + (ctypes.c_int,)


def program():
    start()
    add = kernel(SOURCE, "add")
    x = np.arange(N, dtype=np.float32)
    device = [int(call(driver.cuMemAlloc(x.nbytes))) for _ in range(3)]
    for address in device[:2]:
        call(driver.cuMemcpyHtoD(address, x.ctypes.data, x.nbytes))
    launch(add, (N + 255) // 256, 256, (*device, N), TYPES)
    z = np.zeros_like(x)
    call(driver.cuMemcpyDtoH(z.ctypes.data, device[2], z.nbytes))
    show("sums of 100000 that are right", int((z == 2 * x).sum()))

    locked = [int(call(driver.cuMemAllocHost(x.nbytes))) for _ in range(3)]
    views = [np.ctypeslib.as_array((ctypes.c_float * N).from_address(address)) for address in locked]
    views[0][:], views[1][:], views[2][:] = x, 1, 0
    launch(add, (N + 255) // 256, 256, (*locked, N), TYPES)
    call(driver.cuCtxSynchronize())
    show("sums in page-locked memory, without a copy", int((views[2] == x + 1).sum()))
    which = driver.CUpointer_attribute.CU_POINTER_ATTRIBUTE_DEVICE_POINTER
    show("its address for the device is the same",
         int(call(driver.cuPointerGetAttribute(which, locked[0]))) == locked[0])
    for address in device:
        call(driver.cuMemFree(address))
    for address in locked:
        call(driver.cuMemFreeHost(address))
    for wrong, what in ((b"missing", "a kernel that is not there"), (None, "a text that is no module")):
        show(what, error_of(wrong))
    mistake("blocks of 2048 threads", "wide")
    mistake("the sum is asked for beyond the arrays", "beyond")


def error_of(name):
    if name is None:
        return driver.cuModuleLoadData(b"add.so is no module of a GPU's\0")[0].name
    try:
        kernel(SOURCE, name.decode())
    except RuntimeError as error:
        return error


def wide():
    start()
    try:
        launch(kernel(SOURCE, "add"), 1, 2048, (0, 0, 0, 0), TYPES)
        print("nothing was said")
    except RuntimeError as error:
        print(error)


def beyond():
    start()
    device = int(call(driver.cuMemAlloc(4 * N)))
    try:
        launch(kernel(SOURCE, "add"), 1 << 20, 1024, (device, device, device, (1 << 30) - 1), TYPES)
        call(driver.cuCtxSynchronize())
        print("nothing was said")
    except RuntimeError as error:
        print(error)


main(program, {"wide": wide, "beyond": beyond})
