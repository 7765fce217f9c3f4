#!/usr/bin/env python3
"""cuSPARSE's calls beside NumPy, with random matrices in CSR, CSC and COO, both widths of indices, both bases.

    tests/libraries/cusparse.py [--build build/sim] [--seed 1]

Prints FAIL lines, last `N passed, N failed, N skipped`.
"""
import ctypes
import os
import sys

import numpy as np
from support.gpu import Gpu, Tally, options, stderr_of

TYPES = {np.float32: 0, np.float64: 1, np.complex64: 4, np.complex128: 5}
NEAR = {np.float32: 2e-5, np.float64: 1e-13, np.complex64: 2e-5, np.complex128: 1e-13}
INDEX = {np.int32: 2, np.int64: 3}
N, T, C = 0, 1, 2
i64 = ctypes.c_int64


class Sparse:
    def __init__(self, gpu, seed):
        self.gpu, self.library, self.random = gpu, gpu.library("cusparse"), np.random.default_rng(seed)
        self.handle = ctypes.c_void_p()
        assert self.library.cusparseCreate(ctypes.byref(self.handle)) == 0

    def call(self, name, *arguments):
        converted = [ctypes.c_void_p(a.ctypes.data) if isinstance(a, np.ndarray) else a for a in arguments]
        return getattr(self.library, "cusparse" + name)(*converted)

    def right(self, name, *arguments):
        status = self.call(name, *arguments)
        assert status == 0, f"cusparse{name}: {status}"

    def made(self, name, *arguments):
        place = ctypes.c_void_p()
        self.right("Create" + name, ctypes.byref(place), *arguments)
        return place

    def numbers(self, shape, dtype):
        values = self.random.uniform(-1, 1, shape)
        if np.issubdtype(dtype, np.complexfloating):
            values = values + 1j * self.random.uniform(-1, 1, shape)
        return values.astype(dtype)

    def matrix(self, rows, columns, dtype, density=0.2):
        values = self.numbers((rows, columns), dtype)
        return np.where(self.random.uniform(0, 1, values.shape) < density, values, 0).astype(dtype)

    def one(self, low, high):
        return int(self.random.integers(low, high + 1))

    def put(self, values, form=None, index=None):
        """A sparse matrix on the device. @return descriptor, its three arrays"""
        form = form or ("Csr", "Csc", "Coo")[self.one(0, 2)]
        index = index or (np.int32, np.int64)[self.one(0, 1)]
        base, dtype = self.one(0, 1), values.dtype.type
        stored = values.T if form == "Csc" else values
        row, column = np.nonzero(stored)
        offsets = np.concatenate([[0], np.cumsum(np.count_nonzero(stored, axis=1))])
        first = self.gpu.put((row if form == "Coo" else offsets) + base, index)
        second, numbers = self.gpu.put(column + base, index), self.gpu.put(stored[row, column])
        types = [INDEX[index]] * (1 if form == "Coo" else 2)
        made = self.made(form, i64(len(values)), i64(values.shape[1]), i64(len(row)), first, second, numbers, *types,
                         base, TYPES[dtype])
        return made, (first, second, numbers)

    def vector(self, values):
        array = self.gpu.put(values)
        return self.made("DnVec", i64(len(values)), array, TYPES[values.dtype.type]), array

    def dense(self, values):
        """By columns or by rows, with room between them. @return descriptor, a function that fetches it"""
        order, more, (rows, columns) = self.one(1, 2), self.one(0, 3), values.shape
        turned = values if order == 2 else values.T
        whole = self.numbers((len(turned), turned.shape[1] + more), values.dtype.type)
        whole[:, :turned.shape[1]] = turned
        array = self.gpu.put(whole.ravel())
        made = self.made("DnMat", i64(rows), i64(columns), i64(whole.shape[1]), array, TYPES[values.dtype.type], order)

        def get():
            now = array.get().reshape(whole.shape)[:, :turned.shape[1]]
            return now if order == 2 else now.T
        return made, get


def op(matrix, how):
    return matrix if how == N else matrix.T if how == T else matrix.conj().T


