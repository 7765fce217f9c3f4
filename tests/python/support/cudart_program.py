"""A program as it is written for NVIDIA's runtime: ctypes, and the library by its name. libraries.py runs it with the
simulator's directory on the library path. It knows of no simulator. Prints what each call answered; argument: the name.
"""
import ctypes
import sys

cudart = ctypes.CDLL(sys.argv[1])
cudart.cudaGetErrorString.restype = cudart.cudaGetErrorName.restype = ctypes.c_char_p
H2D, D2H, DEFAULT, ATTACH_GLOBAL = 1, 2, 4, 1
N = 1000


class PointerAttributes(ctypes.Structure):  # struct cudaPointerAttributes of CUDA 13; 12's is its beginning
    _fields_ = [("type", ctypes.c_int), ("device", ctypes.c_int), ("devicePointer", ctypes.c_void_p),
                ("hostPointer", ctypes.c_void_p), ("reserved", ctypes.c_long * 8)]


def need(code):
    if code:
        raise RuntimeError(f"{cudart.cudaGetErrorName(code).decode()}: {cudart.cudaGetErrorString(code).decode()}")


def pointer_of(allocate, *more):
    p = ctypes.c_void_p()
    need(allocate(ctypes.byref(p), ctypes.c_size_t(4 * N), *more))
    return p


def attributes(p):
    it = PointerAttributes()
    need(cudart.cudaPointerGetAttributes(ctypes.byref(it), p))
    return it.type, it.device, it.devicePointer == p.value, it.hostPointer == p.value


host, back = (ctypes.c_float * N)(*range(N)), (ctypes.c_float * N)()
on_device = pointer_of(cudart.cudaMalloc)
managed = pointer_of(cudart.cudaMallocManaged, ctypes.c_uint(ATTACH_GLOBAL))
pinned = pointer_of(cudart.cudaHostAlloc, ctypes.c_uint(0))
need(cudart.cudaMemcpy(on_device, host, ctypes.c_size_t(4 * N), H2D))
need(cudart.cudaMemcpy(managed, on_device, ctypes.c_size_t(4 * N), DEFAULT))
need(cudart.cudaMemset(on_device, 0, ctypes.c_size_t(4)))
need(cudart.cudaMemcpy(back, on_device, ctypes.c_size_t(4 * N), D2H))
print("copies", back[0], back[1], back[N - 1])
shared = (ctypes.c_float * N).from_address(managed.value)
shared[0] = 5
print("managed", shared[0], shared[N - 1])
print("device", *attributes(on_device))
print("managed", *attributes(managed))
print("pinned", *attributes(pinned))
print("heap", *attributes(ctypes.cast(host, ctypes.c_void_p))[:2])
print("error", cudart.cudaMemcpy(on_device, host, ctypes.c_size_t(8 * N), H2D), cudart.cudaGetLastError(),
      cudart.cudaGetLastError())
print("text", cudart.cudaGetErrorName(700).decode(), "-", cudart.cudaGetErrorString(700).decode())
need(cudart.cudaFree(on_device))
print("twice", cudart.cudaGetErrorName(cudart.cudaFree(on_device)).decode())
need(cudart.cudaFree(managed) or cudart.cudaFreeHost(pinned) or cudart.cudaDeviceSynchronize())
