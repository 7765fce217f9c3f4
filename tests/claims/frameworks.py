#!/usr/bin/env python3
"""What Python frameworks do where the articles make claims about them: asked, not read.

    tests/claims/frameworks.py --backend sim --build build/sim     ctypes and NumPy: the others need a real GPU
    tests/claims/frameworks.py --backend cuda --build build/cuda   and Numba, CuPy, PyTorch, JAX, CUDA Python, PyOpenCL,
                                                                   PyCUDA
    ... --only tensorflow                                          that one, wherever it is

Prints {"versions": {...}, "findings": {"group: what": "answer"}} as JSON. An exception is an answer: its name, and the
first of its words. Nothing that is not installed is guessed at: it is missing from the findings. The H200's PyCUDA was
built from its source, without CURAND; measured/pocl.json is what OpenCL's part found on a processor, tensorflow.json
what TensorFlow's CPU build says: what is asked about a GPU's tensors it cannot decide.
"""
import argparse
import ctypes
import importlib
import importlib.metadata
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from findings import N, answer, findings, found
from pycuda_findings import with_pycuda

HERE = Path(__file__).parent
H2D, D2H, GLOBAL = 1, 2, 1
ADD_SOURCE = """extern "C" __global__ void add(const float *x, const float *y, float *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        z[i] = x[i] + y[i];
}
"""


def compile_cuda(args, source, output, *flags):
    compiler = [os.path.join(args.build, "bin", "umcc")] if args.backend == "sim" else [os.environ.get("NVCC", "nvcc")]
    shared = ["-cudart", "shared"] if args.backend == "cuda" else []
    subprocess.run(compiler + shared + list(flags) + ["-o", output, source], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)


def runtime_library(args):
    if args.backend == "sim":
        return ctypes.CDLL(os.path.join(args.build, "lib", "libcudart.so"))
    home = os.environ.get("CUDA_HOME", "/usr/local/cuda")
    return ctypes.CDLL(os.path.join(home, "lib64", "libcudart.so"))


def with_ctypes(args, folder):
    path = os.path.join(folder, "libvector_add.so")
    compile_cuda(args, str(HERE / "programs" / "vector_add.cu"), path, "-shared", "-Xcompiler", "-fPIC")
    cudart, library = runtime_library(args), ctypes.CDLL(path)
    floats = ctypes.c_float * N
    a, b, c = floats(*range(N)), floats(*(2 * i for i in range(N))), floats()

    found("ctypes-main: lib.main() returns", library.main())
    found("ctypes-main: elements of Python's own array that it changed", sum(x != 0 for x in c))
    found("ctypes-wrapper: a wrapper that is given the arrays returns", library.vector_add(c, a, b, N))
    found("ctypes-wrapper: sums of 1,024 that are right", sum(c[i] == 3 * i for i in range(N)))

    p = ctypes.c_void_p()
    found("ctypes-address: cudaMalloc through ctypes returns",
          cudart.cudaMalloc(ctypes.byref(p), ctypes.c_size_t(4 * N)))
    found("ctypes-address: the address is a Python integer above 0", isinstance(p.value, int) and p.value > 0)
    found("ctypes-address: it needs more than 32 bits", p.value >= 1 << 32)
    found("ctypes-address: cudaMemcpy to it, as c_void_p", cudart.cudaMemcpy(p, a, ctypes.c_size_t(4 * N), H2D))
    found("ctypes-address: cudaMemcpy from inside it, by arithmetic",
          cudart.cudaMemcpy(c, ctypes.c_void_p(p.value + 4 * 100), ctypes.c_size_t(4), D2H))
    found("ctypes-address: element 100", c[0])
    four = ctypes.c_size_t(4)
    found("ctypes-untyped: cudaMemcpy to the address as a bare Python integer",
          cudart.cudaMemcpy(p.value + 4, a, four, H2D))
    found("ctypes-untyped: cudaMemcpy to the address as c_void_p",
          cudart.cudaMemcpy(ctypes.c_void_p(p.value + 4), a, four, H2D))
    cudart.cudaGetLastError()
    cudart.cudaFree(p)

    m = ctypes.c_void_p()
    cudart.cudaMallocManaged(ctypes.byref(m), ctypes.c_size_t(4 * N), GLOBAL)
    view = floats.from_address(m.value)
    for i in range(N):
        view[i] = i
    found("ctypes-managed: a kernel works on ctypes' own view of managed memory", library.add_one_in_place(m, N))
    found("ctypes-managed: elements of 1,024 that went up by one, without a copy",
          sum(view[i] == i + 1 for i in range(N)))