def products(sparse, tally, dtype):
    m, n, k, how, how_b = sparse.one(1, 60), sparse.one(1, 60), sparse.one(1, 20), sparse.one(0, 2), sparse.one(0, 2)
    a, alpha, beta = sparse.matrix(m, n, dtype), sparse.numbers((1,), dtype), sparse.numbers((1,), dtype)
    of_a, (placed, _) = op(a, how), sparse.put(a)
    x, y = sparse.numbers(of_a.shape[1], dtype), sparse.numbers(of_a.shape[0], dtype)
    (dx, _), (dy, array) = sparse.vector(x), sparse.vector(y)
    size = ctypes.c_size_t()
    compute = TYPES[dtype]
    sparse.right("SpMV_bufferSize", sparse.handle, how, alpha, placed, dx, beta, dy, compute, 0, ctypes.byref(size))
    tally.check("a buffer", size.value > 0)
    sparse.right("SpMV", sparse.handle, how, alpha, placed, dx, beta, dy, compute, 0, None)
    tally.close(f"SpMV {m}x{n} {how}", array.get(), alpha * (of_a @ x) + beta * y, NEAR[dtype])
    zero, nothing = np.zeros(1, dtype), sparse.vector(np.full(len(y), np.nan, dtype))
    sparse.right("SpMV", sparse.handle, how, alpha, placed, dx, zero, nothing[0], compute, 0, None)
    tally.close("SpMV, beta 0", nothing[1].get(), alpha * (of_a @ x), NEAR[dtype])
    b = sparse.numbers((k, of_a.shape[1]) if how_b else (of_a.shape[1], k), dtype)
    c = sparse.numbers((len(y), k), dtype)
    (db, _), (dc, get) = sparse.dense(b), sparse.dense(c)
    sparse.right("SpMM", sparse.handle, how, how_b, alpha, placed, db, beta, dc, compute, 0, None)
    tally.close(f"SpMM {how} {how_b}", get(), alpha * (of_a @ op(b, how_b)) + beta * c, NEAR[dtype])
    left, right = sparse.numbers((k, m) if how else (m, k), dtype), sparse.numbers((n, k) if how_b else (k, n), dtype)
    for form in ("Csr", "Csc", "Coo"):
        placed, arrays = sparse.put(a, form)
        sparse.right("SDDMM", sparse.handle, how, how_b, alpha, sparse.dense(left)[0], sparse.dense(right)[0], beta,
                     placed, compute, 0, None)
        whole = alpha * (op(left, how) @ op(right, how_b)) + beta * a
        where = np.nonzero(a.T if form == "Csc" else a)
        expected = (whole.T if form == "Csc" else whole)[where]
        tally.close(f"SDDMM {form}", arrays[2].get(), expected, NEAR[dtype])


def solves(sparse, tally, dtype):
    n, k, how, how_b, upper, unit = sparse.one(1, 50), sparse.one(1, 9), sparse.one(0, 2), sparse.one(0, 2), \
        sparse.one(0, 1), sparse.one(0, 1)
    a = (sparse.matrix(n, n, dtype) * dtype(0.3) + np.eye(n) * 2).astype(dtype)
    part = np.triu(a) if upper else np.tril(a)
    if unit:
        np.fill_diagonal(part, 1)
    whole, alpha = op(part, how), sparse.numbers((1,), dtype)
    placed, _ = sparse.put(a)  # the other triangle is stored, too, and passed over
    for number, value in ((0, upper), (1, unit)):
        sparse.right("SpMatSetAttribute", placed, number, np.array([value], np.int32), ctypes.c_size_t(4))
    x, (dy, array), descr = sparse.numbers(n, dtype), sparse.vector(np.zeros(n, dtype)), ctypes.c_void_p()
    dx, compute, size = sparse.vector(x)[0], TYPES[dtype], ctypes.c_size_t()
    sparse.right("SpSV_createDescr", ctypes.byref(descr))
    with stderr_of() as said:
        status = sparse.call("SpSV_solve", sparse.handle, how, alpha, placed, dx, dy, compute, 0, descr)
    tally.check("SpSV without an analysis", status == 3 and "first" in said.text, (status, said.text))
    sparse.right("SpSV_bufferSize", sparse.handle, how, alpha, placed, dx, dy, compute, 0, descr, ctypes.byref(size))
    sparse.right("SpSV_analysis", sparse.handle, how, alpha, placed, dx, dy, compute, 0, descr, None)
    sparse.right("SpSV_solve", sparse.handle, how, alpha, placed, dx, dy, compute, 0, descr)
    tally.close(f"SpSV {how} {upper} {unit}", whole @ array.get(), alpha * x, 50 * NEAR[dtype])
    b = sparse.numbers((k, n) if how_b else (n, k), dtype)
    (db, _), (dc, get) = sparse.dense(b), sparse.dense(np.zeros((n, k), dtype))
    sparse.right("SpSM_createDescr", ctypes.byref(descr))
    sparse.right("SpSM_analysis", sparse.handle, how, how_b, alpha, placed, db, dc, compute, 0, descr, None)
    sparse.right("SpSM_solve", sparse.handle, how, how_b, alpha, placed, db, dc, compute, 0, descr)
    tally.close(f"SpSM {how} {how_b}", whole @ get(), alpha * op(b, how_b), 50 * NEAR[dtype])


