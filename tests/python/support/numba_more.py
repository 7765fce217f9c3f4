"""Further cases of numba_cases.py: threads that wait in loops, what a kernel asks for, rounding, what is linked."""
from pathlib import Path

import numpy as np
from numba import cuda, float32, int16, int32
from numba.cuda import libdevice

CASES = []


def case(function):
    CASES.append(function)
    return function


@case
def polls():
    "threads that wait in loops until others have written, and for a lock"
    @cuda.jit
    def flag(f, x):
        if cuda.threadIdx.x == 40:
            x[64] = 17
            cuda.threadfence()
            cuda.atomic.exch(f, 0, 1)
        else:
            while cuda.atomic.add(f, 0, 0) == 0:
                pass
            cuda.threadfence()
            x[cuda.threadIdx.x] = x[64]

    @cuda.jit
    def lock(f, x):
        while cuda.atomic.cas(f, 0, 0, 1) != 0:
            pass
        cuda.threadfence()
        x[0] = x[0] * 3 + 1
        cuda.threadfence()
        cuda.atomic.exch(f, 0, 0)
    f, x = np.zeros(1, np.int32), np.zeros(65, np.int32)
    flag[1, 64](f, x)
    assert f[0] == 1 and (np.delete(x, 40) == 17).all(), x
    f[0] = x[0] = 0
    lock[3, 4](f, x)
    assert x[0] == (3**12 - 1) // 2, x[0]


@case
def sizes():
    "what a kernel asks for: shared, constant and local bytes"
    table = np.arange(20.0)

    @cuda.jit("void(float64[:], int32)")
    def k(x, n):
        s, own, c = cuda.shared.array(100, int32), cuda.local.array(1000, int32), cuda.const.array_like(table)
        for i in range(n):
            own[i] = i
        s[cuda.threadIdx.x] = own[n // 2]
        cuda.syncthreads()
        x[cuda.threadIdx.x] = s[5] + c[cuda.threadIdx.x]
    x = np.zeros(20)
    k[1, 20](x, 1000)
    assert (x == 500 + table).all(), x
    told = [list(each.values())[0] if isinstance(each, dict) else each for each in (
        k.get_shared_mem_per_block(), k.get_const_mem_size(), k.get_local_mem_per_thread())]
    assert told == [400, 160, 4000], told


@case
def rounding():
    "products and sums at once, rounded down, up and to zero; half to float"
    @cuda.jit
    def k(x):
        x[0] = libdevice.fma_rd(1.0, 1.0, 1e-300)
        x[1] = libdevice.fma_ru(1.0, 1.0, 1e-300)
        x[2] = libdevice.fma_rz(-1.0, 1.0, 1e-300)
        x[3] = libdevice.fmaf_ru(float32(1), float32(1), float32(1e-30))
        x[4] = libdevice.half2float(int16(0x3555))
    x = np.zeros(5)
    k[1, 1](x)
    wanted = [1, np.nextafter(1, 2), -np.nextafter(1, 0), np.nextafter(np.float32(1), np.float32(2)),
              float(np.uint16(0x3555).view(np.float16))]
    assert (x == wanted).all(), x - wanted


@case
def bounds():
    "launch bounds are held to, and told"
    @cuda.jit(launch_bounds=(64, 2))
    def k(x):
        x[cuda.grid(1)] = 1
    x = cuda.to_device(np.zeros(128))
    try:
        k[1, 64](x)
    except TypeError as error:  # the package that Numba has inside does not know them
        assert "launch_bounds" in str(error), error
        return
    try:
        k[1, 128](x)
        raise AssertionError("it ran")
    except Exception as error:  # the driver's error is another class in each package
        assert "INVALID_VALUE" in str(error), error
    assert x.copy_to_host().sum() == 64


@case
def apart():
    "device functions that are compiled apart, for a debugger: indices, barriers, shared memory"
    @cuda.jit(debug=True, opt=False)
    def where():
        return cuda.grid(1), cuda.gridsize(1)

    @cuda.jit(debug=True, opt=False)
    def total(x):
        s, t, all_ = cuda.shared.array(64, int32), cuda.threadIdx.x, 0
        s[t] = x
        cuda.syncthreads()
        for i in range(cuda.blockDim.x):
            all_ += s[i]
        cuda.syncthreads()
        return all_

    @cuda.jit(debug=True, opt=False)
    def both(x):
        return total(x) + total(2 * x)

    @cuda.jit(debug=True, opt=False)
    def k(out, n):
        i, size = where()
        cuda.atomic.add(n, 0, 1)
        sums = both(i if i < out.size else 0)
        if i < out.size:
            out[i] = sums + 1000000 * size
    out, n = np.zeros(120, np.int64), np.zeros(1, np.int32)
    k[4, 32](out, n)
    i = np.arange(128)
    i[120:] = 0
    assert (out == 128000000 + 3 * i.reshape(4, 32).sum(1).repeat(32)[:120]).all() and n[0] == 128, (out, n)


@case
def files():
    "C++ that is linked to a kernel, and calls C++ that is linked to it as well"
    twice, four_times = (cuda.declare_device(name, "int32(int32)") for name in ("twice", "four_times"))
    here = Path(__file__).resolve().parent

    @cuda.jit(link=[str(here / "numba_linked_more.cu"), str(here / "numba_linked.cu")])
    def k(x):
        i = cuda.grid(1)
        x[i] = four_times(x[i]) - 2 * twice(x[i])
    x = np.arange(64, dtype=np.int32)
    k[2, 32](x)
    i = np.arange(64)
    assert (x == i % 32 + 100 * (i // 32)).all(), x
