#!/usr/bin/env python3
"""cuBLAS's levels 1 to 3 beside NumPy, with random sizes, strides and options, for each type of numbers.

    tests/libraries/blas.py [--build build/sim] [--seed 1]

Each call runs a few times; with UM_LONG=1 twenty times as often. Matrices have rows between their columns that are in
no matrix: what stands there has to stay. Prints FAIL lines, last `N passed, N failed, N skipped`.
"""
import sys

import numpy as np
from support.dense import (
    LEFT,
    LOWER,
    NEAR,
    REAL,
    RIGHT,
    TYPES,
    UPPER,
    C,
    Matrix,
    N,
    T,
    Vector,
    band,
    merged,
    op,
    packed,
    run,
    stored_band,
    symmetric,
    triangle,
)

# ---- levels 1 and 2 ----

def vectors(blas, tally, p):
    dtype, near = TYPES[p], NEAR[TYPES[p]]
    n = blas.one(1, 3000)
    x, y = (Vector(blas, blas.numbers((n,), dtype)) for _ in range(2))
    a = blas.scalar(dtype)
    blas(p + "axpy_v2", n, a, x.device, x.step, y.device, y.step)
    tally.close(f"{p}axpy", y.get(), a * x.values + y.values, near)
    y.values = y.get()
    blas(p + "swap_v2", n, x.device, x.step, y.device, y.step)
    tally.close(f"{p}swap", np.concatenate([x.get(), y.get()]), np.concatenate([y.values, x.values]), 0)
    blas(p + "copy_v2", n, y.device, y.step, x.device, x.step)
    tally.close(f"{p}copy", x.get(), x.values, 0)
    c, s = REAL[p](0.6), blas.scalar(dtype)
    x.values, y.values = x.get(), y.get()
    blas(p + "rot_v2", n, x.device, x.step, y.device, y.step, c, s)
    tally.close(f"{p}rot x", x.get(), c * x.values + s * y.values, near)
    tally.close(f"{p}rot y", y.get(), c * y.values - np.conj(s) * x.values, near)
    step = abs(x.step)
    x = Vector(blas, x.values, step)
    blas(p + "scal_v2", n, a, x.device, step)
    tally.close(f"{p}scal", x.get(), a * x.values, near)


def sums(blas, tally, p):
    dtype, near = TYPES[p], NEAR[TYPES[p]]
    n = blas.one(1, 3000)
    x, y = Vector(blas, blas.numbers((n,), dtype), blas.choice(1, 2)), Vector(blas, blas.numbers((n,), dtype))
    for name, expected in ({"dot": x.values @ y.values} if p in "SD" else
                           {"dotu": x.values @ y.values, "dotc": x.values.conj() @ y.values}).items():
        result = np.zeros(1, dtype)
        blas(f"{p}{name}_v2", n, x.device, x.step, y.device, y.step, result)
        tally.close(f"{p}{name}", result, np.array([expected]), near * max(1.0, np.sqrt(n) / max(abs(expected), 1e-3)))
    names = {"S": "S", "D": "D", "C": "Sc", "Z": "Dz"}[p]
    size = np.abs(x.values.real) + np.abs(x.values.imag)
    result = np.zeros(1, REAL[p])
    blas(names + "nrm2_v2", n, x.device, x.step, result)
    tally.close(f"{names}nrm2", result, np.array([np.linalg.norm(x.values)]), near)
    blas(names + "asum_v2", n, x.device, x.step, result)
    tally.close(f"{names}asum", result, np.array([size.sum()]), near)
    place = np.zeros(1, np.int32)
    blas(f"I{p.lower()}amax_v2", n, x.device, x.step, place)
    tally.check(f"I{p.lower()}amax", place[0] == np.argmax(size) + 1, place)
    blas(f"I{p.lower()}amin_v2", n, x.device, x.step, place)
    tally.check(f"I{p.lower()}amin", place[0] == np.argmin(size) + 1, place)


