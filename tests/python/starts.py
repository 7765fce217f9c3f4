#!/usr/bin/env python3
"""The simulator starts in a busy Python process, every time: 100 of 100.

    tests/python/starts.py [COUNT]

Each start is a new Python process with numpy loaded and four threads that multiply matrices and allocate while CUDA
starts: locks of the heap and of OpenBLAS are held at any moment, and the GPU process is a fork. It has to come up,
compute what numpy computes, and refuse numpy's own memory to a kernel. Every tenth start loads the kernels' library
before the runtime.
"""
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

from support import um_ctypes

COUNT = 100
LIMIT_S = 20
THREADS = 4


def multiply_until(stop, numpy):
    a = numpy.linspace(0, 1, 96 * 96, dtype=numpy.float32).reshape(96, 96)
    while not stop.is_set():
        a = a @ a
        a /= abs(a).max()
        [bytearray(n) for n in (100, 5000, 200000)]


def use_cuda(numpy, kernels_first):
    cuda = um_ctypes.load(kernels_first)
    n = 1 << 14
    a = numpy.arange(n, dtype=numpy.float32)
    b = numpy.sqrt(a)
    c = numpy.zeros_like(a)
    d_a, d_b, d_c = (cuda.malloc(a.nbytes) for _ in range(3))
    cuda.copy_in(d_a, a)
    cuda.copy_in(d_b, b)
    launched = cuda.vector_add(d_c, d_a, d_b, n)
    if launched or cuda.synchronize():
        return "vector_add failed"
    cuda.copy_out(c, d_c)
    if not numpy.array_equal(c, a + b):
        return "vector_add differs from numpy"
    host = um_ctypes.ctypes.c_void_p(a.ctypes.data)
    launched = cuda.vector_add(d_c, host, d_b, n)
    result = launched or cuda.synchronize()
    if result != um_ctypes.ILLEGAL_ADDRESS:
        return f"a kernel on numpy's memory gave {result}, not {um_ctypes.ILLEGAL_ADDRESS}"
    return ""


def child(kernels_first):
    import numpy
    sys.setswitchinterval(0.0005)  # Python's threads change often: more chances to be in the middle of something
    stop = threading.Event()
    threads = [threading.Thread(target=multiply_until, args=(stop, numpy)) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    try:
        why_not = use_cuda(numpy, kernels_first)
    except um_ctypes.CudaError as error:
        why_not = str(error)
    # Joined, or OpenBLAS's own end waits for its threads for good.
    stop.set()
    for thread in threads:
        thread.join()
    if why_not:
        print(why_not)
    return 1 if why_not else 0


def start(number):
    """Returns why start `number` failed, or nothing."""
    order = "kernels-first" if number % 10 == 9 else "runtime-first"
    try:
        done = subprocess.run([sys.executable, __file__, "--child", order], capture_output=True, text=True, check=False,
                              timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        return f"start {number} ({order}) did not end within {LIMIT_S} s"
    return f"start {number} ({order}) ended with {done.returncode}: {done.stdout}{done.stderr}" if done.returncode else ""


def main():
    if sys.argv[1:2] == ["--child"]:
        return child(sys.argv[2] == "kernels-first")
    um_ctypes.skip_unless_simulated()
    try:
        import numpy  # noqa: F401  every child needs it
    except ImportError:
        print("SKIP: this Python has no numpy")
        return 2
    count = int(sys.argv[1]) if sys.argv[1:] else COUNT
    with ThreadPoolExecutor(2) as pool:
        failures = [text for text in pool.map(start, range(count)) if text]
    print(f"{'FAIL' if failures else 'ok  '}  {count - len(failures)} of {count} starts from a busy Python process")
    for text in failures:
        for line in text.splitlines():
            print(f"        {line}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