def with_python(args, folder):
    """What the listings' own Python comes to, before any framework is reached; and what a compiler says to their C."""
    found("python-names: numpy.arange where nothing imported numpy", answer(lambda: eval("numpy.arange(3)", {})))
    found("python-names: a line that reads `device_ordinal = # ...`",
          answer(lambda: compile("device_ordinal = # extracted", "listing", "exec")).split(":")[0])
    source = (HERE / "programs" / "vector_add.cu").read_text(encoding="utf-8")
    for suffix in ("cu", "cpp"):
        path = os.path.join(folder, "named." + suffix)
        Path(path).write_text(source, encoding="utf-8")
        found(f"compiling: kernel and launch in a file named .{suffix}",
              compiles(args, path, os.path.join(folder, "named.so"), "-shared", "-Xcompiler", "-fPIC"))
    if args.backend == "cuda":  # the simulator has no driver API, so no cuda.h
        path = os.path.join(folder, "headers.cu")
        Path(path).write_text(source.replace("cuda_runtime.h", "cuda.h").replace("#include <stdlib.h>", ""),
                              encoding="utf-8")
        found("compiling: cuda.h and stdio.h as the only headers",
              compiles(args, path, os.path.join(folder, "headers")))


def compiles(args, *rest):
    try:
        compile_cuda(args, *rest)
        return "works"
    except subprocess.CalledProcessError:
        return "the compiler refuses it"


def with_numpy(args, _folder):
    import numpy as np
    cudart = runtime_library(args)

    def there_and_back(source, target):
        p = ctypes.c_void_p()
        cudart.cudaMalloc(ctypes.byref(p), ctypes.c_size_t(source.nbytes))
        results = (cudart.cudaMemcpy(p, ctypes.c_void_p(source.ctypes.data), ctypes.c_size_t(source.nbytes), H2D),
                   cudart.cudaMemcpy(ctypes.c_void_p(target.ctypes.data), p, ctypes.c_size_t(source.nbytes), D2H))
        cudart.cudaFree(p)
        return results

    whole = np.arange(N, dtype=np.int32)
    back = np.zeros(N, dtype=np.int32)
    found("numpy-memory: bytes of 1,024 int32", N * np.int32().nbytes)
    found("numpy-memory: cudaMemcpy from an array and back into another return", there_and_back(whole, back))
    found("numpy-memory: they are equal then", bool((whole == back).all()))
    as_float = np.zeros(N, dtype=np.float32)
    there_and_back(whole, as_float)
    found("numpy-memory: fetched into a float32 array instead: elements of 1,024 that are equal",
          int((whole == as_float).sum()))
    attributes = (ctypes.c_char * 256)()
    cudart.cudaPointerGetAttributes(attributes, ctypes.c_void_p(back.ctypes.data))
    found("numpy-memory: type of the array's address (0: not CUDA's)", int.from_bytes(attributes[:4], "little"))

    record = np.dtype([("x", np.float32), ("y", np.float32), ("z", np.float32)])
    source, target = np.empty(256, dtype=record), np.empty(256, dtype=record)
    for i in range(256):
        source[i] = (i, 2 * i, 3 * i)
    there_and_back(source, target)
    found("numpy-records: bytes of a record of three float32", record.itemsize)
    found("numpy-records: an array of 256 is one block of memory", bool(source.flags["C_CONTIGUOUS"]))
    found("numpy-records: there and back, all equal", bool((source == target).all()))
    other = np.zeros(256, dtype=np.dtype([("z", np.float32), ("y", np.float32), ("x", np.float32)]))
    there_and_back(source, other)
    found("numpy-records: fetched with the fields in another order: x of 256 that are right",
          int((source["x"] == other["x"]).sum()))
    objects = np.array([object() for _ in range(8)], dtype=object)
    copies = np.empty(8, dtype=np.intp)
    there_and_back(objects, copies)
    found("numpy-records: of 8 objects, copies that are the host's address of the object",
          sum(int(copies[i]) == id(objects[i]) for i in range(8)))