def times_vector(blas, tally, p):
    dtype, near = TYPES[p], NEAR[TYPES[p]]
    m, n, how = blas.one(), blas.one(), blas.choice(N, T, C)
    a, alpha, beta = Matrix(blas, blas.numbers((m, n), dtype)), blas.scalar(dtype), blas.scalar(dtype)
    turned = op(a.values, how)

    def vectors_of(matrix):
        return Vector(blas, blas.numbers((matrix.shape[1],), dtype)), Vector(blas, blas.numbers((len(matrix),), dtype))

    def compare(name, matrix, x, y):
        tally.close(p + name, y.get(), alpha * (matrix @ x.values) + beta * y.values, near)

    x, y = vectors_of(turned)
    blas(p + "gemv_v2", how, m, n, alpha, a.device, a.leading, x.device, x.step, beta, y.device, y.step)
    compare("gemv", turned, x, y)
    below, above = blas.one(0, 5), blas.one(0, 5)
    banded = Matrix(blas, stored_band(a.values, below, above))
    turned = op(band(a.values, below, above), how)
    x, y = vectors_of(turned)
    blas(p + "gbmv_v2", how, m, n, below, above, alpha, banded.device, banded.leading, x.device, x.step, beta, y.device,
         y.step)
    compare("gbmv", turned, x, y)
    square = blas.numbers((m, m), dtype)
    uplo, k = blas.choice(LOWER, UPPER), blas.one(0, 4)
    for name, hermitian in (("symv", False),) + ((("hemv", True),) if p in "CZ" else ()):
        whole, stored = symmetric(square, uplo, hermitian), Matrix(blas, square)
        x, y = vectors_of(whole)
        blas(f"{p}{name}_v2", uplo, m, alpha, stored.device, stored.leading, x.device, x.step, beta, y.device, y.step)
        compare(name, whole, x, y)
    hermitian = p in "CZ"
    whole = symmetric(square, uplo, hermitian)
    x, y = vectors_of(whole)
    blas(p + ("hpmv_v2" if hermitian else "spmv_v2"), uplo, m, alpha, blas.gpu.put(packed(square, uplo)), x.device,
         x.step, beta, y.device, y.step)
    compare("spmv/hpmv", whole, x, y)
    narrow = band(square, k if uplo == LOWER else 0, k if uplo == UPPER else 0)
    whole = symmetric(narrow, uplo, hermitian)
    stored = Matrix(blas, stored_band(square, k if uplo == LOWER else 0, k if uplo == UPPER else 0))
    x, y = vectors_of(whole)
    blas(p + ("hbmv_v2" if hermitian else "sbmv_v2"), uplo, m, k, alpha, stored.device, stored.leading, x.device,
         x.step, beta, y.device, y.step)
    compare("sbmv/hbmv", whole, x, y)


def triangles(blas, tally, p):
    dtype, near = TYPES[p], NEAR[TYPES[p]]
    n, uplo, how, unit, k = blas.one(1, 40), blas.choice(LOWER, UPPER), blas.choice(N, T, C), blas.choice(0, 1), \
        blas.one(0, 4)
    square = (blas.numbers((n, n), dtype) * dtype(1 / n) + np.eye(n, dtype=dtype) * 2).astype(dtype)
    narrow = band(square, k if uplo == LOWER else 0, k if uplo == UPPER else 0)
    dense, stored = Matrix(blas, square), Matrix(blas, stored_band(square, k if uplo == LOWER else 0,
                                                                   k if uplo == UPPER else 0))
    forms = {"r": (square, (n,), (dense.device, dense.leading)),
             "b": (narrow, (n, k), (stored.device, stored.leading)),
             "p": (square, (n,), (blas.gpu.put(packed(square, uplo)),))}
    for letter, (matrix, sizes, place) in forms.items():
        x = Vector(blas, blas.numbers((n,), dtype))
        whole = op(triangle(matrix, uplo, unit), how)
        blas(f"{p}t{letter}mv_v2", uplo, how, unit, *sizes, *place, x.device, x.step)
        tally.close(f"{p}t{letter}mv", x.get(), whole @ x.values, near)
        x.values = x.get()
        blas(f"{p}t{letter}sv_v2", uplo, how, unit, *sizes, *place, x.device, x.step)
        tally.close(f"{p}t{letter}sv", x.get(), np.linalg.solve(whole, x.values), 10 * near)


