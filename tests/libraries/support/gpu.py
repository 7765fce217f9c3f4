"""The simulated GPU and its libraries by ctypes, for the tests of this folder: arrays there and back, what was said.

A test makes a Gpu, asks it for a library's calls, and counts its checks with a Tally.
"""
import argparse
import ctypes
import os
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

try:
    import numpy as np
except ImportError:
    print("SKIP: NumPy is not here (./setup.sh --dev installs it)")
    sys.exit(2)

ROOT = Path(__file__).resolve().parents[3]


class Array:
    """An array in device memory."""

    def __init__(self, gpu, pointer, shape, dtype):
        self.gpu, self.pointer, self.shape, self.dtype = gpu, pointer, shape, np.dtype(dtype)

    @property
    def _as_parameter_(self):
        return ctypes.c_void_p(self.pointer)

    def at(self, elements):
        """The address behind that many elements."""
        return ctypes.c_void_p(self.pointer + elements * self.dtype.itemsize)

    def get(self):
        out = np.empty(self.shape, self.dtype, order="F")
        self.gpu.copy(ctypes.c_void_p(out.ctypes.data), self, out.nbytes, 2)
        return out


class Gpu:
    """The runtime, and the memory that a test allocates."""

    def __init__(self, build):
        self.folder = Path(build).resolve() / "lib"
        self.runtime, self.living = ctypes.CDLL(str(self.folder / "libumsim.so"), mode=ctypes.RTLD_GLOBAL), []

    def library(self, name):
        return ctypes.CDLL(str(self.folder / f"lib{name}.so"))

    def check(self, error):
        if error:
            raise AssertionError(f"CUDA error {error}")

    def allocated(self, shape, dtype):
        """An array whose bytes are not set."""
        dtype = np.dtype(dtype)
        pointer = ctypes.c_void_p()
        count = int(np.prod(shape)) * dtype.itemsize
        self.check(self.runtime.cudaMalloc(ctypes.byref(pointer), ctypes.c_size_t(max(count, 1))))
        self.living.append(Array(self, pointer.value, shape, dtype))
        return self.living[-1]

    def put(self, values, dtype=None):
        """A copy, by columns."""
        values = np.asfortranarray(values, dtype)
        made = self.allocated(values.shape, values.dtype)
        self.copy(made, ctypes.c_void_p(values.ctypes.data), values.nbytes, 1)
        return made

    def copy(self, to, source, size, kind):
        self.check(self.runtime.cudaMemcpy(to, source, ctypes.c_size_t(size), kind))

    def free(self, array):
        self.living.remove(array)
        self.check(self.runtime.cudaFree(array))

    def free_all(self):
        while self.living:
            self.check(self.runtime.cudaFree(self.living.pop()))

    def synchronize(self):
        return self.runtime.cudaDeviceSynchronize()


class Said:
    """What was printed on stderr."""

    text = ""


@contextmanager
def stderr_of():
    """Collects what the process prints on stderr, C's part included."""
    said, kept = Said(), os.dup(2)
    with tempfile.TemporaryFile() as file:
        sys.stderr.flush()
        os.dup2(file.fileno(), 2)
        try:
            yield said
        finally:
            os.dup2(kept, 2)
            os.close(kept)
            file.seek(0)
            said.text = file.read().decode(errors="replace")


class Tally:
    """Counts checks, and prints those that failed."""

    def __init__(self, file):
        self.name, self.passed, self.failed = Path(file).stem, 0, 0

    def check(self, name, right, detail=""):
        if right:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAIL {self.name}: {name}{': ' if detail != '' else ''}{detail}")
        return right

    def close(self, name, got, expected, relative):
        """Each element within `relative` of the largest expected one."""
        got, expected = np.asarray(got), np.asarray(expected)
        if got.shape != expected.shape:
            return self.check(name, False, f"shape {got.shape}, not {expected.shape}")
        if not got.size:
            return self.check(name, True)
        scale = max(float(np.max(np.abs(expected))), 1e-30)
        worst = float(np.max(np.abs(got.astype(complex) - expected.astype(complex)))) / scale
        return self.check(name, worst <= relative, f"off by {worst:.3g} of the largest, {relative:.3g} allowed")

    def end(self):
        print(f"{self.passed} passed, {self.failed} failed, 0 skipped")
        return 1 if self.failed else 0


def options(doc):
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("--build", default=os.environ.get("UMLAB_BUILD", str(ROOT / "build/sim")))
    parser.add_argument("--seed", type=int, default=int(os.environ.get("SEED", "1")))
    return parser.parse_args()
