#!/usr/bin/env python3
"""cuRAND's host library beside NVIDIA's: the same numbers, from kernels and on the host, and the same statuses.

    tests/libraries/curand.py [--build build/sim] [--record]

NVIDIA's library makes numbers on the host without a GPU. measured/curand.txt keeps what it gave for the cases of KEPT
(`--record` writes the file anew, where the library is); where it is installed, cases at random are compared as well
(COUNT and SEED choose others). Numbers are the same bits; normal ones, which rest on logarithms, sines and an inverse
of the normal distribution, agree to NEAR. Prints FAIL lines, last `N passed, N failed, N skipped`.
"""
import ctypes
import os
import random
import sys
import zlib
from pathlib import Path

import numpy as np
from support.gpu import Gpu, Tally, options, stderr_of

MEASURED = Path(__file__).parent / "measured/curand.txt"
NVIDIAS = Path(os.environ.get("CUDA_ROOT") or "/usr/local/cuda") / "lib64/libcurand.so.10"
XORWOW, MRG, PHILOX, SOBOL32, SOBOL64 = TYPES = 101, 121, 161, 201, 203
KINDS = {
    "bits": (np.uint32, "Generate"), "long": (np.uint64, "GenerateLongLong"),
    "uniform": (np.float32, "GenerateUniform"), "uniform_double": (np.float64, "GenerateUniformDouble"),
    "normal": (np.float32, "GenerateNormal"),
    "normal_double": (np.float64, "GenerateNormalDouble"), "log_normal": (np.float32, "GenerateLogNormal"),
    "log_normal_double": (np.float64, "GenerateLogNormalDouble"), "poisson": (np.uint32, "GeneratePoisson"),
}
# NVIDIA's inverse of the normal distribution is another approximation: the last digits of Sobol's normal numbers.
NEAR = {np.float32: 2e-6, np.float64: 1e-11}


class Library:
    """One of the libraries, with generators of the host's or, on a Gpu, of the device's."""

    def __init__(self, library, gpu=None):
        self.library, self.gpu = library, gpu

    def call(self, name, *arguments):
        return getattr(self.library, "curand" + name)(*arguments)

    def create(self, kind):
        generator = ctypes.c_void_p()
        make = "CreateGenerator" if self.gpu else "CreateGeneratorHost"
        return self.call(make, ctypes.byref(generator), kind), generator

    def fill(self, generator, kind, n, mean, deviation):
        dtype, name = KINDS[kind]
        array = self.gpu.allocated(n, dtype) if self.gpu else np.zeros(n, dtype)
        pointer = array if self.gpu else ctypes.c_void_p(array.ctypes.data)
        number = ctypes.c_float if dtype is np.float32 else ctypes.c_double
        further = () if "normal" not in kind else (number(mean), number(deviation))
        if kind == "poisson":
            further = (ctypes.c_double(mean),)
        status = self.call(name, generator, pointer, ctypes.c_size_t(n), *further)
        numbers = array.get() if self.gpu else array
        if self.gpu:
            self.gpu.free(array)
        return status, numbers

    def run(self, case):
        """@return the statuses of all calls, and the arrays"""
        kind, order, seed, dimensions, offset, mean, deviation, fills = case
        status, generator = self.create(kind)
        statuses, arrays = [status], []
        if order is not None:
            statuses.append(self.call("SetGeneratorOrdering", generator, order))
        if seed is not None:
            statuses.append(self.call("SetPseudoRandomGeneratorSeed", generator, ctypes.c_ulonglong(seed)))
        if dimensions is not None:
            statuses.append(self.call("SetQuasiRandomGeneratorDimensions", generator, dimensions))
        if offset is not None:
            statuses.append(self.call("SetGeneratorOffset", generator, ctypes.c_ulonglong(offset)))
        for made, n in fills:
            if made == "seed":  # anew, with another seed
                statuses.append(self.call("SetPseudoRandomGeneratorSeed", generator, ctypes.c_ulonglong(n)))
                continue
            status, numbers = self.fill(generator, made, n, mean, deviation)
            statuses.append(status)
            arrays.append(numbers)
        statuses.append(self.call("DestroyGenerator", generator))
        return statuses, arrays


def filled(fills):
    return [fill for fill in fills if fill[0] != "seed"]


