"""speakers.py: one function for each library that may share lab 8's vector.

Each gets an umlab.Array of single-precision numbers in managed memory, takes the memory as its own kind of array,
without a copy, and returns (address, work): the address that it has it at, as itself says, and a function that has it
double the numbers in place, or, where its arrays cannot be changed, looks whether it sees them change. `work` returns
whether what it saw was right.
"""
import importlib.util
import os
import sys

import numpy as np
import umlab
from umlab_c import library_path


class Skip(Exception):
    """Why a library is not asked here."""


def _on_gpu():
    return os.environ.get("UMLAB_BACKEND", "sim") == "cuda"


def _needs_gpu(name):
    if not _on_gpu():
        raise Skip(f"{name} launches kernels of its own: on a GPU only (BACKEND=cuda)")


# Libraries that launch kernels of their own, which umpython has run on the simulated GPU: what to import, and install.
BY_UMPYTHON = {"numba": ("numba", "numba"), "pycuda": ("pycuda", "pycuda"), "cuda-core": ("cuda.core", "cuda-python"),
               "cupy": ("cupy", "cupy")}


def _by_umpython(module, package):
    """This process becomes umpython's, before it has called CUDA. Returns where it is that already."""
    if not _is_there(module):
        raise Skip(f"not installed: umpython --install {package}")
    if "UMLAB_PYTHON" in os.environ:  # umpython sets it
        return
    umpython = library_path().resolve().parents[1] / "bin/umpython"
    if not umpython.exists():
        raise Skip(f"no umpython beside {library_path()}: make all")
    os.execve(umpython, [str(umpython), *sys.argv], {**os.environ, "UMPYTHON": sys.executable})


def _is_there(name):
    try:
        return importlib.util.find_spec(name) is not None
    except ImportError:  # a package above it
        return False


def _import(name, install):
    try:
        return __import__(name, fromlist=["_"])
    except ImportError:
        raise Skip(f"not installed: {install}") from None


def numpy(x):
    view = np.asarray(x)

    def work():
        view[:] *= 2
        return True
    return view.ctypes.data, work


def pytorch(x):
    torch = _import("torch", "pip install torch")
    if torch.cuda.is_available():
        tensor = torch.as_tensor(x, device="cuda")  # by __cuda_array_interface__
    else:
        tensor = torch.utils.dlpack.from_dlpack(x.__dlpack__(dl_device=(1, 0)))

    def work():
        tensor.mul_(2)
        if tensor.is_cuda:
            torch.cuda.synchronize()
        return True
    return tensor.data_ptr(), work


def tensorflow(x):
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    tf = _import("tensorflow", "pip install tensorflow-cpu")
    tensor = tf.experimental.dlpack.from_dlpack(x.__dlpack__(dl_device=(1, 0)))
    again = np.from_dlpack(_Capsule(tf.experimental.dlpack.to_dlpack(tensor)))

    def work():  # its tensors are constant: it has to see what numpy does
        before = float(tf.reduce_sum(tensor))
        np.asarray(x)[:] *= 2
        return float(tf.reduce_sum(tensor)) == 2 * before
    return again.ctypes.data, work


class _Capsule:
    """What numpy asks of a producer, around a capsule that is there already."""

    def __init__(self, capsule):
        self.capsule = capsule

    def __dlpack__(self, **_):
        return self.capsule

    def __dlpack_device__(self):
        return 1, 0


OPENCL_TWICE = "__kernel void twice(__global float *x) { x[get_global_id(0)] *= 2; }"


def pyopencl(x):
    os.environ.setdefault("POCL_CACHE_DIR", os.path.join(os.environ.get("TMPDIR", "/tmp"), "umlab-pocl"))
    cl = _import("pyopencl", "pip install pyopencl, and an OpenCL driver (Debian's pocl-opencl-icd)")
    try:
        devices = [d for p in cl.get_platforms() for d in p.get_devices(cl.device_type.CPU)]
    except cl.LogicError:
        devices = []
    if not devices:
        raise Skip("no OpenCL driver for the CPU: Debian's pocl-opencl-icd")
    context = cl.Context(devices[:1])
    queue = cl.CommandQueue(context)
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.USE_HOST_PTR
    buffer = cl.Buffer(context, flags, hostbuf=np.asarray(x))
    program = cl.Program(context, OPENCL_TWICE).build()

    def mapped():
        return cl.enqueue_map_buffer(queue, buffer, cl.map_flags.READ, 0, x.shape, x.dtype, is_blocking=True)[0]

    def work():
        program.twice(queue, x.shape, None, buffer)
        mapped().base.release(queue)
        queue.finish()
        return True
    view = mapped()
    address = view.ctypes.data
    view.base.release(queue)
    return address, work


