"""Systems that launch kernels of their own on a GPU: CuPy, Numba, PyTorch, JAX, CUDA Python (cuda.bindings), PyCUDA."""
import ctypes
import gc
import os
import subprocess
import time
from pathlib import Path

import numpy as np
import umlab
from cells import GpuSystem, N, check, equal, numbers, over, refused

TWICE = """extern "C" __global__ void twice(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= 2;
}
"""
GRID, BLOCK = N // 256, 256


def compiled_ptx():
    """TWICE as PTX in a file, by nvcc."""
    source, ptx = (Path(os.environ["UMLAB_SCRATCH"]) / name for name in ("twice.cu", "twice.ptx"))
    source.write_text(TWICE, encoding="utf-8")
    subprocess.run([os.environ.get("NVCC", "nvcc"), "-ptx", "-arch=compute_80", "-o", ptx, source], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return str(ptx)


class CuPy(GpuSystem):
    name, module, install = "CuPy", "cupy", "pip install cupy-cuda13x"

    def start(self):
        import cupy
        self.cp = cupy
        self.kernel = cupy.RawKernel(TWICE, "twice")

    def version(self):
        return self.cp.__version__

    def view(self, x):
        return self.cp.asarray(x)

    def pointer(self, view):
        return view.data.ptr

    def read(self, view):
        return self.cp.asnumpy(view)

    def double(self, view):
        view *= 2
        self.cp.cuda.Device().synchronize()

    def make(self, values):
        return self.cp.array(values)

    def launch(self, kernel, x):
        kernel((GRID,), (BLOCK,), (self.view(x), np.int32(N)))
        self.cp.cuda.Device().synchronize()
        equal(x.copy_to_host(), 2 * numbers(), f"{x.memory}: what the kernel made of it")

    def raw_kernel(self):
        for kind in self.kinds:
            self.launch(self.kernel, umlab.array(numbers(), kind))
        return f"RawKernel on {', '.join(self.kinds)} memory"

    def raw_module_from_ptx(self):
        kernel = self.cp.RawModule(path=compiled_ptx()).get_function("twice")
        for kind in self.kinds:
            self.launch(kernel, umlab.array(numbers(), kind))
        return f"RawModule(path=PTX of nvcc) on {', '.join(self.kinds)} memory"

    def pinned_memory(self):
        pinned = self.cp.cuda.alloc_pinned_memory(4 * N)
        values = np.frombuffer(pinned, np.float32, N)
        values[:] = numbers()
        ours = over(pinned.ptr, values)
        umlab.saxpy(ours, 1, ours)
        umlab.synchronize()
        equal(values, 2 * numbers(), "what our kernel made of CuPy's pinned memory")
        return "our kernel works on alloc_pinned_memory()'s in place"

    def dlpack(self):
        for kind in ("device", "managed"):
            x = umlab.array(numbers(), kind)
            view = self.cp.from_dlpack(x)
            check(self.pointer(view) == x.ptr, f"{kind}: another address")
            del x
            gc.collect()
            equal(self.read(view), numbers(), f"{kind}: after our array went")
        return "from_dlpack: kDLCUDA and kDLCUDAManaged"

    def streams(self):
        """Work queued in a stream of its own is waited for, and ours in it, too."""
        stream = self.cp.cuda.Stream(non_blocking=True)
        x = umlab.array(numbers(), "device")
        with stream:
            view = self.view(x)
            view *= 2
        umlab.saxpy(x, 1, x, stream=stream)
        umlab.synchronize(stream)
        equal(x.copy_to_host(), 4 * numbers(), "after its work and ours in its stream")
        return "our kernel queued in CuPy's stream"

    more = ("raw_kernel", "raw_module_from_ptx", "pinned_memory", "dlpack", "streams")


class Numba(GpuSystem):
    name, module, install = "Numba", "numba.cuda", "pip install numba-cuda[cu13]"

    def start(self):
        if not hasattr(np, "row_stack"):
            np.row_stack = np.vstack  # gone from NumPy 2.5; numba still asks for it
        from numba import cuda
        self.cuda = cuda

        @cuda.jit
        def twice(x):
            i = cuda.grid(1)
            if i < x.size:
                x[i] *= 2

        self.kernel = twice

    def version(self):
        import importlib.metadata
        return f"{importlib.metadata.version('numba')}, numba-cuda {importlib.metadata.version('numba-cuda')}"

    def view(self, x):
        return self.cuda.as_cuda_array(x)

    def read(self, view):
        return view.copy_to_host()

    def double(self, view):
        self.kernel[GRID, BLOCK](view)
        self.cuda.synchronize()

    def make(self, values):
        return self.cuda.to_device(values)

    def array_as_argument(self):
        """A kernel is given an umlab.Array as it is."""
        for kind in self.kinds:
            x = umlab.array(numbers(), kind)
            self.kernel[GRID, BLOCK](x)
            self.cuda.synchronize()
            equal(x.copy_to_host(), 2 * numbers(), f"{kind}: what the kernel made of it")
        return "kernel[grid, block](x), x an umlab.Array"

    def records(self):
        """A structured array: its kernel reads and writes fields by name."""
        cuda = self.cuda

        @cuda.jit
        def move(records, time):
            i = cuda.grid(1)
            if i < records.size:
                for k in range(3):
                    records[i]["position"][k] += records[i]["velocity"][k] * time

        dtype = umlab.record_dtype
        values = np.zeros(256, dtype)
        values["position"], values["velocity"] = np.arange(768).reshape(256, 3), 2
        x = umlab.array(values, "managed")
        # it reads typestr alone, which names no fields
        move[1, 256](self.view(x).view(umlab.record_dtype), np.float32(3))
        self.cuda.synchronize()
        equal(np.asarray(x)["position"], values["position"] + 6, "positions after its kernel")
        return "struct um_record, field by field"

    more = ("array_as_argument", "records")


class PyTorch(GpuSystem):
    name, module, install = "PyTorch", "torch", "pip install torch"

    def start(self):
        import torch
        check(torch.cuda.is_available(), "this build of PyTorch sees no GPU")
        self.torch = torch

    def version(self):
        return self.torch.__version__

    def view(self, x):
        return self.torch.as_tensor(x, device="cuda")

    def pointer(self, tensor):
        return tensor.data_ptr()

    def read(self, tensor):
        return tensor.cpu().numpy()

    def double(self, tensor):
        tensor.mul_(2)
        self.torch.cuda.synchronize()

    def make(self, values):
        return self.torch.tensor(values, device="cuda")

    def dlpack(self):
        x = umlab.array(numbers(), "device")
        view = self.torch.from_dlpack(x)
        check(self.pointer(view) == x.ptr, "another address")
        del x
        gc.collect()
        equal(self.read(view), numbers(), "after our array went")
        managed = umlab.array(numbers(), "managed")
        view = self.torch.utils.dlpack.from_dlpack(managed.__dlpack__(dl_device=(2, 0), stream=1))
        check(self.pointer(view) == managed.ptr, "managed: another address")
        return "from_dlpack: kDLCUDA; managed memory shown as that"

    def pinned_memory(self):
        pinned = self.torch.empty(N, dtype=self.torch.float32, pin_memory=True)
        pinned.numpy()[:] = numbers()
        ours = over(pinned.data_ptr(), numbers())
        umlab.saxpy(ours, 1, ours)
        umlab.synchronize()
        equal(pinned.numpy(), 2 * numbers(), "what our kernel made of its pinned tensor")
        return "our kernel works on pin_memory=True's in place"

    more = ("dlpack", "pinned_memory")


class _AsCuda:
    """An umlab.Array for consumers that know device memory only as kDLCUDA."""

    def __init__(self, x):
        self.x = x

    def __dlpack__(self, **wishes):
        return self.x.__dlpack__(**{**wishes, "dl_device": (2, 0)})

    def __dlpack_device__(self):
        return 2, 0


class Jax(GpuSystem):
    """Its arrays are constant: it reads our memory in place, and its own is ours to read and not to write."""
    name, module, install = "JAX", "jax", "pip install jax[cuda13]"
    kinds = ("device", "managed")
    mutable = False

    def start(self):
        os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
        import jax
        self.jax, self.jnp = jax, jax.numpy
        check(jax.default_backend() == "gpu", f"this build of JAX computes on {jax.default_backend()}")

    def version(self):
        return self.jax.__version__

    def view(self, x):
        return self.jax.dlpack.from_dlpack(_AsCuda(x))

    def pointer(self, array):
        return array.unsafe_buffer_pointer()

    def read(self, array):
        return np.asarray(self.jnp.add(array, 0))  # an array's own value, once fetched, is kept

    def make(self, values):
        return self.jax.device_put(values).block_until_ready()

    def settle(self):
        gc.collect()
        time.sleep(0.3)  # it lets go of memory in a thread of its own

    def our_kernel(self):
        theirs = self.make(numbers())
        ours, sums = umlab.adopt(theirs), umlab.array(numbers(), "device")
        check(ours.ptr == self.pointer(theirs), "another address")
        umlab.saxpy(sums, 1, ours)
        equal(sums.copy_to_host(), 2 * numbers(), "what our kernel read there")
        if not ours.readonly:
            return "reads the memory that it allocated"
        refused(lambda: umlab.saxpy(ours, 1, sums), "read-only")
        return ("reads the memory that it allocated; a kernel that would write it is refused (it says that it is "
                "constant)")

    def its_kernel(self):
        twice = self.jax.jit(lambda x: 2 * x)
        for kind in self.kinds:
            x = umlab.array(numbers(), kind)
            equal(np.asarray(twice(self.view(x))), 2 * numbers(), f"{kind}: what it computes from it")
        return f"a jit function reads it in place (its results go to new memory): {', '.join(self.kinds)}"

    def error(self):
        whole = self.make(numbers().astype("i4"))
        y = umlab.array(numbers(), "device")
        return refused(lambda: umlab.saxpy(y, 1, whole), "int32", "float32")


class CudaPython(GpuSystem):
    """NVIDIA's bindings: addresses and calls, no arrays. Nothing holds on to memory, so who uses what is gone is
    told."""
    name, module, install = "CUDA Python", "cuda.bindings", "pip install cuda-python"

    def start(self):
        from cuda.bindings import driver, nvrtc, runtime
        self.driver, self.runtime, self.nvrtc = driver, runtime, nvrtc
        self.ok(runtime.cudaFree(0))  # the primary context
        program = self.ok(nvrtc.nvrtcCreateProgram(TWICE.encode(), b"twice.cu", 0, [], []))
        self.ok(nvrtc.nvrtcCompileProgram(program, 1, [b"--gpu-architecture=compute_80"]))
        ptx = b" " * self.ok(nvrtc.nvrtcGetPTXSize(program))
        self.ok(nvrtc.nvrtcGetPTX(program, ptx))
        self.module_of_twice = self.ok(driver.cuModuleLoadData(ptx))
        self.kernel = self.ok(driver.cuModuleGetFunction(self.module_of_twice, b"twice"))

    @staticmethod
    def ok(result):
        error, *values = result
        check(int(error) == 0, f"{error!r}")
        return values[0] if values else None

    def version(self):
        import importlib.metadata
        return importlib.metadata.version("cuda-bindings")

    def view(self, x):
        return self.driver.CUdeviceptr(x.__cuda_array_interface__["data"][0])

    def pointer(self, view):
        return int(view)

    def copy(self, to, source, nbytes):
        self.ok(self.runtime.cudaMemcpy(to, source, nbytes, self.runtime.cudaMemcpyKind.cudaMemcpyDefault))

    def read(self, view):
        out = np.empty(N, "f4")
        self.copy(out.ctypes.data, int(view), 4 * N)
        return out

    def double(self, view):
        arguments = ((int(view), N), (ctypes.c_void_p, ctypes.c_int))
        self.ok(self.driver.cuLaunchKernel(self.kernel, GRID, 1, 1, BLOCK, 1, 1, 0, 0, arguments, 0))
        self.ok(self.runtime.cudaDeviceSynchronize())

    def make(self, values):
        p = self.ok(self.driver.cuMemAlloc(values.nbytes))
        self.copy(int(p), values.ctypes.data, values.nbytes)
        return p

    def ours(self, theirs):
        return over(int(theirs), numbers())

    def lifetime(self):
        before = umlab.alive()
        x = umlab.array(numbers(), "device")
        view = int(self.view(x))
        del x
        gc.collect()
        check(umlab.alive() == before, "the memory did not go")
        known = self.ok(self.runtime.cudaPointerGetAttributes(view)).type
        check(known == self.runtime.cudaMemoryType.cudaMemoryTypeUnregistered,
              f"of memory that is gone CUDA says {known!r}")
        theirs = self.make(numbers())
        ours = self.ours(theirs)
        self.ok(self.driver.cuMemFree(theirs))
        refused(lambda: umlab.saxpy(ours, 1, ours), "not CUDA's")
        # not cudaMemcpyDefault: that takes a stale address for the host's
        error = self.runtime.cudaMemset(view, 0, 4)[0]
        check(int(error) != 0, "memory that is gone was written")
        return (f"it holds nothing; cudaMemset() of memory that is gone: {error.name}; its own, freed under ours, is "
                "refused")

    def error(self):
        stray = refused(lambda: over(0x1000, numbers()), "not CUDA's")
        error = self.runtime.cudaFree(0x1000)[0]
        check(int(error) != 0, "a stray address was taken")
        return f"{error.name} from its call; from ours {stray.split(': memory of')[0]}"


class PyCuda(GpuSystem):
    name, module, install = "PyCUDA", "pycuda", "pip install pycuda (it is compiled: CUDA's toolkit and a C++ compiler)"

    def start(self):
        import pycuda.autoprimaryctx  # noqa: F401  the context that CUDA's runtime uses
        import pycuda.driver as driver
        from pycuda import gpuarray
        from pycuda.compiler import SourceModule
        self.driver, self.gpuarray = driver, gpuarray
        self.kernel = SourceModule(TWICE, no_extern_c=True).get_function("twice")

        class Holder(driver.PointerHolderBase):
            """An address for PyCUDA's arrays, with the umlab.Array that it belongs to."""

            def __init__(self, x):
                super().__init__()
                self.x, self.address = x, x.__cuda_array_interface__["data"][0]

            def get_pointer(self):
                return self.address

            def __int__(self):
                return self.address

            __index__ = __int__

        self.Holder = Holder

    def version(self):
        import pycuda
        return pycuda.VERSION_TEXT

    def view(self, x):
        return self.gpuarray.GPUArray((N,), np.float32, gpudata=self.Holder(x))

    def pointer(self, view):
        return int(view.gpudata)

    def read(self, view):
        out = np.empty(N, view.dtype)
        self.driver.memcpy_dtoh(out, int(view.gpudata))
        return out

    def launch(self, argument):
        self.kernel(argument, np.int32(N), block=(BLOCK, 1, 1), grid=(GRID, 1))
        self.driver.Context.synchronize()

    def double(self, view):
        self.launch(view)

    def make(self, values):
        return self.gpuarray.to_gpu(values)

    def source_module(self):
        """A kernel of SourceModule takes an umlab.Array as it is."""
        for kind in self.kinds:
            x = umlab.array(numbers(), kind)
            self.launch(x)
            equal(x.copy_to_host(), 2 * numbers(), f"{kind}: what the kernel made of it")
        return f"a SourceModule kernel takes an umlab.Array: {', '.join(self.kinds)} memory"

    def mem_alloc(self):
        """mem_alloc, memcpy_htod, our kernel at int(allocation), memcpy_dtoh."""
        theirs, out = self.driver.mem_alloc(4 * N), np.empty(N, "f4")
        self.driver.memcpy_htod(theirs, numbers())
        ours = over(int(theirs), numbers())
        umlab.saxpy(ours, 1, ours)
        umlab.synchronize()
        self.driver.memcpy_dtoh(out, theirs)
        equal(out, 2 * numbers(), "what our kernel made of it")
        theirs.free()
        said = refused(lambda: umlab.saxpy(ours, 1, ours), "not CUDA's")
        return f"our kernel on a DeviceAllocation, at int(allocation); after free(): {said.split(' is ', 1)[-1]}"

    def allocation_from_our_pointer(self):
        """Its DeviceAllocation is made by mem_alloc only; a PointerHolderBase takes its place."""
        x = umlab.array(numbers(), "device")
        said = refused(lambda: self.driver.DeviceAllocation(x.ptr))
        out, holder = np.empty(N, "f4"), self.Holder(x)
        self.driver.memcpy_dtoh(out, holder)
        equal(out, numbers(), "memcpy_dtoh from the holder")
        self.driver.memcpy_htod(holder, 3 * numbers())
        equal(x.copy_to_host(), 3 * numbers(), "memcpy_htod to the holder")
        return ("memcpy_htod and memcpy_dtoh take a PointerHolderBase over our memory; DeviceAllocation(address) is "
                f"refused: {said[:60]}")

    def asynchronous_copies(self):
        """memcpy_htod_async and memcpy_dtoh_async between our pinned memory and its allocation, and our kernel, in its
        stream."""
        stream, theirs = self.driver.Stream(), self.driver.mem_alloc(4 * N)
        source, target = umlab.array(numbers(), "pinned"), umlab.empty(N, "f4", "pinned")
        self.driver.memcpy_htod_async(theirs, np.asarray(source), stream)
        ours = over(int(theirs), numbers())
        umlab.saxpy(ours, 1, ours, stream=stream)
        self.driver.memcpy_dtoh_async(np.asarray(target), theirs, stream)
        stream.synchronize()
        equal(np.array(np.asarray(target)), 2 * numbers(), "after copy, kernel and copy in its stream")
        umlab.synchronize(stream)
        return "in, our kernel, out: three entries in PyCUDA's stream, on our pinned memory"

    def structured_arrays(self):
        values, out = np.zeros(100, umlab.record_dtype), np.zeros(100, umlab.record_dtype)
        values["position"], values["velocity"] = np.arange(300).reshape(100, 3), 1
        theirs = self.driver.mem_alloc(values.nbytes)
        self.driver.memcpy_htod(theirs, values)
        umlab.record_move(over(int(theirs), values), 2)
        umlab.synchronize()
        self.driver.memcpy_dtoh(out, theirs)
        equal(out["position"], values["position"] + 2, "positions after our kernel")
        return "struct um_record by memcpy_htod, moved by our kernel, back by memcpy_dtoh"

    more = ("source_module", "mem_alloc", "allocation_from_our_pointer", "asynchronous_copies", "structured_arrays")


SYSTEMS = (CuPy, Numba, PyTorch, Jax, CudaPython, PyCuda)