def random_case(chance):
    kind = chance.choice((XORWOW, MRG, PHILOX, SOBOL32, SOBOL64))
    quasi = kind >= SOBOL32
    order = chance.choice({XORWOW: (None, 100, 101, 102, 102, 103), MRG: (103, 103, 103, None),
                           PHILOX: (None, 100, 101, 103)}.get(kind, (None,)))
    seed = None if quasi or chance.random() < 0.2 else chance.choice((0, 1, chance.getrandbits(64)))
    dimensions = chance.choice((1, 2, 3, 7, 100)) if quasi else None
    offset = chance.choice((None, 1, 5, chance.randrange(10000), chance.randrange(600000),
                            chance.getrandbits(28 if quasi else 40)))
    possible = [made for made in KINDS if made not in ("long" if kind != SOBOL64 else "bits", "poisson")]
    fills = []
    for _ in range(chance.choice((1, 2, 3))):
        made = chance.choice(possible)
        n = chance.choice((0, 1, 2, 3, 5, 100, 4096, 4097, chance.randrange(20000), chance.randrange(100000)))
        if chance.random() < 0.95:  # else a length that is refused
            n += -n % (dimensions or 1) if quasi else n % 2 if "normal" in made and kind != PHILOX else 0
        fills.append((made, n))
        # After fewer than four of Philox's numbers, NVIDIA's library goes on at another place with another seed.
        if not quasi and chance.random() < 0.1 and (kind != PHILOX or min(m for _, m in filled(fills)) >= 4):
            fills.append(("seed", chance.getrandbits(64)))
    return kind, order, seed, dimensions, offset, chance.uniform(-1, 2), chance.uniform(0.1, 2), fills


def kept_cases():
    chance = random.Random(2024)
    return [random_case(chance) for _ in range(60)]


def near(made, got, expected):
    """Beside what they are made of: a mean and deviations of about 1."""
    return bool(np.all(np.abs(got - expected) <= NEAR[KINDS[made][0]] * np.maximum(np.abs(expected), 1)))