def cupy(x):
    cp = _import("cupy", "pip install cupy-cuda13x")
    view = cp.asarray(x)

    def work():
        view[:] *= 2
        cp.cuda.Device().synchronize()
        return True
    return view.data.ptr, work


def pycuda(x):
    gpuarray = _import("pycuda.gpuarray", "pip install pycuda")
    import pycuda.autoprimaryctx
    view = gpuarray.GPUArray(x.shape, x.dtype, gpudata=x.ptr)

    def work():
        view.__imul__(2)
        pycuda.autoprimaryctx.context.synchronize()
        return True
    return int(view.gpudata), work


CUDA_TWICE = """extern "C" __global__ void twice(float *x, size_t n)
{
    size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= 2;
}"""


def cuda_core(x):
    core = _import("cuda.core", "pip install cuda-core cuda-bindings")
    device = core.Device()
    device.set_current()
    stream = device.create_stream()
    view = core.utils.StridedMemoryView.from_any_interface(x, stream_ptr=int(stream.handle))
    program = core.Program(CUDA_TWICE, "c++", options=core.ProgramOptions(arch=f"sm_{device.arch}"))
    kernel = program.compile("cubin").get_kernel("twice")

    def work():
        blocks = core.LaunchConfig(grid=(x.size + 255) // 256, block=256)
        core.launch(stream, blocks, kernel, view.ptr, np.uint64(x.size))
        stream.sync()
        return True
    return view.ptr, work


def numba(x):
    if not hasattr(np, "row_stack"):
        np.row_stack = np.vstack  # gone from NumPy 2.5; Numba 0.68 still asks for it
    cuda = _import("numba.cuda", "pip install numba-cuda")
    view = cuda.as_cuda_array(x)

    @cuda.jit
    def twice(v):
        i = cuda.grid(1)
        if i < v.size:
            v[i] *= 2

    def work():
        twice[(view.size + 255) // 256, 256](view)
        cuda.synchronize()
        return True
    return view.__cuda_array_interface__["data"][0], work


def jax(x):
    _needs_gpu("JAX")
    jax_ = _import("jax", "pip install jax[cuda13]")
    import jax.numpy as jnp
    tensor = jax_.dlpack.from_dlpack(_AsCuda(x))

    def work():  # its arrays are constant, too
        before = float(jnp.sum(tensor))
        np.asarray(x)[:] *= 2
        return float(jnp.sum(tensor)) == 2 * before
    return tensor.unsafe_buffer_pointer(), work


class _AsCuda:
    """JAX knows device memory only by kDLCUDA."""

    def __init__(self, x):
        self.x = x

    def __dlpack__(self, **wishes):
        return self.x.__dlpack__(**{**wishes, "dl_device": (2, 0)})

    def __dlpack_device__(self):
        return 2, 0


SPEAKERS = {"numpy": numpy, "pytorch": pytorch, "tensorflow": tensorflow, "pyopencl": pyopencl, "cupy": cupy,
            "numba": numba, "pycuda": pycuda, "cuda-core": cuda_core, "jax": jax}


def share(name, n):
    """Has `name` share a vector of n numbers. Returns what happened, for lab8's table."""
    if name in BY_UMPYTHON and not _on_gpu():
        _by_umpython(*BY_UMPYTHON[name])
    x = umlab.empty(n, "f4", "managed")
    counted = umlab.Counters.now()
    pattern = np.arange(n, dtype="f4") % 1000
    np.asarray(x)[:] = pattern
    address, work = SPEAKERS[name](x)
    right = work()
    umlab.saxpy(x, 1, x)
    umlab.synchronize()
    right = right and bool(np.array_equal(np.asarray(x), 4 * pattern))
    copied = umlab.Counters.now() - counted
    return {"address": address, "same": address == x.ptr == umlab.query(address).base, "verified": right,
            "copied": None if copied.bytes_h2d < 0 else copied.bytes_h2d + copied.bytes_d2h}
