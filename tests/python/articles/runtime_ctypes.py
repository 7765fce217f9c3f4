"""How can Python reach the CUDA runtime? It is a C library: ctypes loads it, and its calls take pointers."""
import ctypes

from shown import main, mistake, show

N = 1024
TO_DEVICE, TO_HOST, GLOBAL = 1, 2, 1


def runtime():
    for name in ("libcudart.so", "libcudart.so.13", "libcudart.so.12"):
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    raise SystemExit("SKIP no libcudart.so")


def program():
    cudart = runtime()
    count = ctypes.c_int()
    show("cudaGetDeviceCount", cudart.cudaGetDeviceCount(ctypes.byref(count)))
    floats, bytes_ = ctypes.c_float * N, ctypes.c_size_t(4 * N)
    source, target, p = floats(*range(N)), floats(), ctypes.c_void_p()
    show("cudaMalloc", cudart.cudaMalloc(ctypes.byref(p), bytes_))
    show("cudaMemcpy there", cudart.cudaMemcpy(p, source, bytes_, TO_DEVICE))
    show("and back", cudart.cudaMemcpy(target, p, bytes_, TO_HOST))
    show("elements of 1024 that are equal", sum(x == y for x, y in zip(source, target)))
    show("cudaMemset", cudart.cudaMemset(p, 0, bytes_))
    cudart.cudaMemcpy(target, p, bytes_, TO_HOST)
    show("the sum then", sum(target))
    show("a copy with a direction that does not fit", cudart.cudaMemcpy(target, source, bytes_, 7))
    show("cudaFree", cudart.cudaFree(p))
    locked = ctypes.c_void_p()
    show("cudaMallocHost", cudart.cudaMallocHost(ctypes.byref(locked), bytes_))
    view = floats.from_address(locked.value)
    view[5] = 5
    show("page-locked memory is the host's to read and write", view[5])
    show("cudaFreeHost", cudart.cudaFreeHost(locked))
    mistake("the host writes to device memory", "write")


def write():
    p = ctypes.c_void_p()
    runtime().cudaMalloc(ctypes.byref(p), ctypes.c_size_t(4096))
    ctypes.memset(p.value, 0, 16)


main(program, {"write": write})
