"""How are GPU arrays copied to the CPU by their pointers? With PyCUDA: memcpy_dtoh(), in three ways.

The article's second listing does not run (a Stream has no record(), an Event has), and its copy is asynchronous in name
only: NumPy's memory is pageable, so the call returns when most of the work is done. Page-locked memory is another
matter; then nothing of the target may be read before the wait.
"""
import ctypes

import numpy as np
import pycuda.autoinit  # noqa: F401  makes a context
import pycuda.driver as drv
from shown import main, mistake, show

N = 1 << 20


def program():
    source = np.arange(N, dtype=np.int32)
    device = drv.mem_alloc(source.nbytes)
    drv.memcpy_htod(device, source)
    target = np.zeros_like(source)
    drv.memcpy_dtoh(target, device)
    show("copied and waited for: equal", bool((target == source).all()))

    stream, done = drv.Stream(), drv.Event()
    show("a stream has record()", hasattr(stream, "record"))
    locked = drv.pagelocked_zeros(N, np.int32)
    drv.memcpy_dtoh_async(locked, device, stream)
    done.record(stream)
    done.synchronize()
    show("an event behind a copy to page-locked memory, waited for: equal", bool((locked == source).all()))
    part = np.zeros(4, np.int32)
    drv.memcpy_dtoh(part, int(device) + 4 * 1000)
    show("four elements from the address of element 1000", part.tolist())

    points = np.zeros(256, [("x", np.float32), ("y", np.float32), ("z", np.float32)])
    points["x"], points["y"], points["z"] = np.arange(256), np.arange(256) * 2, np.arange(256) * 3
    device_points = drv.mem_alloc(points.nbytes)
    drv.memcpy_htod(device_points, points)
    same, other = np.empty_like(points), np.empty(256, [("z", np.float32), ("y", np.float32), ("x", np.float32)])
    drv.memcpy_dtoh(same, device_points)
    drv.memcpy_dtoh(other, device_points)
    show("records into records of the same type: equal", bool((same == points).all()))
    show("into records whose fields have other names: right x of 256", int((other["x"] == points["x"]).sum()))
    free = drv.mem_get_info()[0]
    device.free()
    show("free() gives memory back", drv.mem_get_info()[0] >= free)
    mistake("the host follows the pointer instead", "follow")
    mistake("the array is copied after free()", "late")


def follow():
    ctypes.cast(int(drv.mem_alloc(4096)), ctypes.POINTER(ctypes.c_int32))[0]


def late():
    device = drv.mem_alloc(1 << 24)
    address = int(device)
    device.free()
    try:
        drv.memcpy_dtoh(np.zeros(4, np.int32), address)
        print("nothing was said")
    except drv.Error as error:
        print(str(error).split(":")[0])


main(program, {"follow": follow, "late": late})
