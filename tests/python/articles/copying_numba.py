"""How are GPU arrays copied to the CPU by their pointers? With Numba: copy_to_host(), whole, in part, in a stream."""
import ctypes
import warnings

import numpy as np
from numba import cuda
from shown import main, mistake, show

N = 1 << 20
warnings.filterwarnings("ignore")  # copies of pageable memory in a stream


def program():
    source = np.arange(N, dtype=np.int32)
    device = cuda.to_device(source)
    show("copied and waited for: equal", bool((device.copy_to_host() == source).all()))
    stream = cuda.stream()
    locked = cuda.pinned_array(N, np.int32)
    device.copy_to_host(locked, stream=stream)
    stream.synchronize()
    show("in a stream to page-locked memory, waited for: equal", bool((locked == source).all()))
    show("four elements from element 1000", device[1000:1004].copy_to_host().tolist())
    every = np.arange(12, dtype=np.int32).reshape(3, 4)
    column = cuda.to_device(every)[:, 1]
    show("bytes from one element of a column to the next", column.strides[0])
    try:
        show("a column, copied", column.copy_to_host().tolist())
    except Exception:  # each package has a class of its own
        show("a column, copied", "refused: its elements do not lie side by side")

    points = np.zeros(256, [("x", np.float32), ("y", np.float32), ("z", np.float32)])
    points["x"], points["y"], points["z"] = np.arange(256), np.arange(256) * 2, np.arange(256) * 3
    show("records, there and back: equal", bool((cuda.to_device(points).copy_to_host() == points).all()))
    mapped = cuda.mapped_array(4, np.int32)
    mapped[:] = 7
    show("mapped memory has an address for the device, too", mapped.device_ctypes_pointer.value > 0)
    mistake("the host follows the pointer instead", "follow")


def follow():
    address = cuda.to_device(np.zeros(N, np.int32)).device_ctypes_pointer.value
    ctypes.cast(address, ctypes.POINTER(ctypes.c_int32))[0]


main(program, {"follow": follow})
