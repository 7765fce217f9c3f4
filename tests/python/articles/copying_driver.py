"""How are GPU arrays copied to the CPU by their pointers? With cuda.bindings: by addresses, and by nothing else.

Each copy is told two addresses and a size. What is not said cannot be checked: whose type it is.
"""
import ctypes

import numpy as np
from cuda.bindings import driver
from driver import call, start
from shown import main, mistake, show

N = 1 << 20


def program():
    start()
    source = np.arange(N, dtype=np.int32)
    device = int(call(driver.cuMemAlloc(source.nbytes)))
    call(driver.cuMemcpyHtoD(device, source.ctypes.data, source.nbytes))
    target = np.zeros_like(source)
    call(driver.cuMemcpyDtoH(target.ctypes.data, device, target.nbytes))
    show("copied and waited for: equal", bool((target == source).all()))
    stream = call(driver.cuStreamCreate(0))
    locked = int(call(driver.cuMemAllocHost(source.nbytes)))
    view = np.ctypeslib.as_array((ctypes.c_int32 * N).from_address(locked))
    call(driver.cuMemcpyDtoHAsync(locked, device, source.nbytes, stream))
    call(driver.cuStreamSynchronize(stream))
    show("in a stream to page-locked memory, waited for: equal", bool((view == source).all()))
    part = np.zeros(4, np.int32)
    call(driver.cuMemcpyDtoH(part.ctypes.data, device + 4 * 1000, part.nbytes))
    show("four elements from the address of element 1000", part.tolist())
    as_float = np.zeros(4, np.float32)
    call(driver.cuMemcpyDtoH(as_float.ctypes.data, device + 4 * 1000, as_float.nbytes))
    show("the same bytes, taken for floats", [f"{x:.4g}" for x in as_float])
    show("a copy beyond the allocation's end",
         driver.cuMemcpyDtoH(target.ctypes.data, device + 4, source.nbytes)[0].name)
    managed = int(call(driver.cuMemAllocManaged(source.nbytes, driver.CUmemAttach_flags.CU_MEM_ATTACH_GLOBAL.value)))
    both = np.ctypeslib.as_array((ctypes.c_int32 * N).from_address(managed))
    both[:] = 0
    call(driver.cuMemsetD32(managed, 5, N))
    call(driver.cuCtxSynchronize())
    show("managed memory that the device has set, read by NumPy without a copy", sorted(set(both.tolist())))
    mistake("the host follows the pointer instead", "follow")
    call(driver.cuMemFreeHost(locked))
    for address in (managed, device):
        call(driver.cuMemFree(address))
    show("a copy after cuMemFree", driver.cuMemcpyDtoH(part.ctypes.data, device, 16)[0].name)


def follow():
    start()
    ctypes.cast(int(call(driver.cuMemAlloc(4096))), ctypes.POINTER(ctypes.c_int32))[0]


main(program, {"follow": follow})
