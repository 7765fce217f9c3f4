#!/usr/bin/env python3
"""What Python's packages take on the simulated GPU for their import, a first kernel and a warm one: real time.

    bench/first_kernels.py PACKAGE=PYTHON ... [--build build/sim] [--rounds 3]

PACKAGE is pycuda, numba, numba-cuda, cuda-python or cupy, PYTHON has it (umpython --install). Each runs the same saxpy
of 1,024 elements. A line of JSON for each package, in seconds, the best of all rounds; packages take turns:

    import          of NumPy, the package, and what makes its context
    first           the first kernel of a process that has no kernels kept: compiled, launched, waited for
    second          another kernel in the same process, which is compiled as well
    kept            the first kernel of the next process, where the package keeps what was compiled (Numba does when it
                    is told cache=True, cuda.core does not)
    warm            a launch of a hundred in a row, and the wait behind them, by the launch
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCE = """__global__ void saxpy(float a, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i] * %s;
}"""
# What a package imports, and what makes: arrays x and y, wait(), compiled(text of a number) and launch(kernel).
PROGRAMS = {
    "pycuda": ("""
import pycuda.autoinit
import pycuda.driver as drv
from pycuda import gpuarray
from pycuda.compiler import SourceModule
""", """
x, y = gpuarray.to_gpu(ones), gpuarray.to_gpu(ones)
wait = drv.Context.synchronize
def compiled(factor):
    return SourceModule(SOURCE % factor).get_function("saxpy")
def launch(kernel):
    kernel(np.float32(0.5), x, y, np.int32(1024), block=(256, 1, 1), grid=(4, 1))
def got():
    return y.get()
"""),
    "cuda-python": ("""
from cuda.bindings import driver
from cuda.core import Device, LaunchConfig, Program, ProgramOptions, launch as launch_
device = Device()
device.set_current()
""", """
stream = device.create_stream()
x, y = device.allocate(4096, stream=stream), device.allocate(4096, stream=stream)
for each in x, y:
    driver.cuMemcpyHtoD(int(each.handle), ones.ctypes.data, 4096)
wait = stream.sync
def compiled(factor):
    options = ProgramOptions(arch="sm_" + device.arch)
    made = Program(SOURCE.replace("__global__", 'extern "C" __global__') % factor, "c++", options=options)
    return made.compile("cubin").get_kernel("saxpy")
def launch(kernel):
    launch_(stream, LaunchConfig(grid=4, block=256), kernel, np.float32(0.5), x, y, np.int32(1024))
def got():
    result = np.empty_like(ones)
    driver.cuMemcpyDtoH(result.ctypes.data, int(y.handle), 4096)
    return result
"""),
    "cupy": ("""
import cupy
cupy.cuda.Device().synchronize()
""", """
x, y = cupy.asarray(ones), cupy.asarray(ones)
wait = cupy.cuda.Device().synchronize
def compiled(factor):
    return cupy.RawKernel(SOURCE.replace("__global__", 'extern "C" __global__') % factor, "saxpy")
def launch(kernel):
    kernel((4,), (256,), (np.float32(0.5), x, y, np.int32(1024)))
def got():
    return y.get()
"""),
    "numba": ("""
from numba import cuda
cuda.current_context()
""", """
x, y = cuda.to_device(ones), cuda.to_device(ones)
wait = cuda.synchronize
def by_one(a, x, y, n):
    i = cuda.grid(1)
    if i < n:
        y[i] = a * x[i] + y[i] * np.float32(1)
def by_two(a, x, y, n):
    i = cuda.grid(1)
    if i < n:
        y[i] = a * x[i] + y[i] * np.float32(2)
def compiled(factor):
    return cuda.jit(by_one if factor == "1" else by_two, cache=True)
def launch(kernel):
    kernel[4, 256](np.float32(0.5), x, y, np.int32(1024))
def got():
    return y.copy_to_host()
""")}
PROGRAMS["numba-cuda"] = PROGRAMS["numba"]
FRAME = """
import sys, time
began = time.perf_counter()
import numpy as np
{imports}
print("import", time.perf_counter() - began)
SOURCE = {source!r}
ones = np.ones(1024, np.float32)
{parts}
for name, factor in (("first", "1"), ("second", "2")):
    wait()
    began = time.perf_counter()
    kernel = compiled(factor)
    launch(kernel)
    wait()
    print(name, time.perf_counter() - began)
assert (got() == 3.5).all(), got()
began = time.perf_counter()
for _ in range(100):
    launch(kernel)
wait()
print("warm", (time.perf_counter() - began) / 100)
"""


def times(build, python, script, caches):
    done = subprocess.run([build / "bin/umpython", script], capture_output=True, text=True, check=False,
                          env={**os.environ, "UMPYTHON": python, "UMSIM_CLOCK": "real", "PYTHONWARNINGS": "ignore",
                               "XDG_CACHE_HOME": caches})
    if done.returncode:
        sys.exit(f"first_kernels: {python}: {done.stderr[-2000:]}")
    return {name: float(value) for name, value in (line.split() for line in done.stdout.splitlines())}


def one_round(build, package, python):
    """Both processes: without kernels that are kept, and with them."""
    imports, parts = PROGRAMS[package]
    with tempfile.TemporaryDirectory(prefix="umlab-first-") as folder:
        script = Path(folder, "program.py")
        script.write_text(FRAME.format(imports=imports, parts=parts, source=SOURCE))
        found = times(build, python, script, folder)
        again = times(build, python, script, folder)
    return {**found, "import": min(found["import"], again["import"]), "kept": again["first"],
            "warm": min(found["warm"], again["warm"])}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("packages", nargs="+", metavar="PACKAGE=PYTHON")
    parser.add_argument("--build", type=Path, default=ROOT / "build/sim")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    packages = dict(each.partition("=")[::2] for each in options.packages)
    if set(packages) - set(PROGRAMS):
        parser.error(f"there are {', '.join(PROGRAMS)}")
    for needed in [options.build / "bin/umpython", *packages.values()]:
        if not Path(needed).is_file():
            parser.error(f"there is no {needed or 'PYTHON'}")
    if options.rounds < 1:
        parser.error("--rounds: at least 1")
    best = {package: {} for package in packages}
    for _ in range(options.rounds):
        for package, python in packages.items():
            for name, value in one_round(options.build, package, python).items():
                best[package][name] = min(best[package].get(name, value), value)
    for package, found in best.items():
        print(json.dumps({"package": package, **{name: float(f"{value:.3g}") for name, value in found.items()}}))


if __name__ == "__main__":
    main()
