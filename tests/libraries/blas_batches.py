#!/usr/bin/env python3
"""cuBLAS's batches, systems of equations, types told at run time, and scalars on the device, beside NumPy.

    tests/libraries/blas_batches.py [--build build/sim] [--seed 1]

Each call runs a few times; with UM_LONG=1 twenty times as often. Prints FAIL lines, last
`N passed, N failed, N skipped`.
"""
import ctypes
import sys

import numpy as np
from support.dense import LEFT, LOWER, NEAR, RIGHT, TYPES, UPPER, C, N, T, merged, op, run, triangle

# ---- batches ----

def addresses(blas, arrays):
    return blas.gpu.put(np.array([a.pointer for a in arrays], np.uint64))


def batches(blas, tally, p):
    dtype, near = TYPES[p], NEAR[TYPES[p]]
    m, n, k, count = blas.one(1, 20), blas.one(1, 20), blas.one(1, 20), blas.one(1, 7)
    a, b, c = (blas.numbers(shape + (count,), dtype) for shape in ((m, k), (k, n), (m, n)))
    alpha, beta = blas.scalar(dtype), blas.scalar(dtype)
    expected = alpha * np.einsum("ikz,kjz->ijz", a, b) + beta * c
    da, db, dc = blas.gpu.put(a), blas.gpu.put(b), blas.gpu.put(c)
    strides = [ctypes.c_longlong(s) for s in (m * k, k * n, m * n)]
    blas(p + "gemmStridedBatched", N, N, m, n, k, alpha, da, m, strides[0], db, k, strides[1], beta, dc, m, strides[2],
         count)
    tally.close(p + "gemmStridedBatched", dc.get(), expected, near)
    each = [[blas.gpu.put(x[:, :, z]) for z in range(count)] for x in (a, b, c)]
    at = [addresses(blas, arrays) for arrays in each]
    blas(p + "gemmBatched", N, N, m, n, k, alpha, at[0], m, at[1], k, beta, at[2], m, count)
    tally.close(p + "gemmBatched", np.stack([x.get() for x in each[2]], 2), expected, near)
    vx, vy = blas.numbers((k, count), dtype), blas.numbers((m, count), dtype)
    dx, dy = blas.gpu.put(vx), blas.gpu.put(vy)
    strides = [ctypes.c_longlong(s) for s in (m * k, k, m)]
    blas(p + "gemvStridedBatched", N, m, k, alpha, da, m, strides[0], dx, 1, strides[1], beta, dy, 1, strides[2], count)
    tally.close(p + "gemvStridedBatched", dy.get(), alpha * np.einsum("ikz,kz->iz", a, vx) + beta * vy, near)


def systems(blas, tally, p):
    dtype, near = TYPES[p], NEAR[TYPES[p]]
    n, sides, count, how = blas.one(1, 20), blas.one(1, 6), blas.one(1, 5), blas.choice(N, T, C)
    a = [(blas.numbers((n, n), dtype) + np.eye(n) * 2).astype(dtype)[blas.random.permutation(n)] for _ in range(count)]
    b = [blas.numbers((n, sides), dtype) for _ in range(count)]
    da, db, inverse = [blas.gpu.put(x) for x in a], [blas.gpu.put(x) for x in b], \
        [blas.gpu.allocated((n, n), dtype) for _ in a]
    pivots, info = blas.gpu.allocated((n, count), np.int32), blas.gpu.allocated((count,), np.int32)
    place, of_inverse = addresses(blas, da), addresses(blas, inverse)
    rough = near * 2000
    blas(p + "matinvBatched", n, place, n, of_inverse, n, info, count)
    for x, y in zip(a, inverse):
        tally.close(p + "matinvBatched", y.get() @ x, np.eye(n), rough)
    blas(p + "getrfBatched", n, place, n, pivots, info, count)
    tally.check(p + "getrfBatched: info", not info.get().any(), info.get())
    for z, (x, factors) in enumerate(zip(a, da)):
        lu, rows = factors.get(), np.arange(n)
        for i, other in enumerate(pivots.get()[:, z] - 1):
            rows[[i, other]] = rows[[other, i]]
        tally.close(p + "getrfBatched", triangle(lu, LOWER, True) @ np.triu(lu), x[rows], 50 * near)
        tally.check(p + "getrfBatched: pivots", np.all(np.abs(np.tril(lu, -1)) <= 1.5))
    blas(p + "getriBatched", n, place, n, pivots, of_inverse, n, info, count)
    for x, y in zip(a, inverse):
        tally.close(p + "getriBatched", y.get() @ x, np.eye(n), rough)
    wrong = np.zeros(1, np.int32)
    blas(p + "getrsBatched", how, n, sides, place, n, pivots, addresses(blas, db), n, wrong, count)
    for x, y, z in zip(a, db, b):
        tally.close(p + "getrsBatched", op(x, how) @ y.get(), z, rough)
    singular = blas.gpu.put(np.zeros((n, n), dtype))
    blas(p + "getrfBatched", n, addresses(blas, [singular]), n, pivots, info, 1)
    tally.check(p + "getrfBatched of zeros: info", info.get()[0] == 1, info.get())
    uplo, unit, side = blas.choice(LOWER, UPPER), blas.choice(0, 1), blas.choice(LEFT, RIGHT)
    a = [(blas.numbers((n, n), dtype) * dtype(1 / n) + np.eye(n) * 2).astype(dtype) for _ in range(count)]
    b = [blas.numbers((n, n), dtype) for _ in range(count)]
    da, db, alpha = [blas.gpu.put(x) for x in a], [blas.gpu.put(x) for x in b], blas.scalar(dtype)
    blas(p + "trsmBatched", side, uplo, how, unit, n, n, alpha, addresses(blas, da), n, addresses(blas, db), n, count)
    for x, y, z in zip(a, db, b):
        whole = op(triangle(x, uplo, unit), how)
        product = whole @ y.get() if side == LEFT else y.get() @ whole
        tally.close(p + "trsmBatched", product, alpha * z, 50 * near)