def with_numba(_args, _folder):
    import numpy as np
    if not hasattr(np, "row_stack"):
        np.row_stack = np.vstack  # gone from NumPy 2.5; numba 0.68 still asks for it
    from numba import cuda

    @cuda.jit
    def add_one(array):
        i = cuda.grid(1)
        array[i] += 1.0

    host = np.arange(N, dtype=np.float32)
    on_gpu = cuda.to_device(host)
    found("numba-launch: kernel[256,](x)", answer(lambda: add_one[256,](on_gpu)))
    add_one[4, 256](on_gpu)
    found("numba-launch: kernel[4, 256](x): elements of 1,024 that went up by one",
          int((on_gpu.copy_to_host() == host + 1).sum()))
    found("numba-copies: to_device's result shares the array's memory",
          bool((host == np.arange(N, dtype=np.float32)).sum() < N))
    add_one[4, 256](host)
    found("numba-copies: a kernel that is given the NumPy array itself: elements that went up by one",
          int((host == np.arange(N, dtype=np.float32) + 1).sum()))
    address = on_gpu.__cuda_array_interface__["data"][0]
    found("numba-address: __cuda_array_interface__ names an address", isinstance(address, int) and address > 0)
    found("numba-address: device_ctypes_pointer names the same",
          answer(lambda: on_gpu.device_ctypes_pointer.value == address))
    managed = cuda.managed_array(N, dtype=np.float32)
    managed[:] = 0
    add_one[4, 256](managed)
    cuda.synchronize()
    found("numba-managed: a managed_array: elements of 1,024 that the host sees changed, without a copy",
          int((managed == 1).sum()))


def cupy_kernels(args, folder, cp):
    source, ptx, so = (os.path.join(folder, "add." + end) for end in ("cu", "ptx", "so"))
    Path(source).write_text(ADD_SOURCE, encoding="utf-8")
    compile_cuda(args, source, ptx, "-ptx", "-arch=compute_80")
    compile_cuda(args, source, so, "-shared", "-Xcompiler", "-fPIC")
    five = cp.asarray([1, 2, 3, 4, 5]).astype(cp.float32), cp.asarray([6, 7, 8, 9, 10]).astype(cp.float32)
    out = cp.empty_like(five[0])

    def launch(kernel):
        out.fill(0)
        kernel(args=(five[0], five[1], out, five[0].size), block=(256,), grid=(1,))
        return " ".join(f"{v:g}" for v in cp.asnumpy(out))

    found("cupy-kernel: RawKernel on CUDA C++ source", answer(lambda: launch(cp.RawKernel(ADD_SOURCE, "add"))))
    found("cupy-kernel: RawKernel on PTX text", answer(lambda: launch(cp.RawKernel(Path(ptx).read_text(), "add"))))
    found("cupy-kernel: RawModule(path=PTX file)", answer(lambda: launch(cp.RawModule(path=ptx).get_function("add"))))
    found("cupy-kernel: RawModule(path=nvcc's .so)", answer(lambda: launch(cp.RawModule(path=so).get_function("add"))))
    nowhere = dict(os.environ, PATH="/nonexistent", CUDA_PATH="/nonexistent", CUPY_CACHE_IN_MEMORY="1")
    code = ("import cupy as cp; k = cp.RawKernel('extern \"C\" __global__ void f(int *x) { *x = 5; }', 'f'); "
            "x = cp.zeros(1, cp.int32); k((1,), (1,), (x,)); print(int(x[0]))")
    result = subprocess.run([sys.executable, "-c", code], env=nowhere, capture_output=True, text=True, check=False)
    found("cupy-without-nvcc: a RawKernel, with no nvcc on the path, gives 5",
          result.stdout.strip() == "5")


