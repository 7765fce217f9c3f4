#!/usr/bin/env python3
"""cuFFT beside numpy.fft: all six types, one to three dimensions, batches, layouts, sizes of any factors, in place.

    tests/libraries/cufft.py [--build build/sim] [--seed N]

Cases at random (COUNT of them), then what is refused and how. Prints FAIL lines, last `N passed, N failed, N skipped`.
"""
import ctypes
import os
import random
import sys
from pathlib import Path

import numpy as np
from support.gpu import Gpu, Tally, options, stderr_of

TYPES = {"C2C": 0x29, "R2C": 0x2A, "C2R": 0x2C, "Z2Z": 0x69, "D2Z": 0x6A, "Z2D": 0x6C}
FORWARD, INVERSE = -1, 1
INVALID_PLAN, INVALID_TYPE, INVALID_VALUE, INVALID_SIZE, NO_WORKSPACE, NOT_SUPPORTED = 1, 3, 4, 8, 13, 16
NEAR = {False: 1e-6, True: 1e-13}


def numbers(chance, shape, dtype):
    state = np.random.default_rng(chance.getrandbits(32))
    made = state.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        made = made + 1j * state.standard_normal(shape)
    return made.astype(dtype)


def dtypes(name):
    wide = "Z" in name
    real, compl = (np.float64, np.complex128) if wide else (np.float32, np.complex64)
    return (real if name[0] in "RD" else compl), (real if name[2] in "RD" else compl), wide


def expected(name, direction, x, n):
    """numpy's answer, without its factor. `x` has the batch first."""
    axes = tuple(range(1, 1 + len(n)))
    x = x.astype(np.complex128 if np.iscomplexobj(x) else np.float64)
    if name[0] in "RD":
        return np.fft.rfftn(x, axes=axes)
    if name[2] in "RD":
        return np.fft.irfftn(x, s=n, axes=axes) * np.prod(n)
    return np.fft.fftn(x, axes=axes) if direction == FORWARD else np.fft.ifftn(x, axes=axes) * np.prod(n)


