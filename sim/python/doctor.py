"""umpython --doctor: which packages for GPUs this Python has, and what of them works on the simulated GPU.

Prints a line for each part: `ok`, `missing` (with what to install), `not yet` or `WRONG`. Exit 1 when something that
should work does not.
"""
import ctypes
import os
import subprocess
import sys
from importlib import metadata

# name in the index, what it is to the simulator
NOT_YET = {
    "cupy-cuda12x": "its wheel has NVIDIA's runtime inside: umpython --install cupy builds one",
    "cupy-cuda13x": "its wheel has NVIDIA's runtime inside: umpython --install cupy builds one",
}
KERNEL = """
__global__ void twice(float *p) { p[threadIdx.x] *= 2; }
"""


def tell(state, what, more=""):
    print(f"{state:8} {what}{': ' + more if more else ''}")
    return state != "WRONG"


def driver():
    """libcuda.so.1 is the simulator's, and answers."""
    try:
        library = ctypes.CDLL("libcuda.so.1")
    except OSError as error:
        return tell("WRONG", "libcuda.so.1", str(error))
    if not hasattr(library, "umsim_gpu_pid"):
        return tell("WRONG", "libcuda.so.1", "another one than the simulator's is loaded")
    name = ctypes.create_string_buffer(100)
    if library.cuInit(0) or library.cuDeviceGetName(name, 100, 0):
        return tell("WRONG", "the simulated GPU", "does not start")
    return tell("ok", "the simulated GPU", name.value.decode())


def compiler():
    """nvcc is umcc."""
    run = subprocess.run(["nvcc", "--version"], capture_output=True, text=True, check=False)
    if "umcc" not in run.stdout:
        return tell("WRONG", "nvcc", "another one than umcc is first on PATH")
    return tell("ok", "nvcc", run.stdout.splitlines()[-1])


def pycuda():
    """A kernel of PyCUDA's runs."""
    try:
        version = metadata.version("pycuda")
    except metadata.PackageNotFoundError:
        return tell("missing", "pycuda", "umpython --install pycuda")
    try:
        import numpy
        import pycuda.autoinit  # noqa: F401
        import pycuda.driver
        from pycuda.compiler import SourceModule

        numbers = numpy.arange(4, dtype=numpy.float32)
        SourceModule(KERNEL).get_function("twice")(pycuda.driver.InOut(numbers), block=(4, 1, 1))
    except Exception as error:  # whatever it is, it is told
        return tell("WRONG", f"pycuda {version}", f"{type(error).__name__}: {error}")
    good = numbers.tolist() == [0, 2, 4, 6]
    return tell("ok" if good else "WRONG", f"pycuda {version}", "a kernel ran" if good else f"wrong: {numbers}")


def cuda_python():
    """A kernel that cuda.core compiles runs."""
    try:
        version = metadata.version("cuda-core")
    except metadata.PackageNotFoundError:
        return tell("missing", "cuda-core", "umpython --install cuda-python")
    try:
        import numpy
        from cuda.core import Device, LaunchConfig, Program, ProgramOptions, launch

        device = Device()
        device.set_current()
        stream = device.create_stream()
        options = ProgramOptions(std="c++17", arch=f"sm_{device.arch}")
        program = Program('extern "C" ' + KERNEL.lstrip(), code_type="c++", options=options)
        kernel = program.compile("cubin").get_kernel("twice")
        numbers = numpy.arange(4, dtype=numpy.float32)
        from cuda.bindings import driver as calls

        memory = device.allocate(numbers.nbytes, stream=stream)
        address = int(memory.handle)
        calls.cuMemcpyHtoDAsync(address, numbers.ctypes.data, numbers.nbytes, int(stream.handle))
        launch(stream, LaunchConfig(grid=1, block=4), kernel, memory)
        calls.cuMemcpyDtoHAsync(numbers.ctypes.data, address, numbers.nbytes, int(stream.handle))
        stream.sync()
    except Exception as error:  # whatever it is, it is told
        return tell("WRONG", f"cuda-core {version}", f"{type(error).__name__}: {error}")
    good = numbers.tolist() == [0, 2, 4, 6]
    return tell("ok" if good else "WRONG", f"cuda-core {version}", "a kernel ran" if good else f"wrong: {numbers}")


def numba():
    """A kernel of Numba's runs, by whichever package its CUDA target is from."""
    version = None
    for package in ("numba-cuda", "numba"):
        try:
            version = version or f"{package} {metadata.version(package)}"
        except metadata.PackageNotFoundError:
            continue
    if not version:
        return tell("missing", "numba", "umpython --install numba")
    try:
        import warnings

        import numpy
        from numba import cuda

        warnings.filterwarnings("ignore")

        @cuda.jit
        def twice(x):
            x[cuda.grid(1)] *= 2

        numbers = numpy.arange(4, dtype=numpy.float32)
        twice[1, 4](numbers)
    except Exception as error:  # whatever it is, it is told
        return tell("WRONG", version, f"{type(error).__name__}: {error}")
    good = numbers.tolist() == [0, 2, 4, 6]
    return tell("ok" if good else "WRONG", version, "a kernel ran" if good else f"wrong: {numbers}")


def cupy():
    """A kernel of CuPy's runs, and its sort, which is compiled where it is installed."""
    try:
        version = metadata.version("cupy")
    except metadata.PackageNotFoundError:
        return tell("missing", "cupy", "umpython --install cupy")
    try:
        import cupy

        numbers = cupy.sort(cupy.arange(3, -1, -1, dtype=cupy.float32) * 2).get()
    except Exception as error:  # whatever it is, it is told
        return tell("WRONG", f"cupy {version}", f"{type(error).__name__}: {error}")
    good = numbers.tolist() == [0, 2, 4, 6]
    return tell("ok" if good else "WRONG", f"cupy {version}", "kernels ran" if good else f"wrong: {numbers}")


def others():
    for name, why in NOT_YET.items():
        try:
            tell("not yet", f"{name} {metadata.version(name)}", why)
        except metadata.PackageNotFoundError:
            continue


def without():
    """What a program that is run by python3 alone is told. None of the packages can find a driver there."""
    print("without umpython: PyCUDA's import says what to do; Numba and CUDA Python say that there is no driver, "
          "as on any machine without a GPU")


def main():
    print(f"Python {sys.version.split()[0]} ({sys.executable}), caches in {os.environ.get('PYCUDA_CACHE_DIR')}/..")
    good = [driver(), compiler(), pycuda(), cuda_python(), numba(), cupy()]
    others()
    without()
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
