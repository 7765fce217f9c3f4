"""Systems that work in host memory: ctypes, numpy, PyOpenCL on a processor, PyTorch's and TensorFlow's CPU builds."""
import ctypes
import gc
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import umlab
from cells import COPY_FIRST, N, Registered, Skip, System, check, cudart, equal, numbers, on_gpu, over, refused

HERE = Path(__file__).parent
FLOATS = ctypes.c_float * N


class Ctypes(System):
    name, module = "ctypes", "ctypes"

    def version(self):
        return "Python " + sys.version.split()[0]

    def view(self, x):
        return FLOATS.from_buffer(x)

    def pointer(self, view):
        return ctypes.addressof(view)

    def read(self, view):
        return np.array(view[:], "f4")

    def double(self, view):
        """A kernel that a C library launches, as ctypes calls it: with addresses."""
        p = ctypes.c_void_p(ctypes.addressof(view))
        kernels = ctypes.CDLL(os.environ["UMLAB_LIBRARY"])
        check(kernels.um_vector_add(p, p, p, ctypes.c_size_t(N), None) == 0, "the launch")
        check(cudart().cudaDeviceSynchronize() == 0, "the kernel")

    def make(self, values):
        return FLOATS(*values)

    def error(self):
        x = umlab.array(numbers(), "device")
        said = refused(lambda: self.view(x), COPY_FIRST)
        stale = umlab.array(numbers(), "device")
        address = stale.ptr
        stale.free()
        refused(lambda: over(address, numbers()), "not CUDA's")
        return said

    def records(self):
        """struct um_record as a ctypes.Structure: made of the library's own description, then moved by a kernel."""
        simple = {"f": ctypes.c_float, "d": ctypes.c_double}
        integers = {1: ctypes.c_uint8, 2: ctypes.c_uint16, 4: ctypes.c_uint32, 8: ctypes.c_uint64}
        dtype = umlab.record_dtype
        members = []
        for name in sorted(dtype.names, key=lambda n: dtype.fields[n][1]):
            field = dtype.fields[name][0]
            base = simple.get(field.base.char) or integers[field.base.itemsize]
            members.append((name, base * field.shape[0] if field.shape else base))
        Record = type("Record", (ctypes.Structure,), {"_fields_": members})
        check(ctypes.sizeof(Record) == dtype.itemsize, f"{ctypes.sizeof(Record)} bytes, {dtype.itemsize} in C")
        for name, _ in members:
            check(getattr(Record, name).offset == dtype.fields[name][1], f"{name} lies elsewhere in C")
        x = umlab.empty(100, dtype, "managed")
        records = (Record * 100).from_buffer(x)
        for i, record in enumerate(records):
            record.position[:], record.velocity[:] = [i, 0, 1], [1, 2, i]
        umlab.record_move(x, 2)
        umlab.synchronize()
        check(all(list(r.position) == [i + 2, 4, 1 + 2 * i] for i, r in enumerate(records)),
              "positions after the kernel")
        return f"a Structure of {ctypes.sizeof(Record)} bytes, every field at C's place, moved by a kernel"

    def unmodified_program(self):
        """An ordinary program that knows only libcudart.so, with a directory on the library path."""
        home = os.path.join(os.environ.get("CUDA_HOME", "/usr/local/cuda"), "lib64")
        where = home if on_gpu() else os.path.join(os.environ["UMLAB_BUILD"], "lib")
        path = os.pathsep.join(filter(None, (where, os.environ.get("LD_LIBRARY_PATH"))))
        done = subprocess.run([sys.executable, HERE / "programs" / "plain_cudart.py"],
                              env={**os.environ, "LD_LIBRARY_PATH": path}, capture_output=True, text=True, check=False)
        check(done.returncode == 0, (done.stdout + done.stderr)[-300:])
        equal(np.array(done.stdout.split()), np.array("0 0 0 1023 0 2046.0 1 0".split()), "what it prints")
        return "written for NVIDIA's libcudart.so; prints the same here and there"

    def stale_address(self):
        """A device address that was freed, and cudaMemcpy is to find out whose it is: an H200's driver takes it for the
        host's, and follows it. The simulator says cudaErrorInvalidValue. In a process of its own."""
        code = ("import ctypes, sys\ncudart, p = ctypes.CDLL(sys.argv[1]), ctypes.c_void_p()\n"
                "cudart.cudaMalloc(ctypes.byref(p), ctypes.c_size_t(4096))\ncudart.cudaFree(p)\n"
                "print(cudart.cudaMemcpy(p, (ctypes.c_float * 4)(), ctypes.c_size_t(16), 4))  # cudaMemcpyDefault\n")
        done = subprocess.run([sys.executable, "-c", code, cudart()._name], capture_output=True, text=True, check=False)
        if on_gpu():
            check(done.returncode == -signal.SIGSEGV, f"status {done.returncode}, {done.stdout.strip()}")
            return "cudaMemcpy with cudaMemcpyDefault to a freed device address: the process dies of SIGSEGV"
        check((done.returncode, done.stdout.strip()) == (0, "1"), f"status {done.returncode}, {done.stdout.strip()}")
        return "cudaMemcpy with cudaMemcpyDefault to a freed device address: cudaErrorInvalidValue"

    more = ("records", "unmodified_program", "stale_address")


