"""Kernels with mistakes, and without, for tests/python/numba_checks.py: a kernel's text says what --check tells of it,
and the line at which that is. What has no `finds` is silent.

    umpython --check numba_planted.py
"""
import warnings

import numpy as np
from numba import cuda, float32, int32

warnings.filterwarnings("ignore")
KIND = np.dtype([("tag", np.int8), ("value", np.int32)], align=True)
TABLE = np.arange(64, dtype=np.int32)


def zeros(n, kind=np.int32):
    return cuda.to_device(np.zeros(n, kind))


@cuda.jit(device=True)
def put(a, i):
    a[i] = i  # here: through


@cuda.jit
def writes_behind(out, n):
    "finds: Invalid __global__ write of size 4 bytes"
    i = cuda.grid(1)
    if i <= n:
        out[i] = i  # here


@cuda.jit
def reads_behind(a, out):
    "finds: Invalid __global__ read of size 8 bytes"
    i = cuda.grid(1)
    out[i] = a[i + 1]  # here


@cuda.jit
def through(out):
    "finds: Invalid __global__ write of size 4 bytes"
    put(out, cuda.grid(1))


@cuda.jit("void(int32[:])")
def compiled_before(out):
    "finds: Invalid __global__ write of size 4 bytes"
    out[cuda.grid(1)] = 1  # here


@cuda.jit(debug=True, opt=False)
def with_debug(out):
    "finds: Invalid __global__ write of size 4 bytes"
    i = cuda.grid(1)
    out[i] = 1  # here


@cuda.jit
def adds_behind(out):
    "finds: Invalid __global__ atomic of size 4 bytes"
    cuda.atomic.add(out, cuda.grid(1), 1)  # here


@cuda.jit
def shared_behind(out):
    "finds: Invalid __shared__ write of size 4 bytes"
    s, t = cuda.shared.array(64, int32), cuda.threadIdx.x
    s[t + 1] = t  # here
    cuda.syncthreads()
    out[t] = s[t // 2 + 1]


@cuda.jit
def dynamic_behind(out):
    "finds: Invalid __shared__ write of size 4 bytes"
    s, t = cuda.shared.array(0, int32), cuda.threadIdx.x
    s[t] = t  # here
    cuda.syncthreads()
    out[t] = s[t % 32]


@cuda.jit
def unwritten(a, out):
    "finds: Uninitialized __global__ read of size 4 bytes"
    i = cuda.grid(1)
    out[i] = a[i]  # here


@cuda.jit
def shared_unwritten(out):
    "finds: Uninitialized __shared__ read of size 4 bytes"
    s, t = cuda.shared.array(64, int32), cuda.threadIdx.x
    if t < 32:
        s[t] = t
    cuda.syncthreads()
    out[t] = s[t]  # here


@cuda.jit
def no_barrier(out):
    "finds: Error: Race reported between Read access"
    s, t = cuda.shared.array(64, int32), cuda.threadIdx.x
    s[t] = t
    out[t] = s[63 - t]  # here


@cuda.jit
def blocks_add(out):
    "finds: Error: Race reported between Write access"
    out[0] += 1  # here


@cuda.jit
def no_fence(data, flag, out):
    "finds: Error: Race reported between Write access"
    if cuda.blockIdx.x == 0:
        data[0] = 7  # here
        cuda.atomic.add(flag, 0, 1)
    else:
        while cuda.atomic.add(flag, 0, 0) == 0:
            pass
        cuda.threadfence()
        out[0] = data[0]


@cuda.jit
def fence_of_block(data, flag, out):
    "finds: Error: Race reported between Write access"
    if cuda.blockIdx.x == 0:
        data[0] = 7  # here
        cuda.threadfence_block()
        cuda.atomic.add(flag, 0, 1)
    else:
        while cuda.atomic.add(flag, 0, 0) == 0:
            pass
        cuda.threadfence()
        out[0] = data[0]


@cuda.jit
def passes_by(out):
    "finds: Note: threads 32..63 have ended, and others wait at a barrier"
    t = cuda.threadIdx.x
    if t < 32:
        cuda.syncthreads()  # here
    out[t] = t


@cuda.jit
def with_fence(data, flag, out):
    if cuda.blockIdx.x == 0:
        data[0] = 7
        cuda.threadfence()
        cuda.atomic.add(flag, 0, 1)
    else:
        while cuda.atomic.add(flag, 0, 0) == 0:
            pass
        cuda.threadfence()
        out[0] = data[0]


@cuda.jit
def of_records(records, out):
    i, table = cuda.grid(1), cuda.const.array_like(TABLE)
    records[i]["value"] += table[i]
    out[i] = records[i]["value"]


@cuda.jit
def block_sum(x, out):
    s, t = cuda.shared.array(64, float32), cuda.threadIdx.x
    s[t] = x[cuda.grid(1)]
    cuda.syncthreads()
    k = 32
    while k > 0:
        if t < k:
            s[t] += s[t + k]
        cuda.syncthreads()
        k //= 2
    if t == 0:
        cuda.atomic.add(out, 0, s[0])


@cuda.jit
def strides(x, out):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        out[i] = cuda.shfl_xor_sync(0xffffffff, x[i], 1)


def main():
    writes_behind[1, 64](zeros(32), 32)
    reads_behind[1, 32](zeros(32, np.float64), zeros(32, np.float64))
    for kernel in (through, compiled_before, with_debug, adds_behind):
        kernel[1, 33](zeros(32))
    shared_behind[1, 64](zeros(64))
    dynamic_behind[1, 33, 0, 4 * 32](zeros(64))
    unwritten[1, 64](cuda.device_array(64, np.int32), zeros(64))
    for kernel in (shared_unwritten, no_barrier, passes_by):
        kernel[1, 64](zeros(64))
    blocks_add[2, 1](zeros(1))
    for kernel in (no_fence, fence_of_block, with_fence):
        kernel[2, 1](zeros(1), zeros(1), zeros(1))
    of_records[1, 64](zeros(64, KIND), zeros(64))
    block_sum[4, 64](zeros(256, np.float32), zeros(1, np.float32))
    strides[2, 64](zeros(512, np.float32), zeros(512, np.float32))
    cuda.synchronize()
    print("ran to its end")


main()
