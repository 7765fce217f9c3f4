"""CUDA through ctypes, as a Python program would use it: for the tests in tests/python.

    from support import um_ctypes
    cuda = um_ctypes.load()                      # libcudart and libumlab
    p = cuda.malloc(4096)
    cuda.copy_in(p, array); cuda.vector_add(c, a, b, n); cuda.copy_out(array, p)

Methods raise CudaError with the call's name and result; `cuda.runtime` and `cuda.kernels` are the libraries themselves.
"""
import ctypes
import os
import sys

H2D, D2H = 1, 2
ILLEGAL_ADDRESS = 700


def build():
    return os.environ.get("UMLAB_BUILD", os.path.abspath("build/sim"))


def skip_unless_simulated():
    """Ends the script as skipped on another backend: what it looks at is the simulator's own doing."""
    if os.environ.get("UMLAB_BACKEND", "sim") != "sim":
        print("SKIP: the simulated GPU's start; this is BACKEND=cuda")
        sys.exit(2)
    if build().endswith("-asan"):
        print("SKIP: AddressSanitizer has to be in the Python interpreter, too")
        sys.exit(2)


class CudaError(Exception):
    pass


class Cuda:
    def __init__(self):
        self.runtime = self.kernels = None

    def load_runtime(self):
        self.runtime = ctypes.CDLL(os.path.join(build(), "lib", "libcudart.so"))
        return self

    def load_kernels(self):
        self.kernels = ctypes.CDLL(os.path.join(build(), "lib", "libumlab.so"))
        return self

    def need(self, call, *arguments):
        result = getattr(self.runtime, call)(*arguments)
        if result:
            raise CudaError(f"{call}: {result}")

    def malloc(self, bytes_):
        p = ctypes.c_void_p()
        self.need("cudaMalloc", ctypes.byref(p), ctypes.c_size_t(bytes_))
        return p

    def copy_in(self, p, array):
        self.need("cudaMemcpy", p, ctypes.c_void_p(array.ctypes.data), ctypes.c_size_t(array.nbytes), H2D)

    def copy_out(self, array, p):
        self.need("cudaMemcpy", ctypes.c_void_p(array.ctypes.data), p, ctypes.c_size_t(array.nbytes), D2H)

    def vector_add(self, c, a, b, n):
        """Returns the launch's result; arguments are c_void_p."""
        return self.kernels.um_vector_add(c, a, b, ctypes.c_size_t(n), ctypes.c_void_p())

    def synchronize(self):
        return self.runtime.cudaDeviceSynchronize()


def load(kernels_first=False):
    cuda = Cuda()
    if kernels_first:
        return cuda.load_kernels().load_runtime()
    return cuda.load_runtime().load_kernels()