class Numpy(System):
    name, module, install = "numpy", "numpy", "pip install numpy"

    def view(self, x):
        return np.asarray(x)

    def pointer(self, view):
        return view.ctypes.data

    def read(self, view):
        return np.array(view)

    def double(self, view):
        view *= 2

    def make(self, values):
        return values.copy()

    def records(self):
        x = umlab.empty(100, umlab.record_dtype, "managed")
        rows = np.asarray(x)
        rows["position"], rows["velocity"] = np.arange(300).reshape(100, 3), 1
        umlab.record_move(x, 3)
        umlab.synchronize()
        equal(rows["position"], np.arange(300).reshape(100, 3) + 3, "positions after the kernel")
        packed = np.dtype([(name, umlab.record_dtype.fields[name][0]) for name in umlab.record_dtype.names])
        wrong = np.dtype([("position", "f8", (3,))] + [(n, packed.fields[n][0]) for n in packed.names
                                                       if n != "position"])
        return refused(lambda: umlab.check_record(wrong), "'position'")

    def dlpack(self):
        for kind in self.kinds:
            x = umlab.array(numbers(), kind)
            view = np.from_dlpack(_Host(x))
            check(view.ctypes.data == x.ptr, f"{kind}: another address")
            del x
            gc.collect()
            equal(view, numbers(), f"{kind}: after our array went")
        return "numpy.from_dlpack, as kDLCPU: same address"

    more = ("records", "dlpack")


class _Host:
    """An umlab.Array for consumers that know host memory only as kDLCPU."""

    def __init__(self, x):
        self.x = x

    def __dlpack__(self, *, max_version=None, **_):
        return self.x.__dlpack__(dl_device=(1, 0), max_version=max_version)

    def __dlpack_device__(self):
        return 1, 0


TWICE = "__kernel void twice(__global float *x) { x[get_global_id(0)] *= 2; }"