def cupy_pinned(cp, np):
    found("cupy-pinned: cupy.cuda.alloc_pinned_memory gives",
          answer(lambda: type(cp.cuda.alloc_pinned_memory(4096)).__name__))
    pinned = cp.cuda.alloc_pinned_memory(4096)
    found("cupy-pinned: cp.asarray(pinned, dtype=float32)",
          answer(lambda: str(cp.asarray(pinned, dtype=cp.float32).shape)))
    found("cupy-pinned: cp.copyto(pinned, gpu array)",
          answer(lambda: cp.copyto(pinned, cp.empty(1024, dtype=cp.float32))))
    found("cupy-pinned: it has a method free()", hasattr(pinned, "free"))
    view = np.frombuffer(pinned, np.float32, 1024)
    view[:] = 0
    early = cp.asarray(view)
    view[:] = 7
    found("cupy-pinned: elements written after cp.asarray that the GPU array has", int((early == 7).sum()))
    found("cupy-pinned: cp.asarray(np.frombuffer(pinned, float32)): elements that are 7",
          int((cp.asarray(view) == 7).sum()))


def with_cupy(args, folder):
    import cupy as cp
    import numpy as np

    x, y = cp.arange(100000, dtype=cp.float32), cp.arange(100000, dtype=cp.float32)
    z = x + y
    found("cupy-add: sums of 100,000 that are right",
          int((cp.asnumpy(z) == 2 * np.arange(100000, dtype=np.float32)).sum()))
    found("cupy-add: asnumpy gives", type(cp.asnumpy(z)).__name__)
    found("cupy-add: NumPy takes the GPU array itself", answer(lambda: type(np.asarray(z)).__name__))
    found("cupy-address: z.data.ptr is", type(z.data.ptr).__name__)
    found("cupy-address: CUDA calls it (2: device memory)", cp.cuda.runtime.pointerGetAttributes(z.data.ptr).type)
    found("cupy-imports: from cupyx.cuda import runtime",
          answer(lambda: importlib.import_module("cupyx.cuda.runtime") and "works"))
    found("cupy-imports: from cupyx.cuda import memory",
          answer(lambda: importlib.import_module("cupyx.cuda.memory") and "works"))
    found("cupy-imports: from cupy.cuda import runtime",
          answer(lambda: importlib.import_module("cupy.cuda.runtime") and "works"))
    cupy_kernels(args, folder, cp)
    cupy_pinned(cp, np)


def with_torch(_args, _folder):
    import torch
    x = torch.arange(N, dtype=torch.float32, device="cuda")
    found("torch-address: data_ptr() is an address above 0", isinstance(x.data_ptr(), int) and x.data_ptr() > 0)
    try:
        import cupy as cp
    except ImportError:
        return
    y = cp.from_dlpack(x)
    found("torch-address: CuPy has the same one through DLPack", y.data.ptr == x.data_ptr())
    y += 1
    cp.cuda.Device().synchronize()
    found("torch-address: what CuPy adds there, PyTorch sees: element 100", float(x[100]))


def with_jax(_args, _folder):
    os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
    import jax.numpy as jnp
    x = jnp.arange(N, dtype=jnp.float32)
    found("jax-address: unsafe_buffer_pointer() is an address above 0", answer(lambda: x.unsafe_buffer_pointer() > 0))
    found("jax-address: __cuda_array_interface__ names the same",
          answer(lambda: x.__cuda_array_interface__["data"][0] == x.unsafe_buffer_pointer()))


