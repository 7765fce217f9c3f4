#!/usr/bin/env python3
"""Managed arrays in NumPy where Python does more than read them: faulthandler, threads, pickle, files, other processes.

    tests/python/managed_numpy.py

Each program begins with pages that a kernel, here a memset on the device, has just taken. Runs with any Python that has
NumPy, by umpython.
"""
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent)]
from support import cases, packages  # noqa: E402

# managed() is what PyCUDA's managed_empty() and Numba's managed_array() come down to; take() moves all pages.
BEGIN = """
import ctypes, os, pickle, sys
import numpy as np
cuda = ctypes.CDLL("libcuda.so.1")
context = ctypes.c_void_p()
def ok(error):
    assert error == 0, error
def start():
    ok(cuda.cuInit(0)), ok(cuda.cuCtxCreate_v2(ctypes.byref(context), 0, 0))
def managed(count):
    pointer = ctypes.c_uint64()
    ok(cuda.cuMemAllocManaged(ctypes.byref(pointer), ctypes.c_size_t(4 * count), 1))
    return np.ctypeslib.as_array((ctypes.c_int32 * count).from_address(pointer.value))
def take(array, value=7):
    ok(cuda.cuMemsetD32_v2(ctypes.c_uint64(array.ctypes.data), value, ctypes.c_size_t(array.size)))
    ok(cuda.cuCtxSynchronize())
    return array
"""
N = "1 << 18"
CASES = {
    "faulthandler, enabled before and after CUDA's start, and disabled": """
import faulthandler
faulthandler.enable()
start()
a = managed(N)
for change in (lambda: None, faulthandler.disable, faulthandler.enable):
    change()
    assert take(a).sum() == 7 * N
    a[::1024] = 1
    assert take(a, 3).max() == 3
""",
    "faulthandler registered for a signal that comes while pages are the device's": """
import faulthandler, signal
start()
a = managed(N)
with open("trace", "w") as file:
    faulthandler.register(signal.SIGUSR1, file=file, all_threads=True)
    take(a)
    os.kill(os.getpid(), signal.SIGUSR1)
    assert a.sum() == 7 * N
assert "most recent call first" in open("trace").read()
""",
    "eight threads read and write at once": """
import threading
start()
a = managed(N)
for turn in range(5):
    take(a, turn)
    sums = [0] * 8
    def work(i):
        part = a[i * N // 8:(i + 1) * N // 8]
        sums[i] = int(part.sum())
        part += 1
    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    [t.start() for t in threads], [t.join() for t in threads]
    assert sum(sums) == turn * N and (a == turn + 1).all()
""",
    "threads of a pool, each with its own array": """
from concurrent.futures import ThreadPoolExecutor
start()
def work(i):
    ok(cuda.cuCtxSetCurrent(context))
    return int(take(managed(N), i).sum())
with ThreadPoolExecutor(4) as pool:
    assert list(pool.map(work, range(12))) == [i * N for i in range(12)]
""",
    "pickle, copies and memoryviews": """
import copy, io
start()
a = managed(N)
assert (pickle.loads(pickle.dumps(take(a))) == 7).all()
assert (pickle.loads(pickle.dumps(take(a, 8), protocol=5)) == 8).all()
buffers = []
text = pickle.dumps(take(a, 9), protocol=5, buffer_callback=buffers.append)
assert (pickle.loads(text, buffers=buffers) == 9).all()
assert (copy.deepcopy(take(a, 5)) == 5).all() and bytes(memoryview(take(a, 1))[:2]) == b"\\1\\0\\0\\0" * 2
file = io.BytesIO()
np.save(file, take(a, 6))
file.seek(0)
assert (np.load(file) == 6).all()
""",
    "files: tofile, fromfile, readinto, os.write, mmap": """
start()
a = managed(N)
take(a).tofile("numbers")
assert (np.fromfile("numbers", np.int32) == 7).all()
take(a, 0)
with open("numbers", "rb", buffering=0) as file:
    assert file.readinto(memoryview(a).cast("B")) == 4 * N and (a == 7).all()
with open("numbers", "r+b") as file:
    assert os.write(file.fileno(), memoryview(take(a, 2)).cast("B")[:4096]) == 4096
assert (np.memmap("numbers", np.int32)[:1024] == 2).all()
""",
    "multiprocessing, spawn: children have a GPU of their own": """
import multiprocessing
def child(numbers):
    start()
    a = managed(N)
    take(a, int(numbers[0]))
    return a[:4] + numbers[:4]
if __name__ == "__main__":
    start()
    a = managed(N)
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        results = pool.map(child, [take(a, i).copy() for i in (1, 2, 3)])
    assert [r.tolist() for r in results] == [[2] * 4, [4] * 4, [6] * 4]
    assert take(a, 4).sum() == 4 * N
""",
    "multiprocessing, spawn: a managed array as it is goes as a copy": """
import multiprocessing
def child(numbers):
    numbers += 1
    return int(numbers.sum())
if __name__ == "__main__":
    start()
    a = take(managed(N))
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(child, (a,)) == 8 * N
    assert (a == 7).all()
""",
    "shared memory of multiprocessing, registered": """
from multiprocessing import shared_memory
start()
block = shared_memory.SharedMemory(create=True, size=4 * N)
a = np.frombuffer(block.buf, np.int32, N)
address = ctypes.c_void_p(a.ctypes.data)
ok(cuda.cuMemHostRegister_v2(address, ctypes.c_size_t(4 * N), 0))
assert take(a).sum() == 7 * N
ok(cuda.cuMemHostUnregister(address))
del a
block.close(), block.unlink()
""",
    "products by OpenBLAS, sorting, and sums by strides": """
start()
a = managed(N)
take(a, 2)
square = a[:256 * 256].reshape(256, 256)
assert ((square @ square) == 4 * 256).all()
f = take(a, 0x3f800000).view(np.float32)[:256 * 256].reshape(256, 256)
assert ((f @ f) == 256).all()
a[:] = np.arange(N)[::-1]
take(managed(N))
a.sort()
assert (a == np.arange(N)).all() and a[::4096].sum() == np.arange(N)[::4096].sum()
""",
}


class Managed(cases.Case):
    def program(self, text):
        path = self.folder / "program.py"
        path.write_text(BEGIN + f"N = {N}\n" + text)
        done = packages.umpython(sys.executable, path, cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)


def test_of(title, text):
    def test(self):
        self.program(text)
    test.__doc__ = title
    return test


for number, (name, source) in enumerate(CASES.items()):
    setattr(Managed, f"test_{number:02}", test_of(name, source))
if __name__ == "__main__":
    cases.needs("numpy")
    sys.exit(cases.main())