def ranks(blas, tally, p):
    dtype, near = TYPES[p], NEAR[TYPES[p]]
    m, n, uplo = blas.one(), blas.one(), blas.choice(LOWER, UPPER)
    a, alpha = Matrix(blas, blas.numbers((m, n), dtype)), blas.scalar(dtype)
    x, y = Vector(blas, blas.numbers((m,), dtype)), Vector(blas, blas.numbers((n,), dtype))
    for name in (("ger",) if p in "SD" else ("geru", "gerc")):
        other = y.values.conj() if name == "gerc" else y.values
        before = a.get(tally, name)
        blas(f"{p}{name}_v2", m, n, alpha, x.device, x.step, y.device, y.step, a.device, a.leading)
        tally.close(p + name, a.get(tally, name), before + alpha * np.outer(x.values, other), near)
    z = Vector(blas, blas.numbers((m,), dtype))
    for hermitian in (False, True) if p in "CZ" else (False,):
        square = blas.numbers((m, m), dtype)
        factor = REAL[p](alpha.real) if hermitian else alpha
        turn = np.conj if hermitian else (lambda v: v)
        start = square.copy()
        if hermitian:
            np.fill_diagonal(start, np.diag(square).real)
        one = merged(start + factor * np.outer(x.values, turn(x.values)), square, uplo)
        two = merged(start + alpha * np.outer(x.values, turn(z.values)) +
                     turn(alpha) * np.outer(z.values, turn(x.values)), square, uplo)
        kind, packing = ("he", "hp") if hermitian else ("sy", "sp")
        a = Matrix(blas, square)
        blas(f"{p}{kind}r_v2", uplo, m, factor, x.device, x.step, a.device, a.leading)
        tally.close(f"{p}{kind}r", a.get(tally, kind), one, near)
        a = Matrix(blas, square)
        blas(f"{p}{kind}r2_v2", uplo, m, alpha, x.device, x.step, z.device, z.step, a.device, a.leading)
        tally.close(f"{p}{kind}r2", a.get(tally, kind), two, near)
        if hermitian or p in "SD":
            stored = blas.gpu.put(packed(square, uplo))
            blas(f"{p}{packing}r_v2", uplo, m, factor, x.device, x.step, stored)
            tally.close(f"{p}{packing}r", stored.get(), packed(one, uplo), near)
            stored = blas.gpu.put(packed(square, uplo))
            blas(f"{p}{packing}r2_v2", uplo, m, alpha, x.device, x.step, z.device, z.step, stored)
            tally.close(f"{p}{packing}r2", stored.get(), packed(two, uplo), near)


# ---- level 3 ----

def products(blas, tally, p):
    dtype, near = TYPES[p], NEAR[TYPES[p]]
    m, n, k = blas.one(1, 150), blas.one(1, 150), blas.one(0, 200)
    ta, tb = blas.choice(N, T, C), blas.choice(N, T, C)
    a = Matrix(blas, blas.numbers((k, m) if ta else (m, k), dtype))
    b = Matrix(blas, blas.numbers((n, k) if tb else (k, n), dtype))
    c = Matrix(blas, blas.numbers((m, n), dtype))
    alpha, beta = blas.scalar(dtype), blas.choice(dtype(0), blas.scalar(dtype))
    if beta == 0:
        c = Matrix(blas, np.full((m, n), np.nan, dtype))
    blas(p + "gemm_v2", ta, tb, m, n, k, alpha, a.device, max(a.leading, 1), b.device, max(b.leading, 1), beta,
         c.device, c.leading)
    expected = alpha * (op(a.values, ta) @ op(b.values, tb)) + (beta * c.values if beta != 0 else 0)
    tally.close(f"{p}gemm {m}x{n}x{k} {ta}{tb}", c.get(tally, "gemm"), expected, near)
    side, uplo, how, unit = blas.choice(LEFT, RIGHT), blas.choice(LOWER, UPPER), blas.choice(N, T, C), blas.choice(0, 1)
    order = m if side == LEFT else n
    square = (blas.numbers((order, order), dtype) * dtype(1 / order) + np.eye(order, dtype=dtype) * 2).astype(dtype)
    special, other = Matrix(blas, square), Matrix(blas, blas.numbers((m, n), dtype))

    def sided(matrix):
        return matrix @ other.values if side == LEFT else other.values @ matrix

    for name, hermitian in (("symm", False),) + ((("hemm", True),) if p in "CZ" else ()):
        c = Matrix(blas, blas.numbers((m, n), dtype))
        blas(f"{p}{name}_v2", side, uplo, m, n, alpha, special.device, special.leading, other.device, other.leading,
             beta, c.device, c.leading)
        tally.close(p + name, c.get(tally, name), alpha * sided(symmetric(square, uplo, hermitian)) + beta * c.values,
                    near)
    whole = op(triangle(square, uplo, unit), how)
    c = Matrix(blas, blas.numbers((m, n), dtype))
    blas(p + "trmm_v2", side, uplo, how, unit, m, n, alpha, special.device, special.leading, other.device,
         other.leading, c.device, c.leading)
    tally.close(p + "trmm", c.get(tally, "trmm"), alpha * sided(whole), near)
    c = Matrix(blas, other.values)
    blas(p + "trmm_v2", side, uplo, how, unit, m, n, alpha, special.device, special.leading, c.device, c.leading,
         c.device, c.leading)
    tally.close(p + "trmm in place", c.get(tally, "trmm"), alpha * sided(whole), near)
    blas(p + "trsm_v2", side, uplo, how, unit, m, n, alpha, special.device, special.leading, c.device, c.leading)
    tally.close(p + "trsm", c.get(tally, "trsm"), alpha * alpha * other.values, 20 * near)