def sparse_product(sparse, tally, dtype):
    m, n, k = sparse.one(1, 40), sparse.one(1, 40), sparse.one(1, 40)
    a, b = sparse.matrix(m, k, dtype), sparse.matrix(k, n, dtype)
    alpha, zero, compute = sparse.numbers((1,), dtype), np.zeros(1, dtype), TYPES[dtype]
    (da, _), (db, _) = sparse.put(a, "Csr"), sparse.put(b, "Csr")
    offsets = sparse.gpu.allocated((m + 1,), np.int32)
    dc = sparse.made("Csr", i64(m), i64(n), i64(0), offsets, None, None, 2, 2, 0, compute)
    descr, size, buffer = ctypes.c_void_p(), ctypes.c_size_t(), sparse.gpu.allocated((64,), np.uint8)
    sparse.right("SpGEMM_createDescr", ctypes.byref(descr))
    start = (sparse.handle, N, N, alpha, da, db, zero, dc, compute, 0, descr)
    for step in ("workEstimation", "compute"):
        sparse.right("SpGEMM_" + step, *start, ctypes.byref(size), None)
        sparse.right("SpGEMM_" + step, *start, ctypes.byref(size), buffer)
    rows, columns, nnz = i64(), i64(), i64()
    sparse.right("SpMatGetSize", dc, ctypes.byref(rows), ctypes.byref(columns), ctypes.byref(nnz))
    pattern = (a != 0).astype(int) @ (b != 0).astype(int)
    tally.check("SpGEMM: entries", nnz.value == np.count_nonzero(pattern), (nnz.value, np.count_nonzero(pattern)))
    indices, values = sparse.gpu.allocated((nnz.value,), np.int32), sparse.gpu.allocated((nnz.value,), dtype)
    sparse.right("CsrSetPointers", dc, offsets, indices, values)
    sparse.right("SpGEMM_copy", *start)
    whole, ends, at, numbers = np.zeros((m, n), dtype), offsets.get(), indices.get(), values.get()
    for row in range(m):
        whole[row, at[ends[row]:ends[row + 1]]] = numbers[ends[row]:ends[row + 1]]
    tally.close("SpGEMM", whole, alpha * (a @ b), NEAR[dtype])
    sparse.right("SpGEMM_destroyDescr", descr)


