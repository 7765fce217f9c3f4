"""Prints, as JSON, the IR that Numba writes for some kernels: what nvvm.py changes (umpython numba_texts.py)."""
import json
import warnings

from numba import cuda, float32, int32, int64, void

warnings.simplefilter("ignore")


def saxpy(a, x, y):
    i = cuda.grid(1)
    if i < y.size:
        y[i] = a * x[i] + y[i]


def stride(a, x, y):
    for i in range(cuda.grid(1), y.size, cuda.gridsize(1)):
        y[i] += a * x[i]


def block_sum(a, x, y):
    s = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
    s[t] = x[cuda.grid(1)] * a
    cuda.syncthreads()
    k = cuda.blockDim.x // 2
    while k > 0:
        if t < k:
            s[t] += s[t + k]
        cuda.syncthreads()
        k //= 2
    if t == 0:
        cuda.atomic.add(y, cuda.blockIdx.x, s[0])


def exchange(a, x, y):
    s = cuda.shared.array((8, 8), int32)
    own = cuda.local.array(4, int64)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    if tx >= x.size:
        return
    for i in range(4):
        own[i] = tx * i
    for p in range(cuda.gridDim.x):
        s[ty, tx] = own[p & 3]
        if cuda.syncthreads_count(tx & 1) > 3:
            own[(p + 1) & 3] += s[tx, ty]
        cuda.syncthreads()
    y[tx] = own[0] + own[3]


def warp(a, x, y):
    v = x[cuda.threadIdx.x]
    for by in (16, 8, 4, 2, 1):
        v += cuda.shfl_down_sync(-1, v, by)
    y[0] = v


arrays = void(float32, float32[::1], float32[::1])
found = []
for function in (saxpy, stride, block_sum, exchange, warp):
    kernel = cuda.jit(arrays)(function)
    found += kernel.inspect_llvm().values()
print(json.dumps(found))
