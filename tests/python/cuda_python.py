#!/usr/bin/env python3
"""cuda.bindings and cuda.core on the simulated GPU, by umpython: modules made at run time, memory, streams, mistakes.

    tests/python/cuda_python.py

Runs with the Python of support/packages.py, or says SKIP.
"""
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent)]
from support import cases, packages  # noqa: E402

BEGIN = """
import ctypes
import numpy as np
from cuda.bindings import driver, nvrtc
from cuda.core import Device, LaunchConfig, LegacyPinnedMemoryResource, Program, ProgramOptions, launch
def ok(r):
    assert r[0].value == 0, r[0]
    return r[1] if len(r) == 2 else r[1:]
dev = Device(); dev.set_current(); stream = dev.create_stream()
options = ProgramOptions(std='c++17', arch=f'sm_{dev.arch}')
n = 1000
"""
TEMPLATE = """
source = '''template <typename T> __global__ void axpy(T a, const T *x, T *y, size_t n)
{
    for (size_t i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = a * x[i] + y[i];
}'''
"""
CASES = {
    "cuda.core: templates by name expressions, pinned memory, as cubin and as ptx": TEMPLATE + """
for kind in ('cubin', 'ptx'):
    made = Program(source, 'c++', options=options)
    made = made.compile(kind, name_expressions=('axpy<float>', 'axpy<double>'))
    host = LegacyPinnedMemoryResource().allocate(n * 8)
    for type_, name in ((np.float32, 'axpy<float>'), (np.float64, 'axpy<double>')):
        h = np.from_dlpack(host).view(type_)[:n]
        h[:] = np.arange(n)
        x, y = (dev.allocate(n * 8, stream=stream) for _ in 'xy')
        x.copy_from(host, stream=stream); y.copy_from(host, stream=stream)
        launch(stream, LaunchConfig(grid=8, block=64), made.get_kernel(name), type_(2), x, y, np.uint64(n))
        y.copy_to(host, stream=stream)
        stream.sync()
        assert (h == 3 * np.arange(n)).all(), kind
""",
    "cuda.core: events, streams, attributes of kernels": TEMPLATE + """
kernel = Program(source, 'c++', options=options).compile('cubin', name_expressions=('axpy<int>',))
kernel = kernel.get_kernel('axpy<int>')
assert kernel.attributes.max_threads_per_block == 1024
a, b = dev.create_event({'timing_enabled': True}), dev.create_event({'timing_enabled': True})
x, y = (dev.allocate(n * 4, stream=stream) for _ in 'xy')
stream.record(a)
launch(stream, LaunchConfig(grid=1, block=256), kernel, np.int32(1), x, y, np.uint64(n))
stream.record(b)
b.sync()
assert b - a > 0
""",
    "cuda.bindings.nvrtc: headers, a log, lowered names of variables": """
program = ok(nvrtc.nvrtcCreateProgram(b'#include "own.h"\\nnamespace a { __device__ int counter; } '
    b'extern "C" __global__ void k() { atomicAdd(&a::counter, OWN); }', b'k.cu', 1, [b'#define OWN 2'], [b'own.h']))
ok(nvrtc.nvrtcAddNameExpression(program, b'&a::counter'))
ok(nvrtc.nvrtcCompileProgram(program, 1, [b'--gpu-architecture=sm_90']))
image = b' ' * ok(nvrtc.nvrtcGetCUBINSize(program)); ok(nvrtc.nvrtcGetCUBIN(program, image))
module = ok(driver.cuModuleLoadData(image))
ok(driver.cuLaunchKernel(ok(driver.cuModuleGetFunction(module, b'k')), 2, 1, 1, 32, 1, 1, 0, 0, 0, 0))
address, size = ok(driver.cuModuleGetGlobal(module, ok(nvrtc.nvrtcGetLoweredName(program, b'&a::counter'))))
value = np.zeros(1, np.int32); ok(driver.cuMemcpyDtoH(value.ctypes.data, address, 4))
assert (value[0], size) == (128, 4)
""",
    "kernels that are static, or in namespaces without a name, are found by their lowered names": """
text = b'template <class T> static __global__ void f(T *p) { *p = 1; }'
text += b'static __global__ void h(int *p, int n) { *p = n; }'
text += b'namespace { __global__ void g(int *p) { *p = 3; } }'
text += b'namespace a { static __global__ void g(int *p) { *p = 4; } }'
names = b'f<int>', b'h', b'g', b'a::g'
program = ok(nvrtc.nvrtcCreateProgram(text, b'k.cu', 0, [], []))
for name in names:
    ok(nvrtc.nvrtcAddNameExpression(program, name))
ok(nvrtc.nvrtcCompileProgram(program, 1, [b'--gpu-architecture=sm_90']))
image = b' ' * ok(nvrtc.nvrtcGetCUBINSize(program)); ok(nvrtc.nvrtcGetCUBIN(program, image))
module, place, value = ok(driver.cuModuleLoadData(image)), ok(driver.cuMemAlloc(4)), np.zeros(1, np.int32)
for number, name in enumerate(names):
    kernel = ok(driver.cuModuleGetFunction(module, ok(nvrtc.nvrtcGetLoweredName(program, name))))
    given = ((int(place), 2), (ctypes.c_void_p, ctypes.c_int)) if number == 1 else ((int(place),), (ctypes.c_void_p,))
    ok(driver.cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, 0, given, 0))
    ok(driver.cuMemcpyDtoH(value.ctypes.data, place, 4))
    assert value[0] == number + 1, (name, value)
assert driver.cuModuleGetFunction(module, b'_Z1qPi')[0] == driver.CUresult.CUDA_ERROR_NOT_FOUND
""",
    "an error of the compiler is an exception with its text": """
try:
    Program('__global__ void k(int *p) { *p = nonsense; }', 'c++', options=options).compile('cubin')
    raise SystemExit('it compiled')
except Exception as error:
    assert 'nonsense' in str(error), error
""",
    "cuda.bindings.runtime has NVIDIA's runtime inside: an error, and one line": """
from cuda.bindings import runtime
print(runtime.cudaMalloc(16)[0].name)
print(runtime.cudaMalloc(16)[0].name)
""",
    "cuda.core: a captured graph, and one whose loop a kernel ends": """
source = '''extern "C" __device__ __cudart_builtin__ void CUDARTAPI cudaGraphSetConditional(
    cudaGraphConditionalHandle handle, unsigned int value);
extern "C" __global__ void add(int *p, int by) { *p += by; }
extern "C" __global__ void again(int *p, cudaGraphConditionalHandle handle)
{
    *p += 1;
    cudaGraphSetConditional(handle, *p < 7);
}'''
made = Program(source, 'c++', options=options).compile('cubin')
add, again = made.get_kernel('add'), made.get_kernel('again')
one, host = LaunchConfig(grid=1, block=1), LegacyPinnedMemoryResource().allocate(4)
value = np.from_dlpack(host).view(np.int32)
value[0] = 0
builder = dev.create_graph_builder().begin_building()
launch(builder, one, add, host, np.int32(5))
left, right = builder.split(2)
launch(right, one, add, host, np.int32(10))
graph = type(builder).join(left, right).end_building().complete()
for turn in range(1, 4):
    graph.launch(stream); stream.sync()
    assert value[0] == 15 * turn, (turn, value[0])
value[0] = 0
builder = dev.create_graph_builder().begin_building()
condition = builder.create_condition(default_value=1)
body = builder.while_loop(condition).begin_building()
launch(body, one, again, host, condition)
body.end_building()
graph = builder.end_building().complete()
graph.launch(stream); stream.sync()
assert value[0] == 7, value[0]
""",
    "cuda.bindings: a texture of small integers is read as fractions, or as they are": """
source = '''extern "C" __global__ void look(cudaTextureObject_t t, float *out) { out[threadIdx.x] =
    tex1D<float>(t, threadIdx.x + 0.5f); }
extern "C" __global__ void count(cudaTextureObject_t t, float *out) { out[threadIdx.x] =
    tex1D<unsigned char>(t, threadIdx.x + 0.5f); }'''
made = Program(source, 'c++', options=options).compile('cubin')
shape = driver.CUDA_ARRAY_DESCRIPTOR()
shape.Width, shape.Height, shape.NumChannels = 4, 0, 1
shape.Format = driver.CUarray_format.CU_AD_FORMAT_UNSIGNED_INT8
array, texels = ok(driver.cuArrayCreate(shape)), np.array([0, 51, 102, 255], np.uint8)
ok(driver.cuMemcpyHtoA(array, 0, texels.ctypes.data, 4))
resource, reading = driver.CUDA_RESOURCE_DESC(), driver.CUDA_TEXTURE_DESC()
resource.resType = driver.CUresourcetype.CU_RESOURCE_TYPE_ARRAY
resource.res.array.hArray = array
host = LegacyPinnedMemoryResource().allocate(16)
values = np.from_dlpack(host).view(np.float32)
for name, flags, expected in (('look', 0, texels / np.float32(255)), ('count', 1, texels)):
    reading.flags = flags  # CU_TRSF_READ_AS_INTEGER
    texture = ok(driver.cuTexObjectCreate(resource, reading, None))
    assert ok(driver.cuTexObjectGetTextureDesc(texture)).flags == flags
    launch(stream, LaunchConfig(grid=1, block=4), made.get_kernel(name), np.uint64(int(texture)), host)
    stream.sync()
    assert np.allclose(values, expected, atol=1e-6), (name, values)
    ok(driver.cuTexObjectDestroy(texture))
""",
    "cuda.core: an event behind a kernel that polls for the host is not ready before the host has answered": """
import time
source = '''#include <cuda/atomic>
extern "C" __global__ void latch(int *flag, unsigned long long limit)
{
    cuda::atomic_ref<int, cuda::thread_scope_system> signal{*flag};
    const unsigned long long start = clock64();
    while (!signal.load(cuda::memory_order_relaxed) && clock64() - start < limit)
        __nanosleep(1000000);
}
extern "C" __global__ void behind(int *flag) { flag[1] = flag[0] ? 2 : 1; }'''
made = Program(source, 'c++', options=options).compile('cubin')
host = LegacyPinnedMemoryResource().allocate(8)
flag = np.from_dlpack(host).view(np.int32)
flag[:] = 0
one = LaunchConfig(grid=1, block=1)
launch(stream, one, made.get_kernel('latch'), host, np.uint64(20 * 1000 * dev.properties.clock_rate))
launch(stream, one, made.get_kernel('behind'), host)
event = stream.record()
assert not event.is_done
time.sleep(0.4)
assert not event.is_done and flag[1] == 0, flag
flag[0] = 1
event.sync()
assert flag[1] == 2, flag
""",
    "a kernel that follows a NumPy pointer is explained": """
kernel = Program('extern "C" __global__ void k(float *p) { p[0] = 1; }', 'c++', options=options)
kernel = kernel.compile('cubin').get_kernel('k')
launch(stream, LaunchConfig(grid=1, block=1), kernel, np.zeros(4).ctypes.data)
try:
    stream.sync()
except Exception as error:
    print(type(error).__name__, error)
""",
}
SAYS = {
    "cuda.bindings.runtime has NVIDIA's runtime inside: an error, and one line":
        ("cudaErrorNotSupported", "umsim: a library of NVIDIA's with a CUDA runtime inside"),
    "a kernel that follows a NumPy pointer is explained":
        ("kernel k wrote memory that it cannot reach", "CUDA_ERROR_ILLEGAL_ADDRESS"),
}


class CudaPython(cases.Case):
    python = None

    def umpython(self, *arguments):
        return packages.umpython(self.python, *arguments)

    def program(self, name):
        path = self.folder / "program.py"
        path.write_text(BEGIN + CASES[name])
        done = self.umpython(path)
        self.assertEqual(done.returncode, 0, done.stderr)
        for text in SAYS.get(name, ()):
            self.assertIn(text, done.stdout + done.stderr)
        if name in SAYS:
            return
        self.assertEqual(done.stdout + done.stderr, "")

    def test_doctor(self):
        "umpython --doctor says that cuda.core works"
        self.assertRegex(self.umpython("--doctor").stdout, r"ok +cuda-core 1[.0-9]+: a kernel ran")


def case(name):
    def test(self):
        self.program(name)
    test.__doc__ = name
    return test


def setUpModule():
    CudaPython.python = packages.python("cuda-python")


for number, title in enumerate(CASES):
    setattr(CudaPython, f"test_{number}", case(title))
if __name__ == "__main__":
    sys.exit(cases.main())