class PyOpenCL(System):
    """A cl.Buffer is a handle: its address is what mapping it gives."""
    name, module = "PyOpenCL", "pyopencl"
    install = "pip install pyopencl, and an OpenCL driver (Debian: apt-get install pocl-opencl-icd)"

    def start(self):
        os.environ.setdefault("POCL_CACHE_DIR", os.path.join(os.environ["UMLAB_SCRATCH"], "pocl"))
        import pyopencl as cl
        self.cl = cl
        try:
            devices = [d for p in cl.get_platforms() for d in p.get_devices() if d.type & cl.device_type.CPU]
        except cl.Error:
            devices = []
        if not devices:
            raise Skip("no OpenCL driver for a processor: Debian's pocl-opencl-icd")
        self.context = cl.Context(devices[:1])
        self.queue = cl.CommandQueue(self.context)
        self.program = cl.Program(self.context, TWICE).build()
        self.platform = devices[0].platform

    def version(self):
        # "OpenCL 3.0 PoCL 5.0+debian ...": which driver, after which OpenCL
        driver = self.platform.version.split()[2:4]
        return f"{super().version()}, {self.platform.name} {driver[-1] if driver else ''}".strip()

    def view(self, x):
        flags = self.cl.mem_flags
        return self.cl.Buffer(self.context, flags.READ_WRITE | flags.USE_HOST_PTR, hostbuf=np.asarray(x))

    def mapped(self, buffer):
        return self.cl.enqueue_map_buffer(self.queue, buffer, self.cl.map_flags.READ, 0, (N,), np.float32,
                                          is_blocking=True)[0]

    def look(self, buffer, how):
        view = self.mapped(buffer)
        try:
            return how(view)
        finally:
            view.base.release(self.queue)
            self.queue.finish()

    def pointer(self, buffer):
        return self.look(buffer, lambda view: view.ctypes.data)

    def read(self, buffer):
        return self.look(buffer, np.array)

    def double(self, buffer):
        self.program.twice(self.queue, (N,), None, buffer)
        self.look(buffer, id)  # the host may look again when it is mapped

    def make(self, values):
        flags = self.cl.mem_flags
        return self.cl.Buffer(self.context, flags.READ_WRITE | flags.COPY_HOST_PTR | flags.ALLOC_HOST_PTR,
                              hostbuf=values)

    def shared_virtual_memory(self):
        """Memory that OpenCL allocates for host and kernels, one address for both; and ours, by its own kernel
        argument."""
        cl = self.cl
        if not self.context.devices[0].svm_capabilities & cl.device_svm_capabilities.COARSE_GRAIN_BUFFER:
            raise Skip("this device has no shared virtual memory")
        memory = cl.svm_empty(self.context, cl.svm_mem_flags.READ_WRITE, (N,), np.float32)
        svm = cl.SVM(memory)
        with svm.map_rw(self.queue) as view:
            view[:] = numbers()
            address = view.ctypes.data
        self.program.twice(self.queue, (N,), None, svm)
        self.queue.finish()
        with Registered(address, 4 * N):
            ours = over(address, numbers())
            umlab.saxpy(ours, 1, ours)
            umlab.synchronize()
            del ours
        with svm.map_ro(self.queue) as view:
            check(view.ctypes.data == address, "another address")
            equal(np.array(view), 4 * numbers(), "after its kernel and ours")
        return "SVM: one address for host, its kernel and ours"

    more = ("shared_virtual_memory",)


class TorchOnHost(System):
    name, module = "PyTorch, CPU", "torch"
    install = "pip install torch (or Debian's python3-torch)"
    backends = ("sim",)

    def start(self):
        import torch
        self.torch = torch

    def version(self):
        return self.torch.__version__

    def view(self, x):
        return self.torch.utils.dlpack.from_dlpack(x.__dlpack__(dl_device=(1, 0)))

    def pointer(self, tensor):
        return tensor.data_ptr()

    def read(self, tensor):
        return np.array(tensor.tolist(), "f4")

    def double(self, tensor):
        tensor.mul_(2)

    def make(self, values):
        return self.torch.tensor(values.tolist(), dtype=self.torch.float32)


class _Capsule:
    """What numpy asks of a producer, around a capsule that is there already."""

    def __init__(self, capsule):
        self.capsule = capsule

    def __dlpack__(self, **_):
        return self.capsule

    def __dlpack_device__(self):
        return 1, 0


class TensorFlow(System):
    """Its tensors are constant, so that `double` is not asked; a computation of its own takes its place."""
    name, module = "TensorFlow", "tensorflow"
    install = ("pip install tensorflow-cpu; on a GPU pip install tensorflow[and-cuda], because a CPU build cannot "
               "decide what is asked about device pointers")
    mutable = False

    def start(self):
        os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
        if on_gpu():
            raise Skip("its CPU build shares host memory only, and cannot decide what is asked about device pointers; "
                       "a GPU build needs pip install tensorflow[and-cuda]")
        import tensorflow
        self.tf = tensorflow

    def version(self):
        return self.tf.__version__ + " (CPU)"

    def view(self, x):
        return self.tf.experimental.dlpack.from_dlpack(x.__dlpack__(dl_device=(1, 0)))

    def pointer(self, tensor):
        return np.from_dlpack(_Capsule(self.tf.experimental.dlpack.to_dlpack(tensor))).ctypes.data

    def read(self, tensor):
        return np.array(self.tf.identity(tensor) + 0)

    def make(self, values):
        return self.tf.constant(values) + 0  # an operation's result: memory of its own allocator

    def its_kernel(self):
        for kind in self.kinds:
            x = umlab.array(numbers(), kind)
            equal(np.asarray(self.view(x) * 2), 2 * numbers(), f"{kind}: what it computes from it")
        return "reads it in place (its results go to new memory): pinned, mapped, managed"


SYSTEMS = (Ctypes, Numpy, PyOpenCL, TorchOnHost, TensorFlow)
