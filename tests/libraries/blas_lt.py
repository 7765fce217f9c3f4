#!/usr/bin/env python3
"""cublasLt's product beside NumPy: orders, operations, batches, epilogues; and what it refuses.

    tests/libraries/blas_lt.py [--build build/sim] [--seed 1]

Prints FAIL lines, last `N passed, N failed, N skipped`.
"""
import ctypes
import sys

import numpy as np
from support.gpu import Gpu, Tally, options, stderr_of

COMPUTE = {np.float32: (68, 0), np.float64: (70, 1), np.float16: (68, 0)}
TYPE = {np.float32: 0, np.float64: 1, np.float16: 2}
BY_COLUMNS, BY_ROWS = 0, 1
DEFAULT, RELU, BIAS, GELU = 1, 2, 4, 32
N, T = 0, 1


class Lt:
    def __init__(self, gpu, seed):
        self.gpu, self.library, self.random = gpu, gpu.library("cublasLt"), np.random.default_rng(seed)
        self.handle = ctypes.c_void_p()
        assert self.library.cublasLtCreate(ctypes.byref(self.handle)) == 0

    def made(self, name, *arguments):
        place = ctypes.c_void_p()
        assert getattr(self.library, f"cublasLt{name}Create")(ctypes.byref(place), *arguments) == 0
        return place

    def set(self, name, place, number, value):
        status = getattr(self.library, f"cublasLt{name}SetAttribute")(place, number, ctypes.byref(value),
                                                                      ctypes.c_size_t(ctypes.sizeof(value)))
        assert status == 0, f"{name} {number}: {status}"

    def layout(self, dtype, rows, columns, order, leading, batches=1, stride=0):
        made = self.made("MatrixLayout", TYPE[dtype], ctypes.c_uint64(rows), ctypes.c_uint64(columns),
                         ctypes.c_int64(leading))
        self.set("MatrixLayout", made, 1, ctypes.c_int32(order))
        self.set("MatrixLayout", made, 5, ctypes.c_int32(batches))
        self.set("MatrixLayout", made, 6, ctypes.c_int64(stride))
        return made

    def put(self, values, order):
        """A batch, as (batches, rows, columns). @return array, leading dimension, stride"""
        batches, rows, columns = values.shape
        flat = values.transpose(0, 2, 1) if order == BY_COLUMNS else values
        leading = rows if order == BY_COLUMNS else columns
        return self.gpu.put(np.ascontiguousarray(flat).ravel()), leading, rows * columns

    def product(self, dtype, ops, epilogue=DEFAULT, bias=None):
        compute, scale = COMPUTE[dtype]
        made = self.made("MatmulDesc", compute, scale)
        for number, op in zip((3, 4), ops):
            self.set("MatmulDesc", made, number, ctypes.c_int32(op))
        self.set("MatmulDesc", made, 7, ctypes.c_uint32(epilogue))
        if bias:
            self.set("MatmulDesc", made, 8, ctypes.c_void_p(bias.pointer))
        return made


def epilogue_of(values, epilogue):
    if epilogue & RELU:
        return np.maximum(values, 0)
    if epilogue & GELU:
        return 0.5 * values * (1 + np.tanh(np.sqrt(2 / np.pi) * (values + 0.044715 * values**3)))
    return values


def one_product(lt, tally, dtype, near):
    m, n, k, batches = (int(v) for v in lt.random.integers(1, (90, 90, 90, 4)))
    ops = [int(v) for v in lt.random.integers(0, 2, 2)]
    orders = [int(v) for v in lt.random.integers(0, 2, 3)]
    epilogue = [DEFAULT, RELU, BIAS, RELU | BIAS, GELU, GELU | BIAS][int(lt.random.integers(6))]
    shapes = (k, m) if ops[0] else (m, k), (n, k) if ops[1] else (k, n), (m, n), (m, n)
    values = [lt.random.uniform(-1, 1, (batches,) + s).astype(dtype) for s in shapes]
    bias = lt.random.uniform(-1, 1, m).astype(dtype)
    orders.append(orders[2])
    placed = [lt.put(v, order) for v, order in zip(values, orders)]
    layouts = [lt.layout(dtype, *s, order, leading, batches, stride)
               for s, order, (_, leading, stride) in zip(shapes, orders, placed)]
    desc = lt.product(dtype, ops, epilogue, lt.gpu.put(bias))
    real = np.float64 if dtype == np.float64 else np.float32
    alpha, beta = np.array([0.5], real), np.array([-2], real)
    preference, count, result = lt.made("MatmulPreference"), ctypes.c_int(), ctypes.create_string_buffer(256)
    status = lt.library.cublasLtMatmulAlgoGetHeuristic(lt.handle, desc, *layouts, preference, 1, result,
                                                       ctypes.byref(count))
    tally.check("a heuristic", status == 0 and count.value == 1, status)
    status = lt.library.cublasLtMatmul(lt.handle, desc, ctypes.c_void_p(alpha.ctypes.data), placed[0][0], layouts[0],
                                       placed[1][0], layouts[1], ctypes.c_void_p(beta.ctypes.data), placed[2][0],
                                       layouts[2], placed[3][0], layouts[3], result, None, ctypes.c_size_t(0), None)
    a, b = (v.transpose(0, 2, 1) if op else v for v, op in zip(values, ops))
    expected = 0.5 * (a.astype(real) @ b.astype(real)) - 2 * values[2].astype(real)
    if epilogue & BIAS:
        expected = expected + bias.astype(real)[None, :, None]
    got = placed[3][0].get()
    got = got.reshape(batches, n, m).transpose(0, 2, 1) if orders[3] == BY_COLUMNS else got.reshape(batches, m, n)
    name = f"{np.dtype(dtype).name} {m}x{n}x{k}, {batches} times, ops {ops}, orders {orders}, epilogue {epilogue}"
    if tally.check(f"{name}: status", status == 0, status):
        tally.close(name, got, epilogue_of(expected, epilogue), near)
    tally.close(f"{name}: C stays", placed[2][0].get(), lt.put(values[2], orders[2])[0].get(), 0)