# ---- types told at run time ----

HALF, FLOAT, INT8, INT32, BFLOAT = 2, 0, 3, 10, 14
COMPUTE_16F, COMPUTE_32F, COMPUTE_32I = 64, 68, 72


def bfloat_bits(values):
    """The nearest bfloat16s, as bits."""
    bits = values.astype(np.float32).view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def bfloat_values(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


def mixed(blas, tally):
    m, n, k = blas.one(1, 90), blas.one(1, 90), blas.one(1, 90)
    a, b, c = blas.numbers((m, k), np.float32), blas.numbers((k, n), np.float32), blas.numbers((m, n), np.float32)
    alpha, beta = np.float32(0.75), np.float32(-0.5)

    def run(name, types, arrays, compute, scalars):
        da, db, dc = (blas.gpu.put(x) for x in arrays)
        blas("GemmEx", N, N, m, n, k, scalars[0], da, types[0], m, db, types[0], k, scalars[1], dc, types[1], m,
             compute, -1)
        return dc.get()

    half = [x.astype(np.float16) for x in (a, b, c)]
    product = alpha * half[0].astype(np.float32) @ half[1].astype(np.float32)
    for compute, scalars in ((COMPUTE_32F, (alpha, beta)), (COMPUTE_16F, (np.float16(alpha), np.float16(beta)))):
        got = run("half", (HALF, HALF), half, compute, scalars)
        tally.close(f"GemmEx half, computed as {compute}", got, product + beta * half[2].astype(np.float32), 1e-3)
    got = run("half", (HALF, FLOAT), [half[0], half[1], c], COMPUTE_32F, (alpha, beta))
    tally.close("GemmEx half to float", got, product + beta * c, 1e-5)
    bits = [bfloat_bits(x) for x in (a, b, c)]
    rounded = [bfloat_values(x) for x in bits]
    product = alpha * rounded[0] @ rounded[1]
    got = bfloat_values(run("bfloat16", (BFLOAT, BFLOAT), bits, COMPUTE_32F, (alpha, beta)))
    tally.close("GemmEx bfloat16", got, product + beta * rounded[2], 8e-3)
    got = run("bfloat16", (BFLOAT, FLOAT), [bits[0], bits[1], c], COMPUTE_32F, (alpha, beta))
    tally.close("GemmEx bfloat16 to float", got, product + beta * c, 1e-5)
    small = [blas.random.integers(-128, 128, x.shape).astype(np.int8) for x in (a, b)]
    wide = blas.random.integers(-1000, 1000, (m, n)).astype(np.int32)
    got = run("int8", (INT8, INT32), small + [wide], COMPUTE_32I, (np.int32(2), np.int32(-3)))
    exact = 2 * (small[0].astype(np.int64) @ small[1].astype(np.int64)) - 3 * wide.astype(np.int64)
    tally.check("GemmEx 8-bit to 32-bit numbers, exactly", np.array_equal(got, exact))
    da, db, dc = (blas.gpu.put(x) for x in half)
    blas("Hgemm", N, N, m, n, k, np.float16(alpha), da, m, db, k, np.float16(beta), dc, m)
    expected = alpha * half[0].astype(np.float32) @ half[1].astype(np.float32) + beta * half[2].astype(np.float32)
    tally.close("Hgemm", dc.get(), expected, 1e-3)


def on_device(blas, tally):
    """Scalars and results in device memory."""
    assert blas.library.cublasSetPointerMode_v2(blas.handle, 1) == 0
    n = blas.one(1, 100)
    x, y = blas.numbers((n,), np.complex64), blas.numbers((n,), np.complex64)
    dx, dy, alpha = blas.gpu.put(x), blas.gpu.put(y), blas.gpu.put(np.array([2 - 1j], np.complex64))
    blas("Caxpy_v2", n, alpha, dx, 1, dy, 1)
    tally.close("Caxpy, alpha on the device", dy.get(), (2 - 1j) * x + y, 1e-5)
    result = blas.gpu.allocated((1,), np.complex64)
    blas("Cdotc_v2", n, dx, 1, dx, 1, result)
    tally.close("Cdotc, its result on the device", result.get(), np.array([np.vdot(x, x)]), 1e-5)
    a, c = blas.numbers((n, 5), np.complex64), blas.numbers((n, n), np.complex64)
    da, dc, real = blas.gpu.put(a), blas.gpu.put(c), blas.gpu.put(np.array([0.5], np.float32))
    blas("Cherk_v2", LOWER, N, n, 5, real, da, n, real, dc, n)
    start = c.copy()
    np.fill_diagonal(start, np.diag(c).real)
    expected = merged(0.5 * a @ a.conj().T + 0.5 * start, c, LOWER)
    tally.close("Cherk, real scalars on the device", dc.get(), expected, 1e-5)
    dc = blas.gpu.put(c)
    blas("Cher2k_v2", UPPER, N, n, 5, alpha, da, n, da, n, real, dc, n)
    whole = (2 - 1j) * a @ a.conj().T
    tally.close("Cher2k, alpha on the device", dc.get(), merged(whole + whole.conj().T + 0.5 * start, c, UPPER), 1e-5)
    assert blas.library.cublasSetPointerMode_v2(blas.handle, 0) == 0


if __name__ == "__main__":
    sys.exit(run(__doc__, __file__, (batches, systems), (mixed, on_device)))
