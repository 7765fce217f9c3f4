#!/usr/bin/env python3
"""The simulator starts in a busy Python process, every time: 40 of 40, and 100 of 100 with UM_LONG=1.

    tests/python/starts.py [COUNT]

Each start is a new Python process with numpy loaded and four threads that multiply matrices and allocate while CUDA
starts: locks of the heap and of OpenBLAS are held at any moment, and the GPU process is a fork. It has to come up,
compute what numpy computes, and refuse numpy's own memory to a kernel. Every tenth start loads the kernels' library
before the runtime. A quarter of the processes are interpreters started anew; the others are forked from one that has
loaded numpy and nothing else, because loading it takes longer than the rest.
"""
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

from support import um_ctypes

COUNT = 100 if os.environ.get("UM_LONG") else 40
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


def order(number):
    return "kernels-first" if number % 10 == 9 else "runtime-first"


def start_anew(number):
    """Returns why start `number` failed, or nothing."""
    try:
        done = subprocess.run([sys.executable, __file__, "--child", order(number)], capture_output=True, text=True,
                              check=False, timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        return f"start {number} ({order(number)}) did not end within {LIMIT_S} s"
    return f"start {number} ({order(number)}) ended with {done.returncode}: {done.stdout}{done.stderr}" \
        if done.returncode else ""


def fork_children(first, last):
    """Loads numpy, then forks a child for each number. Prints a line for each that failed."""
    import numpy  # noqa: F401
    for number in range(first, last):
        sys.stdout.flush()
        process = os.fork()
        if process == 0:
            signal.alarm(LIMIT_S)
            return child(order(number) == "kernels-first")
        status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        if status:
            print(f"start {number} ({order(number)}, forked) ended with {status}")
    return 0


def start_forked(numbers):
    done = subprocess.run([sys.executable, __file__, "--fork", str(numbers.start), str(numbers.stop)],
                          capture_output=True, text=True, check=False)
    text = done.stdout if not done.returncode else f"ended with {done.returncode}: {done.stdout}{done.stderr}"
    return text.splitlines()


def main():
    if sys.argv[1:2] == ["--child"]:
        return child(sys.argv[2] == "kernels-first")
    if sys.argv[1:2] == ["--fork"]:
        return fork_children(int(sys.argv[2]), int(sys.argv[3]))
    um_ctypes.skip_unless_simulated()
    try:
        import numpy  # noqa: F401  every child needs it
    except ImportError:
        print("SKIP: this Python has no numpy")
        return 2
    count = int(sys.argv[1]) if sys.argv[1:] else COUNT
    anew = count // 4
    middle = anew + (count - anew) // 2
    with ThreadPoolExecutor(2) as pool:
        forked = [pool.submit(start_forked, numbers) for numbers in (range(anew, middle), range(middle, count))]
        failures = [text for text in pool.map(start_anew, range(anew)) if text]
        failures += [line for result in forked for line in result.result()]
    print(f"{'FAIL' if failures else 'ok  '}  {count - len(failures)} of {count} starts from a busy Python process")
    for text in failures:
        for line in text.splitlines():
            print(f"        {line}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
