"""The program of tests/python/numba_kernels.py: Numba's kernels, each case with results that NumPy or Python knows.

    umpython numba_cases.py [-v]        all cases: a line `ok TITLE` or `FAIL TITLE: why` for each, -v with tracebacks
"""
import math
import sys
import traceback
import warnings
from pathlib import Path

import numba_more
import numpy as np
from numba import complex64, cuda, float32, float64, int32, vectorize
from numba.cuda.random import create_xoroshiro128p_states, xoroshiro128p_uniform_float32

warnings.filterwarnings("ignore")
CASES = []


def case(function):
    CASES.append(function)
    return function


def worst(got, wanted):
    return np.max(np.abs(got - wanted) / np.maximum(np.abs(wanted), 1e-300))


@cuda.jit
def add(a, b, c):
    i = cuda.grid(1)
    if i < c.size:
        c[i] = a[i] + b[i]


@case
def saxpy():
    "a kernel of one line, launched with more threads than elements"
    @cuda.jit
    def k(a, x, y):
        i = cuda.grid(1)
        if i < x.size:
            y[i] = a * x[i] + y[i]
    x, y = np.arange(1000, dtype=np.float32), np.ones(1000, np.float32)
    k[4, 256](np.float32(2), x, y)
    assert (y == 2 * x + 1).all()


@case
def shared_arrays():
    "shared arrays, barriers, an atomic sum; dynamic shared memory"
    @cuda.jit
    def total(x, out):
        s = cuda.shared.array(256, float32)
        t, i = cuda.threadIdx.x, cuda.grid(1)
        s[t] = x[i] if i < x.size else float32(0)
        cuda.syncthreads()
        n = 128
        while n > 0:
            if t < n:
                s[t] += s[t + n]
            cuda.syncthreads()
            n //= 2
        if t == 0:
            cuda.atomic.add(out, 0, s[0])

    @cuda.jit
    def back(x):
        s = cuda.shared.array(0, int32)
        t = cuda.threadIdx.x
        s[t] = x[t]
        cuda.syncthreads()
        x[t] = s[cuda.blockDim.x - 1 - t]
    out = np.zeros(1, np.float32)
    total[20, 256](np.ones(5000, np.float32), out)
    assert out[0] == 5000
    x = np.arange(64, dtype=np.int32)
    back[1, 64, 0, 256](x)
    assert (x == np.arange(63, -1, -1)).all()