def some(numbers):
    """Up to eight of an array's numbers, from all over it."""
    return numbers[:: max(1, -(-len(numbers) // 8))]


def answer(made, numbers):
    if "normal" in made:
        return " ".join(f"{x:.17g}" for x in some(numbers))
    return f"{zlib.crc32(numbers.tobytes()):08x}"


def record():
    oracle = Library(ctypes.CDLL(str(NVIDIAS)))
    version = ctypes.c_int()
    oracle.call("GetVersion", ctypes.byref(version))
    lines = [f"# NVIDIA's cuRAND {version.value}, host generators, for the cases of tests/libraries/curand.py, which",
             "# writes this with --record: statuses | of each array its CRC-32, or up to eight of its normal numbers"]
    for case in kept_cases():
        statuses, arrays = oracle.run(case)
        answers = [answer(made, numbers) for (made, _), numbers in zip(filled(case[-1]), arrays, strict=True)]
        lines.append(" | ".join([" ".join(map(str, statuses)), *answers]))
    MEASURED.parent.mkdir(exist_ok=True)
    MEASURED.write_text("\n".join(lines) + "\n")


def beside_kept(tally, libraries):
    lines = [line for line in MEASURED.read_text().splitlines() if not line.startswith("#")]
    for case, line in zip(kept_cases(), lines, strict=True):
        statuses, *answers = line.split(" | ") if " | " in line else [line]
        for where, library in libraries.items():
            got, arrays = library.run(case)
            tally.check(f"kept, {where}: statuses of {case}", got == [int(x) for x in statuses.split()], got)
            for (made, n), numbers, expected in zip(filled(case[-1]), arrays, answers, strict=True):
                if "normal" in made:
                    values = np.array(expected.split(), KINDS[made][0])
                    right = refused(got) or near(made, some(numbers), values)
                else:
                    right = refused(got) or answer(made, numbers) == expected
                tally.check(f"kept, {where}: {n} {made} of {case}", right, numbers[:4])


def refused(statuses):
    return 105 in statuses


def beside_nvidias(tally, libraries, chance, count):
    oracle = Library(ctypes.CDLL(str(NVIDIAS)))
    for _ in range(count):
        case = random_case(chance)
        statuses, arrays = oracle.run(case)
        for where, library in libraries.items():
            got, ours = library.run(case)
            tally.check(f"NVIDIA's, {where}: statuses of {case}", got == statuses, f"{got}, not {statuses}")
            for (made, n), numbers, expected in zip(filled(case[-1]), ours, arrays, strict=True):
                right = refused(statuses) or np.array_equal(numbers, expected)
                if "normal" in made and not right:
                    right = near(made, numbers, expected)
                tally.check(f"NVIDIA's, {where}: {n} {made} of {case}", right, f"{numbers[:4]}, not {expected[:4]}")
    for bits, word in ((32, ctypes.c_uint32), (64, ctypes.c_uint64)):
        tables = []
        for library in (oracle, libraries["host"]):
            table = ctypes.c_void_p()
            assert library.call(f"GetDirectionVectors{bits}", ctypes.byref(table), {32: 101, 64: 103}[bits]) == 0
            tables.append(np.array((word * (20000 * bits)).from_address(table.value)))
        tally.check(f"direction vectors of {bits} bits", np.array_equal(*tables))


def poisson(tally, libraries):
    """The numbers are not NVIDIA's: their mean and variance have to be right, and the same on both sides."""
    for kind in TYPES[:4]:
        for mean in (0.3, 5.0, 70.0, 3000.0, 50000.0):
            n = 65536
            arrays = [library.run((kind, None, None, None, 100, mean, 0, [("poisson", n)]))[1][0].astype(float)
                      for library in libraries.values()]
            tally.check(f"Poisson of {mean}, {kind}: device and host", np.array_equal(*arrays))
            off = abs(arrays[0].mean() - mean) / np.sqrt(mean / n)
            tally.check(f"Poisson of {mean}, {kind}: mean", off < 5, f"{off:.2f} standard errors off")
            ratio = arrays[0].var() / mean
            tally.check(f"Poisson of {mean}, {kind}: variance", abs(ratio - 1) < 0.05, ratio)


def statuses(tally, library):
    """What NVIDIA's library answers to what it cannot do."""
    null, array = ctypes.c_void_p(), np.zeros(8)
    out, n = ctypes.c_void_p(array.ctypes.data), ctypes.c_size_t(4)
    for name, further in (("Generate", (out, n)), ("GenerateUniform", (out, n)), ("DestroyGenerator", ()),
                          ("SetPseudoRandomGeneratorSeed", (ctypes.c_ulonglong(1),)), ("GenerateSeeds", ()),
                          ("SetGeneratorOrdering", (100,)), ("SetQuasiRandomGeneratorDimensions", (1,)),
                          ("SetGeneratorOffset", (ctypes.c_ulonglong(1),)), ("SetStream", (null,))):
        tally.check(f"{name} of no generator", library.call(name, null, *further) == 101)
    for kind in (1, 99, 105, 122, 160, 199, 205):
        tally.check(f"type {kind}", library.create(kind)[0] == 103)
    for kind in (141, 142, 202, 204):
        with stderr_of() as said:
            status = library.create(kind)[0]
        tally.check(f"type {kind} is refused", status == 103 and "not part of the simulator" in said.text, said.text)
    xorwow, sobol = library.create(XORWOW)[1], library.create(SOBOL32)[1]
    for value, expected in ((0.0, 104), (-1.0, 104), (400001.0, 104)):
        status = library.call("GeneratePoisson", xorwow, out, n, ctypes.c_double(value))
        tally.check(f"Poisson of {value}", status == expected, status)
    for generator, orders in ((xorwow, (0, 99, 201, 202)), (sobol, (100, 101, 103, 0))):
        for order in orders:
            tally.check(f"ordering {order}", library.call("SetGeneratorOrdering", generator, order) == 104)
    for dimensions, expected in ((0, 104), (20001, 104), (20000, 0)):
        status = library.call("SetQuasiRandomGeneratorDimensions", sobol, dimensions)
        tally.check(f"{dimensions} dimensions", status == expected, status)
    tally.check("dimensions of XORWOW", library.call("SetQuasiRandomGeneratorDimensions", xorwow, 2) == 103)
    tally.check("a seed of Sobol's", library.call("SetPseudoRandomGeneratorSeed", sobol, ctypes.c_ulonglong(1)) == 103)
    value = ctypes.c_int()
    parts = [(library.call("GetProperty", i, ctypes.byref(value)), value.value) for i in range(3)]
    tally.check("the version's parts", parts == [(0, 10), (0, 4), (0, 0)], parts)
    tally.check("no such part", library.call("GetProperty", 3, ctypes.byref(value)) == 104)
    for generator in (xorwow, sobol):
        tally.check("destroyed", library.call("DestroyGenerator", generator) == 0)
    for generator in (xorwow, sobol, out):
        tally.check("destroyed twice, or none at all", library.call("DestroyGenerator", generator) == 101)
        tally.check("numbers of it", library.call("GenerateUniform", generator, out, n) == 101)


def main():
    if "--record" in sys.argv:
        return record()
    chosen = options(__doc__)
    gpu, tally = Gpu(chosen.build), Tally(__file__)
    ours = gpu.library("curand")
    libraries = {"device": Library(ours, gpu), "host": Library(ours)}
    beside_kept(tally, libraries)
    poisson(tally, libraries)
    statuses(tally, libraries["host"])
    if NVIDIAS.exists():
        count = int(os.environ.get("COUNT", "400" if os.environ.get("UM_LONG") else "20"))
        beside_nvidias(tally, libraries, random.Random(chosen.seed), count)
    else:
        print(f"SKIP: cases at random: NVIDIA's library is not here ({NVIDIAS})")
    return tally.end()


if __name__ == "__main__":
    sys.exit(main())