def refusals(lt, tally):
    n, a = 8, lt.gpu.put(np.ones(64, np.float32))
    one = np.array([1], np.float32)
    scalar = ctypes.c_void_p(one.ctypes.data)

    def run(desc, layouts, arrays=(a, a, a, a)):
        with stderr_of() as said:
            status = lt.library.cublasLtMatmul(lt.handle, desc, scalar, arrays[0], layouts[0], arrays[1], layouts[1],
                                               scalar, arrays[2], layouts[2], arrays[3], layouts[3], None, None,
                                               ctypes.c_size_t(0), None)
        return status, said.text

    plain, square = lt.product(np.float32, (N, N)), lt.layout(np.float32, n, n, BY_COLUMNS, n)
    status, text = run(plain, [square] * 4)
    tally.check("as it should be", status == 0 and not text, text)
    status, text = run(lt.product(np.float32, (N, N), RELU | 128), [square] * 4)
    tally.check("an auxiliary output", status == 15 and text.count("\n") == 1, text)
    status, text = run(plain, [square, square, lt.layout(np.float32, n, n, BY_ROWS, n), square])
    tally.check("C and D in two orders", status == 15 and text.count("\n") == 1, text)
    status, text = run(plain, [lt.layout(np.float32, n, n + 1, BY_COLUMNS, n)] + [square] * 3)
    tally.check("sizes that do not fit", status == 7, status)
    status, text = run(plain, [lt.layout(np.float32, n, n, BY_COLUMNS, n - 1)] + [square] * 3)
    tally.check("a leading dimension that is too small", status == 7, status)
    host = np.zeros(64, np.float32)
    for i, name in enumerate("ABCD"):
        arrays = [a] * 4
        arrays[i] = ctypes.c_void_p(host.ctypes.data)
        status, text = run(plain, [square] * 4, arrays)
        tally.check(f"{name} of the host", status == 13 and text.startswith(f"cublasLtMatmul: {name}"), text)
        arrays[i] = ctypes.c_void_p()
        status, text = run(plain, [square] * 4, arrays)
        tally.check(f"{name} is NULL", status == 13 and text.startswith(f"cublasLtMatmul: {name} is NULL"), text)
    status, text = run(lt.product(np.float32, (N, N), BIAS), [square] * 4)
    tally.check("a bias that was not set", status == 13 and "the bias is NULL" in text, text)
    size = ctypes.c_size_t()
    status = lt.library.cublasLtMatrixLayoutGetAttribute(square, 2, None, ctypes.c_size_t(0), ctypes.byref(size))
    tally.check("an attribute's size", status == 0 and size.value == 8, size.value)
    short = ctypes.c_int32()
    status = lt.library.cublasLtMatrixLayoutSetAttribute(square, 2, ctypes.byref(short), ctypes.c_size_t(4))
    tally.check("an attribute of another size", status == 7, status)


def main():
    chosen = options(__doc__)
    gpu, tally = Gpu(chosen.build), Tally(__file__)
    lt = Lt(gpu, chosen.seed)
    for _ in range(25):
        for dtype, near in ((np.float32, 2e-5), (np.float64, 1e-13), (np.float16, 2e-3)):
            one_product(lt, tally, dtype, near)
            gpu.free_all()
    refusals(lt, tally)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