@case
def two_shared_arrays():
    "two shared arrays of two dimensions: a product of matrices in tiles"
    @cuda.jit
    def product(a, b, c):
        ta, tb = cuda.shared.array((8, 8), float64), cuda.shared.array((8, 8), float64)
        x, y = cuda.grid(2)
        tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
        total = 0.0
        for tile in range(a.shape[1] // 8):
            ta[tx, ty] = a[x, ty + tile * 8]
            tb[tx, ty] = b[tx + tile * 8, y]
            cuda.syncthreads()
            for j in range(8):
                total += ta[tx, j] * tb[j, ty]
            cuda.syncthreads()
        c[x, y] = total
    a, b = np.arange(32 * 24.0).reshape(32, 24), np.arange(24 * 16.0).reshape(24, 16) % 7
    c = np.zeros((32, 16))
    product[(4, 2), (8, 8)](a, b, c)
    assert (c == a @ b).all()


@case
def atomics():
    "atomics: add, sub, max, min, nanmax, and, or, xor, exch, cas, inc, dec"
    @cuda.jit
    def k(h, x, m, f):
        i = cuda.grid(1)
        if i < x.size:
            cuda.atomic.add(h, x[i] % 16, 1)
            cuda.atomic.max(m, 0, x[i])
            cuda.atomic.min(m, 1, x[i])
            cuda.atomic.sub(m, 2, 1)
            cuda.atomic.or_(m, 3, 1 << (i % 31))
            cuda.atomic.and_(m, 4, ~(1 << (i % 16)))
            cuda.atomic.xor(m, 5, i)
            cuda.atomic.cas(m, 6, 0, 77)
            cuda.atomic.exch(m, 7, 5)
            cuda.atomic.inc(m.view(np.uint32), 8, 99)
            cuda.atomic.dec(m.view(np.uint32), 9, 99)
            cuda.atomic.add(f, 0, 0.5)
            cuda.atomic.nanmax(f, 1, float64(i))
    x, h, m = np.arange(10000, dtype=np.int32), np.zeros(16, np.int32), np.zeros(10, np.int32)
    m[4] = -1
    f = np.array([0, np.nan])
    k[40, 256](h, x, m, f)
    xor = np.bitwise_xor.reduce(x)
    assert (h == 625).all()
    assert m.tolist() == [9999, 0, -10000, 0x7FFFFFFF, ~0xFFFF, xor, 77, 5, 0, 0], m
    assert f.tolist() == [5000, 9999], f


@case
def maths_64():
    "mathematical functions of double agree with C's, also for large arguments"
    @cuda.jit
    def k(x, y):
        i = cuda.grid(1)
        if i < x.size:
            v = x[i]
            y[i, 0], y[i, 1], y[i, 2], y[i, 3] = math.sin(v), math.exp(v), math.sqrt(v), math.pow(v, 1.5)
            y[i, 4], y[i, 5], y[i, 6], y[i, 7] = math.log(v), math.atan2(v, 2.0), math.erf(v), math.gamma(v)
            y[i, 8], y[i, 9], y[i, 10], y[i, 11] = math.hypot(v, 3.0), math.fmod(v, 0.7), math.floor(v), math.tanh(v)
            y[i, 12], y[i, 13] = math.sin(v * 1e20), math.log1p(v)
            y[i, 14], y[i, 15] = math.lgamma(v), math.acosh(v + 1)
    x = np.linspace(0.1, 20, 4096)
    y = np.zeros((4096, 16))
    k[16, 256](x, y)
    w = np.array([[math.sin(v), math.exp(v), math.sqrt(v), math.pow(v, 1.5), math.log(v), math.atan2(v, 2.0),
                   math.erf(v), math.gamma(v), math.hypot(v, 3.0), math.fmod(v, 0.7), math.floor(v), math.tanh(v),
                   math.sin(v * 1e20), math.log1p(v), math.lgamma(v), math.acosh(v + 1)] for v in x])
    near = np.abs(y - w) <= 4e-15 * np.maximum(np.abs(w), 1)
    assert near.all(), np.argwhere(~near)[:5]


@case
def maths_32():
    "mathematical functions of float; with fastmath, too"
    def body(x, y):
        i = cuda.grid(1)
        if i < x.size:
            y[i] = math.sin(x[i]) + math.exp(x[i]) * math.log(x[i]) / math.sqrt(x[i]) + math.tanh(x[i])
    x = np.linspace(0.1, 50, 4096).astype(np.float32)
    v = x.astype(np.float64)
    w = np.sin(v) + np.exp(v) * np.log(v) / np.sqrt(v) + np.tanh(v)
    for fast in (False, True):
        y = np.zeros_like(x)
        cuda.jit(body, fastmath=fast)[16, 256](x, y)
        assert np.max(np.abs(y - w) / np.maximum(np.abs(w), 1)) < 1e-5, fast


@case
def bits():
    "popc, clz, ffs, brev, fma, selp, cbrt"
    @cuda.jit
    def k(x, out, f):
        i = cuda.grid(1)
        out[i, 0], out[i, 1], out[i, 2] = cuda.popc(x[i]), cuda.clz(x[i]), cuda.ffs(x[i])
        out[i, 3] = cuda.brev(x[i])
        out[i, 4] = cuda.selp(x[i] > 5, 1, 2)
        f[i] = cuda.fma(f[i], 2.0, 1.0) + cuda.cbrt(27.0)
    x = np.array([0, 1, 6, 0x80000000, 0xFFFFFFFF, 0x12345], np.uint32)
    out, f = np.zeros((6, 5), np.uint32), np.arange(6.0)
    k[1, 6](x, out, f)
    for value, row in zip(x.tolist(), out.tolist()):
        text = f"{value:032b}"
        assert row == [text.count("1"), (text + "1").index("1"), (text[::-1] + "1").index("1") + 1 if value else 0,
                       int(text[::-1], 2), 1 if value > 5 else 2], (value, row)
    assert (f == np.arange(6.0) * 2 + 4).all()


@case
def conversions():
    "numbers out of range become the nearest whole number, as on a GPU, and NaN 0"
    @cuda.jit
    def k(x, out, long, byte):
        i = cuda.grid(1)
        out[i], long[i], byte[i] = int32(x[i]), np.int64(x[i]), np.uint32(x[i])
    x = np.array([1.9, -1.9, 3e9, -3e9, 1e30, -1e30, np.nan, np.inf])
    out, long, word = np.zeros(8, np.int32), np.zeros(8, np.int64), np.zeros(8, np.uint32)
    k[1, 8](x, out, long, word)
    low, high, most = -1 << 31, (1 << 31) - 1, (1 << 63) - 1
    assert out.tolist() == [1, -1, high, low, high, low, 0, high], out
    assert long.tolist() == [1, -1, 3000000000, -3000000000, most, -most - 1, 0, most], long
    assert word[2] == 3000000000


@case
def counted_barriers():
    "syncthreads_count, _and, _or"
    @cuda.jit
    def k(out):
        t = cuda.threadIdx.x
        out[t, 0] = cuda.syncthreads_count(int32(t % 3 == 0))
        out[t, 1] = cuda.syncthreads_and(int32(t < 100))
        out[t, 2] = cuda.syncthreads_or(int32(t == 99))
        out[t, 3] = cuda.syncthreads_and(int32(t < 99))
    out = np.zeros((100, 4), np.int32)
    k[1, 100](out)
    assert (out[:, 0] == 34).all()
    assert (out[:, 1] != 0).all()
    assert (out[:, 2] != 0).all()
    assert (out[:, 3] == 0).all()


@case
def warps():
    "shuffles of 32 and 64 bits, votes, ballots, matches, activemask, lanemask_lt"
    @cuda.jit
    def k(x, d, out, real):
        i, full = cuda.grid(1), 0xFFFFFFFF
        v, m = x[i], 16
        while m > 0:
            v += cuda.shfl_down_sync(full, v, m)
            m //= 2
        out[i, 0] = cuda.shfl_sync(full, v, 0)
        out[i, 1] = cuda.shfl_up_sync(full, x[i], 1)
        out[i, 2] = cuda.shfl_xor_sync(full, x[i], 1)
        real[i] = cuda.shfl_xor_sync(full, d[i], 16)
        out[i, 3] = cuda.popc(cuda.ballot_sync(full, x[i] % 2 == 0))
        out[i, 4] = cuda.all_sync(full, x[i] >= 0) + 2 * cuda.any_sync(full, x[i] == 40)
        out[i, 4] += 4 * cuda.eq_sync(full, x[i] > 50)
        out[i, 5] = cuda.popc(cuda.match_any_sync(full, x[i] // 4))
        out[i, 6] = cuda.popc(cuda.lanemask_lt())
        out[i, 7] = cuda.activemask() if x[i] % 2 == 0 else cuda.activemask()
    x = np.arange(64, dtype=np.int32)
    out, real = np.zeros((64, 8), np.int32), np.zeros(64)
    k[1, 64](x, x * 0.5, out, real)
    lane = x % 32
    assert (out[:, 0] == np.repeat([496, 1520], 32)).all()
    assert (out[:, 1] == np.where(lane == 0, x, x - 1)).all()
    assert (out[:, 2] == x ^ 1).all()
    assert (real == (x ^ 16) * 0.5).all()
    assert (out[:, 3] == 16).all()
    assert (out[:, 4] == np.repeat([1 + 4, 1 + 2], 32)).all(), out[:, 4]
    assert (out[:, 5] == 4).all()
    assert (out[:, 6] == lane).all()
    assert (out[:, 7].view(np.uint32) == np.where(x % 2 == 0, 0x55555555, 0xAAAAAAAA)).all(), out[:, 7]


@case
def cooperative():
    "a cooperative grid: each block reads what another wrote before grid.sync()"
    @cuda.jit
    def k(a, b):
        g = cuda.cg.this_grid()
        i = cuda.grid(1)
        for turn in range(4):
            b[i] = a[a.size - 1 - i] + turn
            g.sync()
            a[i] = b[i]
            g.sync()
    a, b = np.arange(256, dtype=np.int32), np.zeros(256, np.int32)
    k[8, 32](a, b)
    want = np.arange(256)
    for turn in range(4):
        want = want[::-1] + turn
    assert (a == want).all()


@case
def records():
    "records, local arrays, constant arrays, tuples, complex numbers"
    kind = np.dtype([("a", np.int32), ("b", np.float64)], align=True)
    table = np.arange(10, dtype=np.float32)

    @cuda.jit
    def k(r, out, z, pair):
        i, local, c = cuda.grid(1), cuda.local.array(8, float64), cuda.const.array_like(table)
        if i < r.shape[0]:
            for j in range(8):
                local[j] = r[i]["b"] * j
            s = 0.0
            for j in range(8):
                s += local[(j + r[i]["a"]) % 8]
            out[i] = s + c[i % 10] + pair[0] + pair[1]
            r[i]["a"] += 1
            z[i] = z[i] * complex64(1j)
    r, out, z = np.zeros(100, kind), np.zeros(100), np.full(100, 1 + 2j, np.complex64)
    r["b"] = 2
    k[1, 128](r, out, z, (1, 2.5))
    assert (out == 56 + np.arange(100) % 10 + 3.5).all()
    assert (r["a"] == 1).all()
    assert (z == -2 + 1j).all()


@case
def grids():
    "three dimensions of blocks and threads: each thread once, with its indices"
    @cuda.jit
    def k(out):
        x, y, z = cuda.grid(3)
        out[x, y, z] += (cuda.threadIdx.x + 10 * cuda.blockIdx.y + 100 * cuda.threadIdx.z + 1000 * cuda.gridDim.z +
                         10000 * cuda.blockDim.y)
    out = np.zeros((6, 8, 6), np.int64)
    k[(2, 4, 3), (3, 2, 2)](out)
    x, y, z = np.indices(out.shape)
    assert (out == x % 3 + 10 * (y // 2) + 100 * (z % 2) + 3000 + 20000).all()


@case
def memories():
    "managed, mapped and pinned arrays, streams, events, slices, __cuda_array_interface__"
    managed = cuda.managed_array(1 << 18, np.float32)
    managed[:] = 1
    add[1024, 256](managed, managed, managed)
    cuda.synchronize()
    assert (managed == 2).all()
    pinned, mapped = cuda.pinned_array(1000, np.float32), cuda.mapped_array(1000, np.float32)
    pinned[:], mapped[:] = 1, 2
    stream, before, after = cuda.stream(), cuda.event(), cuda.event()
    before.record(stream)
    d = cuda.to_device(pinned, stream=stream)
    add[4, 256, stream](d, mapped, mapped)
    after.record(stream)
    stream.synchronize()
    assert (mapped == 3).all()
    assert before.elapsed_time(after) > 0
    a = np.arange(1000, dtype=np.float32)
    with cuda.pinned(a):
        d[:500].copy_to_device(a[:500], stream=stream)
        stream.synchronize()
    assert (d.copy_to_host()[:500] == a[:500]).all()

    class Foreign:
        __cuda_array_interface__ = {"shape": (1000,), "typestr": "<f4", "version": 3,
                                    "data": (d.device_ctypes_pointer.value, False)}
    out = cuda.device_array(1000, np.float32)
    add[4, 256](Foreign(), d, out)
    assert (out.copy_to_host() == 2 * d.copy_to_host()).all()


@case
def halves():
    "float16: sums, products, quotients, comparisons, conversions"
    @cuda.jit
    def k(a, b, out, signs, whole):
        i = cuda.grid(1)
        x, y = a[i], b[i]
        out[i, 0], out[i, 1], out[i, 2] = x + y, x - y, x * y
        out[i, 3], out[i, 4], out[i, 5] = -x, abs(x), cuda.fp16.hfma(x, y, x)
        out[i, 6] = x / y
        signs[i] = (x < y) + 2 * (x == y) + 4 * (x >= y)
        whole[i] = np.int32(x)
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=(2, 256)).astype(np.float16)
    b[::7] = a[::7]
    out, signs, whole = np.zeros((256, 7), np.float16), np.zeros(256, np.int32), np.zeros(256, np.int32)
    k[1, 256](a, b, out, signs, whole)
    wide = a.astype(np.float64) * b + a
    want = np.stack([a + b, a - b, a * b, -a, np.abs(a), wide.astype(np.float16), a / b], axis=1)
    assert (out == want).all(), np.argwhere(out != want)[:5]
    assert (signs == (a < b) + 2 * (a == b) + 4 * (a >= b)).all()


@case
def libraries():
    "vectorize, reduce, random numbers, device functions"
    @vectorize(["float32(float32, float32)"], target="cuda")
    def scaled(a, b):
        return a * b + 1

    @cuda.jit(device=True)
    def twice(x):
        return 2 * x

    @cuda.jit
    def draw(states, out):
        i = cuda.grid(1)
        out[i] = twice(xoroshiro128p_uniform_float32(states, i))
    x = np.arange(100, dtype=np.float32)
    assert (scaled(x, x) == x * x + 1).all()
    assert cuda.reduce(lambda a, b: a + b)(np.arange(1000.0)) == 499500
    out = np.zeros(1024, np.float32)
    draw[4, 256](create_xoroshiro128p_states(1024, seed=1), out)
    assert 0.9 < out.mean() < 1.1
    assert 0 <= out.min()
    assert out.max() < 2
    assert len(set(out.tolist())) > 1000


@case
def exceptions():
    "debug: an exception in a kernel has its type and text, and names file and line"
    @cuda.jit(debug=True, opt=False)
    def k(x):
        if cuda.grid(1) == 33:
            raise ValueError("of thread 33")
        x[cuda.grid(1)] = 1
    try:
        k[2, 32](np.zeros(64, np.float32))
    except ValueError as error:
        assert "of thread 33" in str(error), error
        assert "numba_cases.py" in str(error), error  # Numba tells z first
        assert "tid=[0, 0, 1] ctaid=[0, 0, 1]" in str(error), error
    else:
        raise AssertionError("no exception")


@case
def local_memory():
    "lineinfo, a large local array, a loop with a break, integers of 8 to 64 bits"
    @cuda.jit(lineinfo=True)
    def k(x, out):
        i, a = cuda.grid(1), cuda.local.array(1000, int32)
        for j in range(1000):
            a[j] = j * x[i]
            if j > 500:
                break
        out[i] = a[x[i]] + np.int8(200) + np.uint64(1 << 40) // np.uint64(1 << 39)
    x = np.arange(64, dtype=np.int16)
    out = np.zeros(64, np.int64)
    k[1, 64](x, out)
    assert (out == x.astype(np.int64) ** 2 - 56 + 2).all(), out


@case
def linked():
    "C++ that is linked to a kernel, with the thread's indices"
    twice = cuda.declare_device("twice", "int32(int32)")

    @cuda.jit(link=[str(Path(__file__).resolve().parent / "numba_linked.cu")])
    def k(x):
        i = cuda.grid(1)
        x[i] = twice(x[i])
    x = np.arange(64, dtype=np.int32)
    k[2, 32](x)
    i = np.arange(64)
    assert (x == 2 * i + i % 32 + 100 * (i // 32)).all(), x


def main():
    for function in CASES + numba_more.CASES:
        try:
            function()
            print(f"ok {function.__doc__}", flush=True)
        except Exception as error:
            if "-v" in sys.argv:
                traceback.print_exc()
            text = " | ".join(f"{type(error).__name__}: {error}".split("\n"))
            line = traceback.extract_tb(error.__traceback__)[1].lineno
            print(f"FAIL {function.__doc__}: {line}: {text[-400:]}", flush=True)


main()