def conversions(sparse, tally, dtype):
    m, n = sparse.one(1, 40), sparse.one(1, 40)
    a = sparse.matrix(m, n, dtype)
    for form in ("Csr", "Csc", "Coo"):
        out, get = sparse.dense(sparse.numbers((m, n), dtype))
        sparse.right("SparseToDense", sparse.handle, sparse.put(a, form)[0], out, 0, None)
        tally.close(f"SparseToDense {form}", get(), a, 0)
        lines = n if form == "Csc" else m
        first = sparse.gpu.allocated((lines + 1,), np.int32) if form != "Coo" else None
        types = [2] if form == "Coo" else [2, 2]
        made = sparse.made(form, i64(m), i64(n), i64(0), first, None, None, *types, 0, TYPES[dtype])
        source = sparse.dense(a)[0]
        sparse.right("DenseToSparse_analysis", sparse.handle, source, made, 0, None)
        rows, columns, nnz = i64(), i64(), i64()
        sparse.right("SpMatGetSize", made, ctypes.byref(rows), ctypes.byref(columns), ctypes.byref(nnz))
        tally.check(f"DenseToSparse {form}: entries", nnz.value == np.count_nonzero(a), nnz.value)
        first = first or sparse.gpu.allocated((nnz.value,), np.int32)
        second, values = sparse.gpu.allocated((nnz.value,), np.int32), sparse.gpu.allocated((nnz.value,), dtype)
        sparse.right(form + "SetPointers", made, first, second, values)
        sparse.right("DenseToSparse_convert", sparse.handle, source, made, 0, None)
        stored = a.T if form == "Csc" else a
        where = np.nonzero(stored)
        tally.close(f"DenseToSparse {form}: values", values.get(), stored[where], 0)
        tally.check(f"DenseToSparse {form}: indices", np.array_equal(second.get(), where[1]))
    row, column = np.nonzero(a)
    base, nnz = sparse.one(0, 1), len(row)
    offsets = np.concatenate([[0], np.cumsum(np.count_nonzero(a, axis=1))]) + base
    got, rows = sparse.gpu.allocated((m + 1,), np.int32), sparse.gpu.allocated((nnz,), np.int32)
    sparse.right("Xcoo2csr", sparse.handle, sparse.gpu.put(row + base, np.int32), nnz, m, got, base)
    tally.check("Xcoo2csr", np.array_equal(got.get(), offsets))
    sparse.right("Xcsr2coo", sparse.handle, got, nnz, m, rows, base)
    tally.check("Xcsr2coo", np.array_equal(rows.get(), row + base))
    new = [sparse.gpu.allocated((size,), kind) for size, kind in ((nnz, dtype), (n + 1, np.int32), (nnz, np.int32))]
    sparse.right("Csr2cscEx2", sparse.handle, m, n, nnz, sparse.gpu.put(a[row, column]), got,
                 sparse.gpu.put(column + base, np.int32), *new, TYPES[dtype], 1, base, 1, None)
    where = np.nonzero(a.T)
    tally.close("Csr2cscEx2: values", new[0].get(), a.T[where], 0)
    ends = np.concatenate([[0], np.cumsum(np.count_nonzero(a, axis=0))]) + base
    tally.check("Csr2cscEx2: offsets", np.array_equal(new[1].get(), ends))
    tally.check("Csr2cscEx2: rows", np.array_equal(new[2].get(), where[1] + base))


def sorts(sparse, tally):
    m, n, nnz = sparse.one(1, 40), sparse.one(1, 40), sparse.one(1, 200)
    base, size, place = sparse.one(0, 1), ctypes.c_size_t(), sparse.gpu.allocated((nnz,), np.int32)
    row, column = (sparse.random.integers(0, limit, nnz).astype(np.int32) + base for limit in (m, n))
    sparse.right("CreateIdentityPermutation", sparse.handle, nnz, place)
    tally.check("CreateIdentityPermutation", np.array_equal(place.get(), np.arange(nnz)))

    def buffer(kind, *arrays):
        sparse.right(f"X{kind}sort_bufferSizeExt", sparse.handle, m, n, nnz, *arrays, ctypes.byref(size))
        return sparse.gpu.allocated((size.value,), np.uint8)

    for way, keys in (("Row", (column, row)), ("Column", (row, column))):
        rows, columns, order = sparse.gpu.put(row), sparse.gpu.put(column), np.lexsort(keys)
        sparse.right("CreateIdentityPermutation", sparse.handle, nnz, place)
        sparse.right(f"XcoosortBy{way}", sparse.handle, m, n, nnz, rows, columns, place, buffer("coo", rows, columns))
        tally.check(f"XcoosortBy{way}", np.array_equal(rows.get(), row[order]) and
                    np.array_equal(columns.get(), column[order]) and np.array_equal(place.get(), order))
    descr = sparse.made("MatDescr")
    sparse.right("SetMatIndexBase", descr, base)
    for kind, lines, line, other in (("csr", m, row, column), ("csc", n, column, row)):
        first = np.argsort(line, kind="stable")
        offsets = np.concatenate([[0], np.cumsum(np.bincount(line - base, minlength=lines))]) + base
        ends, indices = sparse.gpu.put(offsets, np.int32), sparse.gpu.put(other[first])
        sparse.right("CreateIdentityPermutation", sparse.handle, nnz, place)
        sparse.right(f"X{kind}sort", sparse.handle, m, n, nnz, descr, ends, indices, place,
                     buffer(kind, ends, indices))
        order = np.lexsort((other[first], line[first]))
        tally.check(f"X{kind}sort", np.array_equal(indices.get(), other[first][order]) and
                    np.array_equal(place.get(), order))
    with stderr_of() as said:
        status = sparse.call("XcoosortByRow", sparse.handle, m, n, nnz, rows, columns, place, row)
    tally.check("a sort in the host's memory", status == 6 and "pBuffer" in said.text, (status, said.text))


