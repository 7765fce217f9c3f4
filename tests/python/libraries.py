#!/usr/bin/env python3
"""Libraries and pointers, as a Python program meets them through ctypes.

    tests/python/libraries.py

A library with kernels may be opened after the first CUDA call: the GPU process, a fork, is then made anew, and device
memory has to survive that. A device pointer is a number to Python: reading it kills the process as on hardware, copying
from it works. A program that knows only the name of NVIDIA's runtime runs unmodified.
"""
import array
import ctypes
import os
import signal
import subprocess
import sys

from support import um_ctypes

N = 4096


class Numbers:
    """An array of floats with numpy's two attributes that um_ctypes needs: these tests do without numpy."""

    def __init__(self, values):
        self.values = array.array("f", values)
        self.nbytes = self.values.itemsize * len(self.values)
        self.ctypes = self
        self.data = self.values.buffer_info()[0]


def check(condition, words):
    if not condition:
        raise AssertionError(words)


def kernels_opened_later():
    cuda = um_ctypes.Cuda().load_runtime()
    a, b, c = Numbers(range(N)), Numbers(3 * i for i in range(N)), Numbers(0 for _ in range(N))
    d_a, d_b, d_c = (cuda.malloc(a.nbytes) for _ in range(3))
    cuda.copy_in(d_a, a)
    cuda.copy_in(d_b, b)
    check(cuda.synchronize() == 0, "the runtime alone works")
    before = cuda.runtime.umsim_gpu_pid()
    cuda.load_kernels()
    check(cuda.vector_add(d_c, d_a, d_b, N) == 0, "a kernel of the later library is launched")
    check(cuda.synchronize() == 0, "it runs")
    cuda.copy_out(c, d_c)
    check(list(c.values) == [4.0 * i for i in range(N)], "it finds device memory as it was before")
    after = cuda.runtime.umsim_gpu_pid()
    check(before != after, "the GPU process was made anew")
    try:
        os.kill(before, 0)
        check(False, "the former GPU process is gone")
    except ProcessLookupError:
        pass


def queued_work_survives_a_new_library():
    cuda = um_ctypes.load()
    a, c = Numbers(range(N)), Numbers(0 for _ in range(N))
    d_a, d_c = cuda.malloc(a.nbytes), cuda.malloc(a.nbytes)
    cuda.copy_in(d_a, a)
    check(cuda.vector_add(d_c, d_a, d_a, N) == 0, "a kernel is queued")
    cuda.need("cudaMemset", d_c, 0, 0)  # a call of no effect: nothing has been waited for
    # A second copy of the library under another name is another library.
    copy = os.path.join(um_ctypes.build(), "test", "libumlab-again.so")
    os.makedirs(os.path.dirname(copy), exist_ok=True)
    with open(os.path.join(um_ctypes.build(), "lib", "libumlab.so"), "rb") as original, open(copy, "wb") as out:
        out.write(original.read())
    again = ctypes.CDLL(copy)
    check(again.um_vector_add(d_a, d_c, d_c, ctypes.c_size_t(N), ctypes.c_void_p()) == 0, "the copy's kernel, too")
    check(cuda.synchronize() == 0, "both run")
    cuda.copy_out(c, d_a)
    check(list(c.values) == [4.0 * i for i in range(N)], "in order, on the same memory")


def kernels_before_runtime():
    cuda = um_ctypes.load(kernels_first=True)
    a, c = Numbers(range(N)), Numbers(0 for _ in range(N))
    d_a, d_c = cuda.malloc(a.nbytes), cuda.malloc(a.nbytes)
    cuda.copy_in(d_a, a)
    check(cuda.vector_add(d_c, d_a, d_a, N) == 0 and cuda.synchronize() == 0, "vector_add runs")
    cuda.copy_out(c, d_c)
    check(list(c.values) == [2.0 * i for i in range(N)], "and adds")


def copying_from_a_device_pointer():
    cuda = um_ctypes.load()
    a, c = Numbers(range(N)), Numbers(0 for _ in range(N))
    d_a = cuda.malloc(a.nbytes)
    cuda.copy_in(d_a, a)
    cuda.copy_out(c, d_a)
    check(c.values == a.values, "cudaMemcpy brings back what it took")


def reading_a_device_pointer():
    cuda = um_ctypes.load()
    d_a = cuda.malloc(64)
    print(f"{d_a.value:#x}", flush=True)
    ctypes.cast(d_a, ctypes.POINTER(ctypes.c_float))[3]


def run(name):
    return subprocess.run([sys.executable, __file__, "--child", name], capture_output=True, text=True, timeout=30,
                          check=False)


def lives(name, sentence):
    done = run(name)
    return sentence, "" if done.returncode == 0 else f"ended with {done.returncode}: {done.stdout}{done.stderr}"


def dies(name, sentence):
    done = run(name)
    address = done.stdout.strip()
    offset = f"{int(address, 16) + 12:#x}" if address else "(none was printed)"
    if done.returncode != -signal.SIGSEGV:
        return sentence, f"ended with {done.returncode}, not SIGSEGV: {done.stdout}{done.stderr}"
    return sentence, "" if offset in done.stderr else f"the explanation does not name {offset}: {done.stderr}"


# What support/cudart_program.py prints: cudaMemcpyDefault's and cudaMemset's results, then what each pointer is.
WRITTEN_FOR_NVIDIA = """copies 0.0 1.0 999.0
managed 5.0 999.0
device 2 0 True False
managed 3 0 True True
pinned 1 0 True True
heap 0 -2
error 1 1 0
text cudaErrorIllegalAddress - """


def unmodified(name):
    """A program for NVIDIA's runtime, with the simulator's directory on the library path."""
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "support", "cudart_program.py")
    done = subprocess.run([sys.executable, program, name], capture_output=True, text=True, timeout=30, check=False,
                          env={**os.environ, "LD_LIBRARY_PATH": os.path.join(um_ctypes.build(), "lib")})
    right = (done.returncode == 0 and done.stdout.startswith(WRITTEN_FOR_NVIDIA) and not done.stderr
             and done.stdout.endswith("twice cudaErrorInvalidValue\n"))
    return (f"a ctypes program for NVIDIA's {name} runs unmodified",
            "" if right else f"ended with {done.returncode}: {done.stdout}{done.stderr}")


CHILDREN = {f.__name__: f for f in (kernels_opened_later, queued_work_survives_a_new_library, kernels_before_runtime,
                                    copying_from_a_device_pointer, reading_a_device_pointer)}


def main():
    if sys.argv[1:2] == ["--child"]:
        CHILDREN[sys.argv[2]]()
        return 0
    um_ctypes.skip_unless_simulated()
    results = [
        lives("kernels_opened_later", "a library with kernels may be opened after the first CUDA call"),
        lives("queued_work_survives_a_new_library", "work that was queued before a library came is done"),
        lives("kernels_before_runtime", "the kernels' library may be loaded before the runtime"),
        lives("copying_from_a_device_pointer", "cudaMemcpy reads and writes a device pointer"),
        dies("reading_a_device_pointer", "reading a device pointer through ctypes ends in SIGSEGV, explained"),
        *(unmodified(name) for name in ("libcudart.so", "libcudart.so.13", "libcudart.so.12")),
    ]
    for sentence, why_not in results:
        print(f"  {'FAIL' if why_not else 'ok  '}  {sentence}")
        for line in why_not.splitlines():
            print(f"        {line}")
    failed = sum(1 for _, why_not in results if why_not)
    print(f"{len(results) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