def updates(blas, tally, p):
    dtype, near = TYPES[p], NEAR[TYPES[p]]
    n, k, uplo = blas.one(1, 150), blas.one(1, 100), blas.choice(LOWER, UPPER)
    for hermitian in (False, True) if p in "CZ" else (False,):
        turned = blas.choice(N, C if hermitian else T)
        a, b = (Matrix(blas, blas.numbers((k, n) if turned else (n, k), dtype)) for _ in range(2))
        of_a, of_b = (op(x.values, turned) for x in (a, b))
        other = (lambda v: v.conj().T) if hermitian else (lambda v: v.T)
        alpha, beta = blas.scalar(dtype), REAL[p](0.5) if hermitian else blas.scalar(dtype)
        real = REAL[p](alpha.real) if hermitian else alpha
        square = blas.numbers((n, n), dtype)
        start = square.copy()
        if hermitian:
            np.fill_diagonal(start, np.diag(square).real)
        name = "her" if hermitian else "syr"
        c = Matrix(blas, square)
        blas(f"{p}{name}k_v2", uplo, turned, n, k, real, a.device, a.leading, beta, c.device, c.leading)
        tally.close(f"{p}{name}k", c.get(tally, name), merged(real * of_a @ other(of_a) + beta * start, square, uplo),
                    near)
        c = Matrix(blas, square)
        blas(f"{p}{name}2k_v2", uplo, turned, n, k, alpha, a.device, a.leading, b.device, b.leading, beta, c.device,
             c.leading)
        second = (np.conj(alpha) if hermitian else alpha) * of_b @ other(of_a)
        tally.close(f"{p}{name}2k", c.get(tally, name),
                    merged(alpha * of_a @ other(of_b) + second + beta * start, square, uplo), near)
        c = Matrix(blas, square)
        blas(f"{p}{name}kx", uplo, turned, n, k, alpha, a.device, a.leading, a.device, a.leading, beta, c.device,
             c.leading)
        product = alpha * of_a @ other(of_a)
        if hermitian:
            np.fill_diagonal(product, np.diag(product).real)
        tally.close(f"{p}{name}kx", c.get(tally, name), merged(product + beta * start, square, uplo), near)


def parts(blas, tally, p):
    dtype, near = TYPES[p], NEAR[TYPES[p]]
    m, n, ta, tb = blas.one(), blas.one(), blas.choice(N, T, C), blas.choice(N, T, C)
    a = Matrix(blas, blas.numbers((n, m) if ta else (m, n), dtype))
    b = Matrix(blas, blas.numbers((n, m) if tb else (m, n), dtype))
    c, alpha, beta = Matrix(blas, blas.numbers((m, n), dtype)), blas.scalar(dtype), blas.scalar(dtype)
    blas(p + "geam", ta, tb, m, n, alpha, a.device, a.leading, beta, b.device, b.leading, c.device, c.leading)
    tally.close(p + "geam", c.get(tally, "geam"), alpha * op(a.values, ta) + beta * op(b.values, tb), near)
    side = blas.choice(LEFT, RIGHT)
    x = Vector(blas, blas.numbers((m if side == LEFT else n,), dtype))
    before = Matrix(blas, blas.numbers((m, n), dtype))
    blas(p + "dgmm", side, m, n, before.device, before.leading, x.device, x.step, c.device, c.leading)
    scaled = x.values[:, None] * before.values if side == LEFT else before.values * x.values[None, :]
    tally.close(p + "dgmm", c.get(tally, "dgmm"), scaled, near)
    square, uplo = Matrix(blas, blas.numbers((m, m), dtype)), blas.choice(LOWER, UPPER)
    stored = blas.gpu.allocated((m * (m + 1) // 2,), dtype)
    blas(p + "trttp", uplo, m, square.device, square.leading, stored)
    tally.close(p + "trttp", stored.get(), packed(square.values, uplo), 0)
    back = Matrix(blas, blas.numbers((m, m), dtype))
    blas(p + "tpttr", uplo, m, stored, back.device, back.leading)
    tally.close(p + "tpttr", back.get(tally, "tpttr"), merged(square.values, back.values, uplo), 0)


if __name__ == "__main__":
    sys.exit(run(__doc__, __file__, (vectors, sums, times_vector, triangles, ranks, products, updates, parts), ()))