def half(n):
    return [*n[:-1], n[-1] // 2 + 1]


class Layout:
    """Elements of a batch in an array with embedding sizes, a stride and a distance."""

    def __init__(self, batch, n, embed, stride, distance):
        strides = [stride]
        for size in reversed(embed[1:]):
            strides.insert(0, strides[0] * size)
        grid = np.zeros([1] * (len(n) + 1), int) + (np.arange(batch) * distance).reshape(-1, *[1] * len(n))
        for k, (size, step) in enumerate(zip(n, strides, strict=True)):
            grid = grid + (np.arange(size) * step).reshape([-1 if i == k + 1 else 1 for i in range(len(n) + 1)])
        self.places, self.size = grid, int(grid.max()) + 1
        self.said = (ctypes.c_int * len(n))(*embed), stride, distance

    @classmethod
    def packed(cls, batch, n, row=None):
        embed = [*n[:-1], row or n[-1]]
        return cls(batch, n, embed, 1, int(np.prod(embed)))

    @classmethod
    def any(cls, chance, batch, n):
        embed = [size + chance.choice((0, 0, 1, 3)) for size in n]
        stride = chance.choice((1, 1, 2, 5))
        distance = int(np.prod(embed)) * stride + chance.choice((0, 1, 7))
        if chance.random() < 0.2:  # one transform's elements between another's
            stride, distance = batch * stride, stride
        return cls(batch, n, embed, stride, distance)


def sizes(chance):
    rank = chance.choice((1, 1, 2, 3))
    pool = {1: (1, 2, 3, 4, 5, 7, 8, 11, 16, 30, 49, 64, 97, 100, 128, 210, 243, 251, 256, 1000, 1024, 1009, 4096),
            2: (1, 2, 3, 5, 8, 13, 16, 31, 60, 64), 3: (1, 2, 3, 4, 7, 8, 12, 17)}[rank]
    return [chance.choice(pool) for _ in range(rank)]


def transform(fft, gpu, name, direction, plan, source, target):
    call = getattr(fft, f"cufftExec{name}")
    further = (direction,) if name in ("C2C", "Z2Z") else ()
    status = call(plan, source, target, *further)
    return status or gpu.synchronize()


def case(fft, gpu, tally, chance):
    name = chance.choice(list(TYPES))
    n, batch, direction = sizes(chance), chance.choice((1, 1, 2, 5)), chance.choice((FORWARD, INVERSE))
    from_type, to_type, wide = dtypes(name)
    n_in, n_out = (half(n) if name[2] in "RD" else n), (half(n) if name[0] in "RD" else n)
    in_place, given = chance.random() < 0.3, chance.random() < 0.4
    what = f"{name} {n} x {batch}, direction {direction}, in place {in_place}, strided {given}"
    plan = ctypes.c_int()
    c_n = (ctypes.c_int * len(n))(*n)
    if given:
        source, target = Layout.any(chance, batch, n_in), Layout.any(chance, batch, n_out)
        if in_place:  # the same bytes for both
            source = target = Layout.any(chance, batch, [max(a, b) for a, b in zip(n_in, n_out, strict=True)])
            if name not in ("C2C", "Z2Z"):
                in_place, source, target = False, Layout.any(chance, batch, n_in), Layout.any(chance, batch, n_out)
        status = fft.cufftPlanMany(ctypes.byref(plan), len(n), c_n, *source.said, *target.said, TYPES[name], batch)
    else:
        row = 2 * half(n)[-1] if in_place else None
        source = Layout.packed(batch, n_in, row if name[0] in "RD" else None)
        target = Layout.packed(batch, n_out, row if name[2] in "RD" else None)
        if len(n) == 1:
            status = fft.cufftPlan1d(ctypes.byref(plan), n[0], TYPES[name], batch)
        elif batch == 1:
            status = getattr(fft, f"cufftPlan{len(n)}d")(ctypes.byref(plan), *n, TYPES[name])
        else:
            status = fft.cufftPlanMany(ctypes.byref(plan), len(n), c_n, None, 1, 0, None, 1, 0, TYPES[name], batch)
    if not tally.check(f"plan of {what}", status == 0, status):
        return
    flat = numbers(chance, source.size, from_type)
    values = flat[source.places]
    if name[2] in "RD":  # the spectrum of a real signal
        values = np.fft.rfftn(numbers(chance, [batch, *n], np.float64), axes=range(1, 1 + len(n))).astype(from_type)
        flat[source.places] = values
    fill = numbers(chance, target.size, to_type)
    if in_place:
        array_in = array_out = gpu.put(np.concatenate([flat.view(np.uint8), np.zeros(64 + 16 * target.size, np.uint8)]))
    else:
        array_in, array_out = gpu.put(flat), gpu.put(fill)
    status = transform(fft, gpu, name, direction, plan, array_in, array_out)
    result = array_out.get()
    if in_place:
        result = result[: target.size * np.dtype(to_type).itemsize].copy().view(to_type)
    if tally.check(f"call of {what}", status == 0, status):
        tally.close(what, result[target.places], expected(name, direction, values, n), NEAR[wide])
        if not in_place:
            beside = np.setdiff1d(np.arange(target.size), target.places)
            tally.check(f"{what}: what lies between is as it was", np.array_equal(result[beside], fill[beside]))
            tally.check(f"{what}: the input is as it was", np.array_equal(array_in.get(), flat))
    tally.check(f"destroy of {what}", fft.cufftDestroy(plan) == 0)
    for array in {array_in, array_out}:
        gpu.free(array)


def refused(fft, gpu, tally):
    plan, size, c2c = ctypes.c_int(), ctypes.c_size_t(), TYPES["C2C"]
    made = ctypes.byref(plan)
    for n, batch, kind, status in ((0, 1, c2c, INVALID_SIZE), (-5, 1, c2c, INVALID_SIZE), (8, 0, c2c, INVALID_SIZE),
                                   (8, -1, c2c, INVALID_SIZE), (8, 1, 0, INVALID_TYPE), (8, 1, 0x2B, INVALID_TYPE)):
        got = fft.cufftPlan1d(made, n, kind, batch)
        tally.check(f"plan of {n}, {batch} times, type {kind}", got == status, got)
    tally.check("a plan of no handle", fft.cufftPlan1d(None, 8, c2c, 1) == INVALID_VALUE)
    for rank in (0, 4, -1):
        got = fft.cufftPlanMany(made, rank, (ctypes.c_int * 4)(2, 2, 2, 2), None, 1, 0, None, 1, 0, c2c, 1)
        tally.check(f"rank {rank}", got == INVALID_VALUE, got)
    huge = (ctypes.c_longlong * 3)(2**40, 2**40, 2**40)
    assert fft.cufftCreate(made) == 0
    got = fft.cufftMakePlanMany64(plan, 3, huge, None, *[ctypes.c_longlong(1)] * 2, None, *[ctypes.c_longlong(1)] * 2,
                                  c2c, ctypes.c_longlong(1), ctypes.byref(size))
    tally.check("more bytes than there are", got == INVALID_SIZE, got)
    array = gpu.put(numbers(random.Random(1), 64, np.complex64))
    tally.check("a plan that is not made", fft.cufftExecC2C(plan, array, array, FORWARD) == INVALID_PLAN)
    tally.check("its area by the program", fft.cufftSetAutoAllocation(plan, 0) == 0)
    tally.check("then made", fft.cufftMakePlan1d(plan, 64, c2c, 1, ctypes.byref(size)) == 0 and size.value > 0)
    tally.check("made twice", fft.cufftMakePlan1d(plan, 64, c2c, 1, ctypes.byref(size)) == INVALID_PLAN)
    tally.check("no work area", fft.cufftExecC2C(plan, array, array, FORWARD) == NO_WORKSPACE)
    area = gpu.allocated(size.value, np.uint8)
    tally.check("a work area", fft.cufftSetWorkArea(plan, area) == 0)
    before = array.get()
    tally.check("then transformed", fft.cufftExecC2C(plan, array, array, FORWARD) == 0)
    tally.close("its result", array.get(), np.fft.fft(before), 1e-6)
    for direction in (0, 2, -2):
        tally.check(f"direction {direction}", fft.cufftExecC2C(plan, array, array, direction) == INVALID_VALUE)
    with stderr_of() as said:
        status = fft.cufftExecR2C(plan, array, array)
    tally.check("another type", status == INVALID_TYPE and said.text.count("\n") == 1, said.text)
    with stderr_of() as said:
        status = fft.cufftXtSetCallback(plan, None, 0, None)
    tally.check("a callback", status == NOT_SUPPORTED and said.text.count("\n") == 1, said.text)
    tally.check("destroyed", fft.cufftDestroy(plan) == 0)
    tally.check("destroyed twice", fft.cufftDestroy(plan) == INVALID_PLAN)
    for handle in (plan, ctypes.c_int(-1), ctypes.c_int(1000000)):
        got = fft.cufftExecC2C(handle, array, array, FORWARD)
        tally.check(f"plan {handle.value}, which there is not", got == INVALID_PLAN, got)
    version = ctypes.c_int()
    parts = [(fft.cufftGetProperty(i, ctypes.byref(version)), version.value) for i in range(3)]
    tally.check("the version", parts == [(0, 12), (0, 0), (0, 0)], parts)


def captured(fft, gpu, tally):
    """A plan that is made while a stream is captured, as Python's packages do at the first use of a size."""
    cuda, plan = gpu.runtime, ctypes.c_int()
    stream, graph, ready = (ctypes.c_void_p() for _ in range(3))
    array = gpu.put(numbers(random.Random(2), 60, np.complex64))
    before = array.get()
    gpu.check(cuda.cudaStreamCreateWithFlags(ctypes.byref(stream), 1))
    gpu.check(cuda.cudaStreamBeginCapture(stream, 2))  # cudaStreamCaptureModeRelaxed
    tally.check("a plan in a capture", fft.cufftPlan1d(ctypes.byref(plan), 60, TYPES["C2C"], 1) == 0)
    tally.check("its stream", fft.cufftSetStream(plan, stream) == 0)
    tally.check("captured", fft.cufftExecC2C(plan, array, array, FORWARD) == 0)
    gpu.check(cuda.cudaStreamEndCapture(stream, ctypes.byref(graph)))
    gpu.check(cuda.cudaGraphInstantiate(ctypes.byref(ready), graph, ctypes.c_ulonglong(0)))
    gpu.check(cuda.cudaGraphLaunch(ready, stream))
    gpu.check(cuda.cudaStreamSynchronize(stream))
    tally.close("a captured transform", array.get(), np.fft.fft(before), 1e-6)
    tally.check("its plan destroyed", fft.cufftDestroy(plan) == 0)


def main():
    chosen = options(__doc__)
    if not (Path(chosen.build) / "lib/libcufft.so").exists():
        print("SKIP: no libcufft.so here (KissFFT was not installed: ./setup.sh)")
        return 2
    gpu, tally, chance = Gpu(chosen.build), Tally(__file__), random.Random(chosen.seed)
    fft = gpu.library("cufft")
    for _ in range(int(os.environ.get("COUNT", "2000" if os.environ.get("UM_LONG") else "150"))):
        case(fft, gpu, tally, chance)
    refused(fft, gpu, tally)
    captured(fft, gpu, tally)
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
