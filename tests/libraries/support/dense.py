"""cuBLAS by ctypes, and matrices as BLAS stores them, beside what NumPy makes of them."""
import ctypes
import os

import numpy as np

from .gpu import Gpu, Tally, options

TYPES = {"S": np.float32, "D": np.float64, "C": np.complex64, "Z": np.complex128}
REAL = {"S": np.float32, "D": np.float64, "C": np.float32, "Z": np.float64}
# What rounding leaves in sums of some hundred products, relative to the largest.
NEAR = {np.float32: 2e-5, np.float64: 1e-13, np.complex64: 2e-5, np.complex128: 1e-13, np.float16: 2e-3}
N, T, C = 0, 1, 2
LOWER, UPPER = 0, 1
LEFT, RIGHT = 0, 1


class Blas:
    """The library with a handle; arguments are converted by their Python types."""

    def __init__(self, gpu, seed):
        self.gpu, self.library, self.random = gpu, gpu.library("cublas"), np.random.default_rng(seed)
        self.handle = ctypes.c_void_p()
        assert self.library.cublasCreate_v2(ctypes.byref(self.handle)) == 0

    def __call__(self, name, *arguments):
        kept = []
        for argument in arguments:
            if isinstance(argument, (int, np.integer)) and not isinstance(argument, np.generic):
                kept.append(ctypes.c_int(argument))
            elif isinstance(argument, (np.generic, np.ndarray)):  # the host's: a scalar, or a result
                kept.append(ctypes.c_void_p(np.atleast_1d(argument).ctypes.data) if isinstance(argument, np.ndarray)
                            else (np.array([argument]), ))
            else:
                kept.append(argument)
        values = [ctypes.c_void_p(k[0].ctypes.data) if isinstance(k, tuple) else k for k in kept]
        status = getattr(self.library, "cublas" + name)(self.handle, *values)
        assert status == 0, f"cublas{name}: status {status}"

    def one(self, low=1, high=70):
        return int(self.random.integers(low, high + 1))

    def numbers(self, shape, dtype):
        values = self.random.uniform(-1, 1, shape)
        if np.issubdtype(dtype, np.complexfloating):
            values = values + 1j * self.random.uniform(-1, 1, shape)
        return np.asfortranarray(values.astype(dtype))

    def scalar(self, dtype):
        return dtype(self.numbers((1,), dtype)[0])

    def choice(self, *of):
        return of[int(self.random.integers(len(of)))]


class Matrix:
    """`values` in an array whose columns are further apart."""

    def __init__(self, blas, values, more=None):
        rows, columns = values.shape
        self.rows, self.leading = rows, rows + (blas.one(0, 5) if more is None else more)
        self.whole = blas.numbers((self.leading, columns), values.dtype.type)
        self.whole[:rows] = values
        self.values, self.device = values, blas.gpu.put(self.whole)

    def get(self, tally, name):
        """What is there now. Rows that are in no matrix must be what they were."""
        now = self.device.get()
        tally.check(f"{name}: between the columns", np.array_equal(now[self.rows:], self.whole[self.rows:]))
        return now[:self.rows]


class Vector:
    def __init__(self, blas, values, step=None):
        self.step = step or blas.choice(1, 1, 2, 3, -1, -2)
        n, space = len(values), abs(self.step)
        self.whole = blas.numbers(((n - 1) * space + 1,), values.dtype.type)
        self.places = np.arange(n) * space
        if self.step < 0:
            self.places = self.places[::-1]
        self.whole[self.places] = values
        self.values, self.device = values, blas.gpu.put(self.whole)

    def get(self):
        return self.device.get()[self.places]


def op(matrix, how):
    return matrix if how == N else matrix.T if how == T else matrix.conj().T


def triangle(matrix, uplo, unit=False):
    kept = np.tril(matrix) if uplo == LOWER else np.triu(matrix)
    if unit:
        np.fill_diagonal(kept, 1)
    return kept


def symmetric(matrix, uplo, hermitian=False):
    part = np.tril(matrix, -1) if uplo == LOWER else np.triu(matrix, 1)
    diagonal = np.diag(np.diag(matrix).real if hermitian else np.diag(matrix))
    return part + (part.conj().T if hermitian else part.T) + diagonal


def merged(new, old, uplo):
    """The triangle that is written, and the other one as it was."""
    return np.tril(new) + np.triu(old, 1) if uplo == LOWER else np.triu(new) + np.tril(old, -1)


def band(matrix, below, above):
    rows, columns = np.indices(matrix.shape)
    return np.where((columns - rows <= above) & (rows - columns <= below), matrix, 0)


def stored_band(matrix, below, above):
    out = np.zeros((below + above + 1, matrix.shape[1]), matrix.dtype)
    for i, j in np.ndindex(matrix.shape):
        if -below <= j - i <= above:
            out[above + i - j, j] = matrix[i, j]
    return np.asfortranarray(out)


def packed(matrix, uplo):
    n = len(matrix)
    return np.concatenate([matrix[j:, j] if uplo == LOWER else matrix[:j + 1, j] for j in range(n)])


def run(doc, file, of_each_type, once):
    """Runs the functions for each type, and those of no type; UM_LONG=1: twenty times as often. @return exit status"""
    chosen = options(doc)
    gpu, tally = Gpu(chosen.build), Tally(file)
    blas = Blas(gpu, chosen.seed)
    for _ in range(60 if os.environ.get("UM_LONG") else 3):
        for each, types in [(f, p) for p in TYPES for f in of_each_type] + [(f, None) for f in once]:
            each(blas, tally, *([types] if types else []))
            gpu.free_all()
    return tally.end()