def with_cuda_python(_args, _folder):
    import cuda
    from cuda.bindings import driver, nvrtc, runtime
    found("cuda-python: bindings for the driver API: cuMemAlloc is there", hasattr(driver, "cuMemAlloc"))
    found("cuda-python: for the runtime API: cudaMemcpy is there", hasattr(runtime, "cudaMemcpy"))
    found("cuda-python: for the run-time compiler: nvrtcCompileProgram is there", hasattr(nvrtc, "nvrtcCompileProgram"))
    found("cuda-python: it has arrays: cuda.arange is there", hasattr(cuda, "arange"))
    error, address = runtime.cudaMalloc(4096)
    found("cuda-python: cudaMalloc returns", f"{error.name}, {type(address).__name__}")
    runtime.cudaFree(address)
    names = {d.metadata["Name"].lower() for d in importlib.metadata.distributions() if d.metadata["Name"]}
    found("cuda-python: distributions", ", ".join(sorted(
        n for n in names if n in ("cuda-python", "cuda-bindings", "cuda-core") or n.startswith("cupy"))))


CL_SOURCE = "__kernel void add_one(__global float *x) { x[get_global_id(0)] += 1.0f; }"


def with_pyopencl(_args, _folder):
    import numpy as np
    import pyopencl as cl
    devices = [device for platform in cl.get_platforms() for device in platform.get_devices()]
    device = max(devices, key=lambda d: d.type & cl.device_type.GPU)
    context = cl.Context([device])
    queue, flags = cl.CommandQueue(context), cl.mem_flags
    add_one = cl.Program(context, CL_SOURCE).build().add_one
    found("opencl-copy: platform", f"{device.platform.name}, {cl.device_type.to_string(device.type)}")
    floats = np.arange(N, dtype=np.float32)
    for name, flag in (("READ_WRITE", flags.READ_WRITE), ("WRITE_ONLY", flags.WRITE_ONLY)):
        buffer, back = cl.Buffer(context, flag, floats.nbytes), np.zeros_like(floats)
        cl.enqueue_copy(queue, buffer, floats)
        cl.enqueue_copy(queue, back, buffer)
        found(f"opencl-copy: {name}: enqueue_copy in and out: elements of 1,024 that are equal",
              int((floats == back).sum()))
        add_one(queue, (N,), None, buffer)
        cl.enqueue_copy(queue, back, buffer)
        found(f"opencl-write-only: a kernel adds one to a {name} buffer: elements that are right",
              int((back == floats + 1).sum()))
    found("opencl-address: device has shared virtual memory", answer(lambda: device.svm_capabilities != 0))

    def shared():
        memory = cl.csvm_empty(context, N, np.float32)
        with cl.SVM(memory).map_rw(queue) as view:
            view[:] = floats
        add_one(queue, (N,), None, cl.SVM(memory))
        with cl.SVM(memory).map_ro(queue) as view:
            return int((view == floats + 1).sum())

    found("opencl-address: a kernel on shared virtual memory, no copies: elements that the host sees right",
          answer(shared))