def bare(sparse, a, entries=None):
    """A matrix's three arrays in CSR, and what describes them; `entries`: which are stored, zeros among them."""
    base, descr = sparse.one(0, 1), sparse.made("MatDescr")
    stored = a != 0 if entries is None else entries
    row, column = np.nonzero(stored)
    offsets = np.concatenate([[0], np.cumsum(np.count_nonzero(stored, axis=1))]) + base
    sparse.right("SetMatIndexBase", descr, base)
    return descr, len(row), sparse.gpu.put(a[row, column]), sparse.gpu.put(offsets, np.int32), \
        sparse.gpu.put(column + base, np.int32), base


def rows(sparse, tally, dtype):
    """Sums of two matrices in CSR, and the entries that are large enough."""
    letter = {np.float32: "S", np.float64: "D", np.complex64: "C", np.complex128: "Z"}[dtype]
    m, n = sparse.one(1, 40), sparse.one(1, 40)
    a, b, (alpha, beta) = sparse.matrix(m, n, dtype), sparse.matrix(m, n, dtype), sparse.numbers((2, 1), dtype)
    of_a, of_b = bare(sparse, a), bare(sparse, b)
    descr, base = sparse.made("MatDescr"), sparse.one(0, 1)
    sparse.right("SetMatIndexBase", descr, base)
    offsets, total, size = sparse.gpu.allocated((m + 1,), np.int32), np.zeros(1, np.int32), ctypes.c_size_t()
    sparse.right("Xcsrgeam2Nnz", sparse.handle, m, n, *of_a[:2], *of_a[3:5], *of_b[:2], *of_b[3:5], descr, offsets,
                 total, None)
    there = (a != 0) | (b != 0)
    tally.check("csrgeam2: entries", total[0] == np.count_nonzero(there), total)
    values, columns = sparse.gpu.allocated((total[0],), dtype), sparse.gpu.allocated((total[0],), np.int32)
    both = (sparse.handle, m, n, alpha, *of_a[:5], beta, *of_b[:5], descr, values, offsets, columns)
    sparse.right(letter + "csrgeam2_bufferSizeExt", *both, ctypes.byref(size))
    sparse.right(letter + "csrgeam2", *both, None)
    tally.close("csrgeam2: values", values.get(), (alpha * a + beta * b)[there], NEAR[dtype])
    tally.check("csrgeam2: columns", np.array_equal(columns.get(), np.nonzero(there)[1] + base))
    ends = np.concatenate([[0], np.cumsum(np.count_nonzero(there, axis=1))])
    tally.check("csrgeam2: offsets", np.array_equal(offsets.get(), ends + base))
    descr, nnz, stored, ends, at, base = bare(sparse, a, there)
    # a complex tolerance is handed over by value
    over = a.real.dtype.type(0.4)
    number = (ctypes.c_float if dtype in (np.float32, np.complex64) else ctypes.c_double)
    if dtype in (np.complex64, np.complex128):
        pair = type("Pair", (ctypes.Structure,), {"_fields_": [("x", number), ("y", number)]})
        tolerance = pair(over, 0)
    else:
        tolerance = number(over)
    counts = sparse.gpu.allocated((m,), np.int32)
    sparse.right(letter + "nnz_compress", sparse.handle, m, descr, stored, ends, counts, total, tolerance)
    kept = there & (np.abs(a) > over)
    tally.check("nnz_compress", total[0] == np.count_nonzero(kept) and
                np.array_equal(counts.get(), np.count_nonzero(kept, axis=1)))
    values, columns = sparse.gpu.allocated((total[0],), dtype), sparse.gpu.allocated((total[0],), np.int32)
    sparse.right(letter + "csr2csr_compress", sparse.handle, m, n, descr, stored, at, ends, nnz, counts, values,
                 columns, offsets, tolerance)
    tally.close("csr2csr_compress: values", values.get(), a[kept], 0)
    tally.check("csr2csr_compress: columns", np.array_equal(columns.get(), np.nonzero(kept)[1] + base))
    ends = np.concatenate([[0], np.cumsum(np.count_nonzero(kept, axis=1))]) + base
    tally.check("csr2csr_compress: offsets", np.array_equal(offsets.get(), ends))


