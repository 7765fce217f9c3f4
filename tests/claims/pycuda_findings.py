"""What PyCUDA does, for frameworks.py: sizes and addresses, copies and kernels, streams, frees. It needs a GPU."""
import time

from findings import N, answer, found


def pycuda_sizes(cuda, np):
    small = cuda.mem_alloc(1024)
    floats = np.arange(N, dtype=np.float32)
    found("pycuda-address: int(gpu_array) is an address above 0", answer(lambda: int(small) > 0))
    found("pycuda-address: gpu_array has .ptr", hasattr(small, "ptr"))
    back = np.zeros(256, dtype=np.float32)
    cuda.memcpy_htod(small, floats[:256])
    found("pycuda-address: copy from int(gpu_array) + 400: element 0",
          answer(lambda: (cuda.memcpy_dtoh(back[:1], int(small) + 400), f"{back[0]:g}")[1]))
    found("pycuda-sizes: memcpy_htod of 1,024 float32 into mem_alloc(1024)",
          answer(lambda: cuda.memcpy_htod(small, floats)))
    found("pycuda-sizes: memcpy_dtoh of 1,024 float32 out of it",
          answer(lambda: cuda.memcpy_dtoh(np.empty_like(floats), small)))


def pycuda_works(cuda, np):
    from pycuda.compiler import SourceModule
    floats = np.arange(N, dtype=np.float32)
    module = SourceModule("__global__ void add_one(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] += 1.0f; }")
    large = cuda.mem_alloc(floats.nbytes)
    cuda.memcpy_htod(large, floats)
    module.get_function("add_one")(large, block=(256, 1, 1), grid=(4, 1))
    result = np.empty_like(floats)
    cuda.memcpy_dtoh(result, large)
    found("pycuda-kernel: block=(256,1,1), grid=(4,1): elements of 1,024 that went up by one",
          int((result == floats + 1).sum()))
    whole, copy = np.arange(N, dtype=np.int32), np.zeros(N, dtype=np.int32)
    cuda.memcpy_htod(large, whole)
    cuda.memcpy_dtoh(copy, large)
    found("pycuda-copy: memcpy_htod, then memcpy_dtoh: int32 of 1,024 that are equal", int((whole == copy).sum()))
    record = np.dtype([("x", np.float32), ("y", np.float32), ("z", np.float32)])
    source = np.zeros(256, dtype=record)
    source["x"], source["y"], source["z"] = np.arange(256), 2 * np.arange(256), 3 * np.arange(256)
    target = np.empty(256, dtype=record)
    cuda.memcpy_htod(large, source)
    cuda.memcpy_dtoh(target, large)
    found("pycuda-copy: records of three float32, there and back, all equal", bool((source == target).all()))


def pycuda_streams(cuda, np):
    stream, event = cuda.Stream(), cuda.Event()
    found("pycuda-stream: stream.record()", answer(lambda: stream.record()))
    found("pycuda-stream: Event.record(stream)",
          answer(lambda: "works" if event.record(stream) is not None else "works"))
    size = 1 << 20
    device, ordinary = cuda.mem_alloc(4 * size), np.zeros(size, dtype=np.float32)
    cuda.memcpy_htod(device, np.ones(size, dtype=np.float32))

    def timed(host):
        best = None
        for _ in range(9):
            host[-1] = 0
            start = time.perf_counter()
            cuda.memcpy_dtoh_async(host, device, stream)
            call, there = time.perf_counter() - start, bool(host[-1] == 1)
            stream.synchronize()
            both = time.perf_counter() - start
            best = min(best or (both, call, there), (both, call, there))
        return best

    both, call, there = timed(ordinary)
    found("pycuda-async: 4 MiB into a NumPy array: memcpy_dtoh_async takes most of the time", call > 0.7 * both)
    found("pycuda-async: ... all there when it returns", there)
    both, call, there = timed(cuda.pagelocked_zeros(size, dtype=np.float32))
    found("pycuda-async: 4 MiB into pagelocked_zeros: it takes most of the time", call > 0.7 * both)
    found("pycuda-async: after synchronize(), the NumPy array is right", bool((ordinary == 1).all()))


def pycuda_frees(cuda):
    block = cuda.mem_alloc(256 << 20)
    during = cuda.mem_get_info()[0]
    block.free()
    found("pycuda-free: free() gives 256 MiB back", cuda.mem_get_info()[0] - during >= 256 << 20)
    block = cuda.mem_alloc(256 << 20)
    during = cuda.mem_get_info()[0]
    del block
    found("pycuda-free: so does the end of the object", cuda.mem_get_info()[0] - during >= 256 << 20)


def with_pycuda(_args, _folder):
    import numpy as np
    import pycuda.autoinit  # noqa: F401  it makes the context
    import pycuda.driver as cuda
    pycuda_sizes(cuda, np)
    pycuda_works(cuda, np)
    pycuda_streams(cuda, np)
    pycuda_frees(cuda)