def with_tensorflow(_args, _folder):
    """The listings' calls, and what a tensor tells of its memory. No GPU is needed for what is asked here."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import numpy as np
    import tensorflow as tf
    found("tensorflow-build: built with CUDA", tf.test.is_built_with_cuda())
    found("tensorflow-build: devices it sees",
          ", ".join(device.device_type for device in tf.config.list_physical_devices()))
    square = np.arange(N * N, dtype=np.float32).reshape(N, N)
    x = tf.constant(square) + 0

    def address(tensor):
        return np.from_dlpack(tensor).ctypes.data

    single, (same,) = tf.raw_ops.IdentityN(input=x), tf.raw_ops.IdentityN(input=[x])
    found("tensorflow-identity: IdentityN(input=x), x of 1,024 by 1,024: gives",
          f"a {type(single).__name__} of {len(single)}")
    found("tensorflow-identity: ... the first of them has the shape", str(tuple(single[0].shape)))
    found("tensorflow-identity: IdentityN(input=[x]): elements of 2**20 that are equal",
          int((same.numpy() == square).sum()))
    found("tensorflow-identity: its tensor is of x's class", type(same) is type(x))
    found("tensorflow-identity: attributes that it has and x has not", len(set(dir(same)) - set(dir(x))))
    found("tensorflow-identity: DLPack names x's address for it", address(same) == address(x))

    for name in ("data_ptr", "ptr", "__cuda_array_interface__", "__dlpack__"):
        found(f"tensorflow-address: a tensor has {name}", hasattr(x, name))
    found("tensorflow-address: np.from_dlpack(x) has an address above 0", address(x) > 0)
    found("tensorflow-address: elements of 2**20 that it reads there", int((np.from_dlpack(x) == square).sum()))
    found("tensorflow-address: tf.experimental.dlpack.to_dlpack gives",
          type(tf.experimental.dlpack.to_dlpack(x)).__name__)

    found("tensorflow-session: tf.Session is there", hasattr(tf, "Session"))
    found("tensorflow-session: tf.compat.v1.Session is there", hasattr(tf.compat.v1, "Session"))

    def run(device):
        with tf.compat.v1.Session() as session, tf.device(device):
            return session.run(tf.constant(square))

    for device in ("/CPU:0", "/GPU:0"):
        found(f"tensorflow-session: sess.run of a constant in tf.device({device}) gives",
              answer(lambda device=device: f"{type(run(device)).__name__} {run(device).shape}"))
    found("tensorflow-session: sess.run of a tensor made before", answer(lambda: tf.compat.v1.Session().run(x)))


# By the module that has to be there. PyCUDA is last: it makes a context of its own.
EVERYWHERE = {"sys": with_python, "ctypes": with_ctypes, "numpy": with_numpy}
FRAMEWORKS = {**EVERYWHERE, "numba": with_numba, "cupy": with_cupy, "torch": with_torch, "jax": with_jax,
              "cuda.bindings": with_cuda_python, "pyopencl": with_pyopencl,
              "pycuda": with_pycuda}
ON_REQUEST = {"tensorflow": with_tensorflow}
DISTRIBUTIONS = ("numpy", "numba", "numba-cuda", "cupy-cuda13x", "torch", "jax", "cuda-bindings", "cuda-core", "pycuda",
                 "pyopencl", "tensorflow-cpu", "tensorflow")


def version(name):
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def main():
    parser = argparse.ArgumentParser(description="What Python frameworks do where the articles make claims about them.")
    parser.add_argument("--backend", choices=["sim", "cuda"], required=True)
    parser.add_argument("--build", required=True)
    parser.add_argument("--only", choices=[*FRAMEWORKS, *ON_REQUEST])
    args = parser.parse_args()
    args.build = os.path.abspath(args.build)
    versions = {"Python": sys.version.split()[0]}
    with tempfile.TemporaryDirectory() as folder:
        for name, ask in {**FRAMEWORKS, **ON_REQUEST}.items():
            if name != args.only and (args.only or name in ON_REQUEST
                                      or (name not in EVERYWHERE and args.backend == "sim")):
                continue
            try:
                importlib.import_module(name)
            except ImportError as error:
                print(f"frameworks: {name} is not here: {error}", file=sys.stderr)
                continue
            failed = answer(lambda ask=ask: ask(args, folder))
            if failed is not None:
                print(f"frameworks: {name}: {failed}", file=sys.stderr)
                found(f"{name}: ended early", failed)
    if args.backend == "cuda" or args.only:
        asked = [name for name in DISTRIBUTIONS if not args.only or name.startswith((args.only, "numpy"))]
        versions.update({name: found_version for name in asked if (found_version := version(name))})
    json.dump({"versions": versions, "findings": findings}, sys.stdout, indent=1)
    print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