def vectors(sparse, tally, dtype):
    size = sparse.one(1, 200)
    places = np.flatnonzero(sparse.random.uniform(0, 1, size) < 0.3)
    x, y, base = sparse.numbers(len(places), dtype), sparse.numbers(size, dtype), sparse.one(0, 1)
    alpha, beta = sparse.numbers((1,), dtype), sparse.numbers((1,), dtype)
    values, (dy, array) = sparse.gpu.put(x), sparse.vector(y)
    dx = sparse.made("SpVec", i64(size), i64(len(places)), sparse.gpu.put(places + base, np.int32), values, 2, base,
                     TYPES[dtype])
    result = np.zeros(1, dtype)
    sparse.right("SpVV", sparse.handle, C, dx, dy, result, TYPES[dtype], None)
    tally.close("SpVV", result + 10, np.array([np.vdot(x, y[places])]) + 10, NEAR[dtype])
    sparse.right("Axpby", sparse.handle, alpha, dx, beta, dy)
    expected = beta * y
    expected[places] += alpha * x
    tally.close("Axpby", array.get(), expected, NEAR[dtype])
    sparse.right("Scatter", sparse.handle, dx, dy)
    expected = array.get()
    tally.close("Scatter", expected[places], x, 0)
    other, (dz, _) = sparse.numbers(size, dtype), (None, None)
    dz = sparse.vector(other)[0]
    sparse.right("Gather", sparse.handle, dz, dx)
    tally.close("Gather", values.get(), other[places], 0)


def refusals(sparse, tally):
    a = sparse.matrix(8, 8, np.float32, 0.9)
    placed, arrays = sparse.put(a, "Csr", np.int32)
    x, one = sparse.vector(np.ones(8, np.float32))[0], np.ones(1, np.float32)

    def run(matrix, source, compute=0):
        with stderr_of() as said:
            status = sparse.call("SpMV", sparse.handle, N, one, matrix, source, one, x, compute, 0, None)
        return status, said.text

    status, text = run(placed, x)
    tally.check("as it should be", status == 0 and not text, text)
    host = np.zeros(100, np.float32)
    names = "row offsets", "column indices", "values"
    for wrong, words in ((ctypes.c_void_p(host.ctypes.data), "host's own memory"), (None, "is NULL")):
        for i, name in enumerate(names):
            given = [wrong if j == i else array for j, array in enumerate(arrays)]
            matrix = sparse.made("Csr", i64(8), i64(8), i64(np.count_nonzero(a)), *given, 2, 2, 0, 0)
            status, text = run(matrix, x)
            told = text.startswith(f"cusparseSpMV: matA's {name}") and words in text and text.count("\n") == 1
            tally.check(f"{name} {words}", status == 6 and told, (status, text))
    matrix = sparse.made("Csr", i64(8), i64(8), i64(2**62), *arrays, 2, 2, 0, 0)
    status, text = run(matrix, x)
    tally.check("entries beyond 64 bits", status == 6 and text.count("\n") == 1, (status, text))
    status, text = run(placed, sparse.vector(np.ones(9, np.float32))[0])
    tally.check("a vector of another size", status == 3, status)
    status, text = run(placed, x, TYPES[np.float64])
    tally.check("another type to compute in", status == 10 and text.count("\n") == 1, (status, text))
    place = ctypes.c_void_p()
    status = sparse.call("CreateCsr", ctypes.byref(place), i64(-1), i64(8), i64(1), *arrays, 2, 2, 0, 0)
    tally.check("rows below 0", status == 3, status)
    tally.check("the device still works", sparse.gpu.synchronize() == 0)


def main():
    chosen = options(__doc__)
    gpu, tally = Gpu(chosen.build), Tally(__file__)
    sparse = Sparse(gpu, chosen.seed)
    for _ in range(100 if os.environ.get("UM_LONG") else 5):
        for dtype in TYPES:
            for each in (products, solves, sparse_product, conversions, vectors, rows):
                each(sparse, tally, dtype)
                gpu.free_all()
        sorts(sparse, tally)
        gpu.free_all()
    refusals(sparse, tally)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
