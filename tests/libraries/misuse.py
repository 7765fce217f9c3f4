#!/usr/bin/env python3
"""What a library says to arrays that no kernel could use: one line that names the argument, and a status.

    tests/libraries/misuse.py [--build build/sim]

Each call is made right first, which has to succeed without a word. Then one of its arrays at a time is the host's own
memory, shorter than the call's sizes say, freed, or NULL; and its sizes are negative, or such that an array would not
fit into 64 bits of addresses. Prints FAIL lines, last `N passed, N failed, N skipped`.
"""
import ctypes
import sys

import numpy as np
from support.gpu import Gpu, Tally, options, stderr_of

N = 64  # rows and columns


class Call:
    """A call's arguments by name; those that are arrays have their number of elements and type."""

    def __init__(self, function, statuses, name, arguments, arrays, sizes=(), large=None):
        self.function, self.statuses, self.name = function, statuses, name
        self.arguments, self.arrays, self.sizes, self.large = arguments, arrays, sizes, large

    def make(self, **other):
        values = [value() if callable(value) else value for value in {**self.arguments, **other}.values()]
        with stderr_of() as said:
            status = self.function(*values)
        return status, said.text


def wrong_arrays(gpu, dtype, elements):
    """(what is wrong, address, words that the line has to have)"""
    host = np.zeros(elements, dtype)
    short, freed = gpu.allocated(elements - 1, dtype), gpu.allocated(elements, dtype)
    gpu.free(freed)
    yield "the host's own", ctypes.c_void_p(host.ctypes.data), "host's own memory"
    yield "one element short", short, "ends before that"
    yield "freed", freed, "was freed"
    yield "NULL", ctypes.c_void_p(), "is NULL"
    gpu.free(short)


def test(gpu, tally, call):
    right, unreachable, invalid = call.statuses
    status, text = call.make()
    tally.check(f"{call.name} as it should be", status == right and not text, f"status {status}, {text}")
    for argument, (shown, elements, dtype) in call.arrays.items():
        for what, address, words in wrong_arrays(gpu, dtype, elements):
            status, text = call.make(**{argument: address})
            lines = text.splitlines()
            told = len(lines) == 1 and lines[0].startswith(f"{call.name}: {shown}") and words in lines[0]
            tally.check(f"{call.name}, {argument} {what}", told and status == unreachable, f"status {status}, {text!r}")
    for size in call.sizes:
        status, text = call.make(**{size: -1})
        tally.check(f"{call.name}, {size} is -1", status == invalid, f"status {status}, {text!r}")
    if call.large:
        status, text = call.make(**call.large)
        tally.check(f"{call.name}, beyond 64 bits", status in (unreachable, invalid), f"status {status}, {text!r}")
    tally.check(f"{call.name}: the device still works", gpu.synchronize() == 0)


def cublas_calls(gpu):
    library = gpu.library("cublas")
    handle, one = ctypes.c_void_p(), ctypes.c_float(1)
    assert library.cublasCreate_v2(ctypes.byref(handle)) == 0
    a, b, c = (gpu.put(np.ones((N, N), np.float32)) for _ in range(3))
    scalar = ctypes.byref(one)
    statuses = 0, 13, 7
    matrix = N * N, np.float32
    yield Call(library.cublasSgemm_v2, statuses, "cublasSgemm",
               dict(handle=handle, ta=0, tb=0, m=N, n=N, k=N, alpha=scalar, A=a, lda=N, B=b, ldb=N, beta=scalar, C=c,
                    ldc=N), {"A": ("A", *matrix), "B": ("B", *matrix), "C": ("C", *matrix)}, ("m", "n", "k"),
               dict(m=2**31 - 1, n=2**31 - 1, lda=2**31 - 1, ldc=2**31 - 1))
    yield Call(library.cublasSgemv_v2, statuses, "cublasSgemv",
               dict(handle=handle, t=0, m=N, n=N, alpha=scalar, A=a, lda=N, x=b, incx=1, beta=scalar, y=c, incy=1),
               {"A": ("A", *matrix), "x": ("x", N, np.float32), "y": ("y", N, np.float32)}, ("m", "n"))
    yield Call(library.cublasSaxpy_v2, statuses, "cublasSaxpy",
               dict(handle=handle, n=N, alpha=scalar, x=a, incx=1, y=c, incy=1),
               {"x": ("x", N, np.float32), "y": ("y", N, np.float32)})


def curand_calls(gpu):
    library = gpu.library("curand")
    statuses = 0, 201, 201
    n, beyond, zero, one = ctypes.c_size_t(N * N), ctypes.c_size_t(2**62), ctypes.c_float(0), ctypes.c_float(1)
    for kind in (101, 121, 161, 201):
        generator, out = ctypes.c_void_p(), gpu.allocated(N * N, np.float32)
        assert library.curandCreateGenerator(ctypes.byref(generator), kind) == 0
        for name in ("Generate", "GenerateUniform", "GenerateNormal"):
            further = dict(mean=zero, stddev=one) if name == "GenerateNormal" else {}
            yield Call(getattr(library, f"curand{name}"), statuses, f"curand{name}",
                       dict(generator=generator, outputPtr=out, n=n, **further),
                       {"outputPtr": ("outputPtr", N * N, np.float32)}, large=dict(n=beyond))


def cufft_calls(gpu):
    if not (gpu.folder / "libcufft.so").exists():
        return  # KissFFT was not installed
    library = gpu.library("cufft")
    plan, source, target = ctypes.c_int(), gpu.put(np.ones(N * N, np.complex64)), gpu.put(np.ones(N * N, np.complex64))
    assert library.cufftPlan2d(ctypes.byref(plan), N, N, 0x29) == 0
    whole = N * N, np.complex64
    yield Call(library.cufftExecC2C, (0, 4, 4), "cufftExecC2C",
               dict(plan=plan, idata=source, odata=target, direction=-1),
               {"idata": ("idata", *whole), "odata": ("odata", *whole)})
    real = ctypes.c_int()
    assert library.cufftPlan1d(ctypes.byref(real), N, 0x6A, 2) == 0
    yield Call(library.cufftExecD2Z, (0, 4, 4), "cufftExecD2Z", dict(plan=real, idata=source, odata=target),
               {"idata": ("idata", 2 * N, np.float64), "odata": ("odata", 2 * (N // 2 + 1), np.complex128)})


def main():
    gpu, tally = Gpu(options(__doc__).build), Tally(__file__)
    for calls in (cublas_calls, curand_calls, cufft_calls):
        for call in calls(gpu):
            test(gpu, tally, call)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
