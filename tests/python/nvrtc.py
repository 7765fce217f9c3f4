#!/usr/bin/env python3
"""libnvrtc: what it answers beside NVIDIA's own, asked the same; and that what it compiles runs.

    tests/python/nvrtc.py [--record FILE]     FILE: the answers of NVIDIA's library, which needs no GPU, kept as data

The answers stand in tests/driver/measured/nvrtc.json. Where the toolkit is installed they are asked anew, and have to
be the same. Kernels are compiled, loaded and run in a process of umpython's.
"""
import ctypes
import json
import os
import subprocess
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent)]
from support import cases  # noqa: E402

BUILD = Path(os.environ.get("UMLAB_BUILD", cases.ROOT / "build/sim")).resolve()
OURS = BUILD / "driver/libnvrtc.so.13"
TOOLKIT = Path("/usr/local/cuda")
THEIRS = next((path / "libnvrtc.so.13" for path in (TOOLKIT / "lib64", TOOLKIT / "targets/x86_64-linux/lib")
               if (path / "libnvrtc.so.13").exists()), None)
KEPT = cases.ROOT / "tests/driver/measured/nvrtc.json"
RIGHT = b'''#include "own.h"
template <typename T> __global__ void scale(T *p, int n) { int i = threadIdx.x; if (i < n) p[i] = p[i] * OWN; }
__device__ int counter;
namespace space { __device__ float numbers[3]; __constant__ int fixed; }
static __global__ void alone(int *p) { *p = 1; }
namespace space { static __global__ void alone(int *p) { *p = 2; } }
extern "C" __global__ void count() { atomicAdd(&counter, 1); }
'''
WRONG = b"__global__ void k(int *p) { *p = nonsense; }"


class Library:
    """One libnvrtc: calls give their result's number."""

    def __init__(self, path):
        self.lib = ctypes.CDLL(str(path))
        self.lib.nvrtcGetErrorString.restype = ctypes.c_char_p

    def call(self, name, *arguments):
        return getattr(self.lib, f"nvrtc{name}")(*arguments)

    def program(self, source, name=b"t.cu", headers=()):
        program = ctypes.c_void_p()
        texts = (ctypes.c_char_p * len(headers))(*[text for _, text in headers])
        names = (ctypes.c_char_p * len(headers))(*[name for name, _ in headers])
        result = self.call("CreateProgram", ctypes.byref(program), source, name, len(headers), texts, names)
        return result, program

    def compile(self, program, *options):
        return self.call("CompileProgram", program, len(options), (ctypes.c_char_p * len(options))(*options))

    def size(self, what, program):
        size = ctypes.c_size_t(77)
        return self.call(f"Get{what}Size", program, ctypes.byref(size)), size.value

    def text(self, what, program):
        result, size = self.size(what, program)
        buffer = ctypes.create_string_buffer(size)
        return (result or self.call(f"Get{what}", program, buffer)), buffer.raw

    def lowered(self, program, expression):
        name = ctypes.c_char_p()
        return self.call("GetLoweredName", program, expression, ctypes.byref(name)), name.value


def ask(path):
    """{question: answer} of a library; what differs by compiler (texts, sizes) is asked as a yes or no."""
    it, said = Library(path), {}
    said["version"] = [it.call("Version", None, None)]
    for number in range(-1, 20):
        said[f"error {number}"] = it.lib.nvrtcGetErrorString(number).decode()
    for name, out, count in (("no program", False, 0), ("negative", True, -1), ("no headers", True, 1)):
        program = ctypes.c_void_p()
        said[f"create: {name}"] = it.call("CreateProgram", ctypes.byref(program) if out else None, WRONG, b"t", count,
                                          None, None)
    said["destroy: none"] = it.call("DestroyProgram", ctypes.byref(ctypes.c_void_p()))
    result, program = it.program(RIGHT, headers=[(b"own.h", b"#define OWN 3\n")])
    said["create"] = result
    said["before: lowered"] = it.lowered(program, b"scale<int>")[0]
    said["before: log"] = it.size("ProgramLog", program)[0]
    asked = (b"scale<int>", b"&counter", b"space::numbers", b"&space::fixed", b"scale<double>", b"::alone",
             b"space::alone")
    said["add"] = [it.call("AddNameExpression", program, name) for name in asked]
    said["compile"] = it.compile(program, b"--gpu-architecture=sm_90", b"--std=c++17")
    said["log"] = it.text("ProgramLog", program)[0]
    said["add afterwards"] = it.call("AddNameExpression", program, b"scale<float>")
    said["lowered"] = [[result, name.decode() if name else None] for result, name in
                       (it.lowered(program, name) for name in (*asked, b"scale<float>"))]
    for what in ("CUBIN", "PTX", "ProgramLog"):
        result, size = it.size(what, program)
        said[f"size: {what}"] = [result, size > 0]
    said["destroy"] = [it.call("DestroyProgram", ctypes.byref(program)), program.value]
    _, program = it.program(WRONG, None)
    said["compile: wrong"] = it.compile(program)
    said["wrong: log names it"] = b"nonsense" in it.text("ProgramLog", program)[1]
    said["wrong: default name"] = b"default_program" in it.text("ProgramLog", program)[1]
    _, program = it.program(b"__global__ void k() {}")
    said["option"] = it.compile(program, b"--no-such-option")
    said["option: log"] = b"no-such-option" in it.text("ProgramLog", program)[1]
    _, program = it.program(b'#include "missing.h"\n')
    said["missing header"] = it.compile(program)
    _, program = it.program(b"#ifndef A\n#error A\n#endif\n#ifndef __CUDACC_RTC__\n#error RTC\n#endif\n"
                            b"__global__ void k(int *p) { *p = A; }")
    said["define"] = it.compile(program, b"-DA=2")
    _, program = it.program(b"#ifdef __CUDA_ARCH__\ntypedef int number;\n#else\n#error host\n#endif\n"
                            b"__global__ void k(number *p) { *p = 1; }")
    said["__CUDA_ARCH__ from beginning to end"] = it.compile(program)
    _, program = it.program(b"__global__ void k(int *p) { assert(*p == 1); }")
    said["assert() is there"] = it.compile(program)
    _, program = it.program(b"__global__ void k() {}")
    said["name: nothing"] = it.call("AddNameExpression", program, b"no_such_thing")
    said["name: compile"] = it.compile(program)
    return said


# What differs on purpose, and why.
DIFFERS = {}


class Nvrtc(cases.Case):
    def test_answers(self):
        "each question is answered as NVIDIA's library answers it"
        kept = json.loads(KEPT.read_text())["answers"]
        ours = json.loads(json.dumps(ask(OURS)))
        self.assertEqual({name: [ours[name], kept[name]] for name in kept
                          if ours[name] != kept[name] and name not in DIFFERS}, {})
        self.assertEqual(sorted(kept), sorted(ours))

    def test_kept(self):
        "the kept answers are those of the toolkit's library"
        if not THEIRS:
            self.skipTest("no libnvrtc of NVIDIA's is here")
        self.assertEqual(json.loads(json.dumps(ask(THEIRS))), json.loads(KEPT.read_text())["answers"])

    def test_folders(self):
        "headers by names with folders are found; names that lead elsewhere are refused; no file stays"
        it = Library(OURS)
        result, program = it.program(b'#include "a/b/c.h"\n__global__ void k(int *p) { *p = C; }',
                                     headers=[(b"a/b/c.h", b'#include "d.h"\n'), (b"a/b/d.h", b"#define C 1\n")])
        before = set(Path(self.folder).iterdir())
        os.environ["TMPDIR"] = str(self.folder)
        self.addCleanup(os.environ.pop, "TMPDIR")
        self.assertEqual((result, it.compile(program)), (0, 0), it.text("ProgramLog", program))
        self.assertEqual(set(Path(self.folder).iterdir()), before)
        for name in (b"../x.h", b"/tmp/x.h", b"a/../../x.h", b"..", b""):
            self.assertEqual(it.program(WRONG, headers=[(name, b"")])[0], 3, name)
        os.environ["TMPDIR"] = str(self.folder / "none")
        self.assertEqual(it.compile(program), 7)
        self.assertIn(b"no folder for files", it.text("ProgramLog", program)[1])

    def test_runs(self):
        "what it compiles is loaded, as a module and as text, and runs; text that was changed is refused"
        done = subprocess.run([BUILD / "bin/umpython", __file__, "--inside"], capture_output=True, text=True,
                              check=False, env={**os.environ, "UMPYTHON": sys.executable, "UMLAB_BUILD": str(BUILD)})
        said = "CUBIN [0, 3, 6, 9] 64\nPTX [0, 3, 6, 9] 64\n"
        self.assertEqual((done.returncode, done.stdout), (0, said), done.stderr)


def load(driver, image):
    module = ctypes.c_void_p()
    return driver.cuModuleLoadData(ctypes.byref(module), image), module


def run(driver, module, name):
    """Four numbers, times three; and what 64 threads counted."""
    function, address, size = ctypes.c_void_p(), ctypes.c_uint64(), ctypes.c_size_t()
    numbers, n = (ctypes.c_int * 4)(0, 1, 2, 3), ctypes.c_int(4)
    assert driver.cuModuleGetFunction(ctypes.byref(function), module, name) == 0
    assert driver.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(16)) == 0
    driver.cuMemcpyHtoD_v2(address, numbers, ctypes.c_size_t(16))
    values = (ctypes.c_void_p * 2)(ctypes.addressof(address), ctypes.addressof(n))
    assert driver.cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, None, values, None) == 0
    assert driver.cuMemcpyDtoH_v2(numbers, address, ctypes.c_size_t(16)) == 0
    assert driver.cuModuleGetFunction(ctypes.byref(function), module, b"count") == 0
    assert driver.cuLaunchKernel(function, 2, 1, 1, 32, 1, 1, 0, None, None, None) == 0
    assert driver.cuModuleGetGlobal_v2(ctypes.byref(address), ctypes.byref(size), module, b"counter") == 0
    counted = ctypes.c_int()
    assert driver.cuMemcpyDtoH_v2(ctypes.byref(counted), address, ctypes.c_size_t(4)) == 0
    return list(numbers), counted.value


def inside():
    driver, it, context = ctypes.CDLL("libcuda.so.1"), Library(OURS), ctypes.c_void_p()
    assert driver.cuInit(0) == 0 and driver.cuCtxCreate_v2(ctypes.byref(context), 0, 0) == 0
    _, program = it.program(RIGHT, headers=[(b"own.h", b"#define OWN 3\n")])
    it.call("AddNameExpression", program, b"scale<int>")
    assert it.compile(program, b"-arch=sm_90") == 0, it.text("ProgramLog", program)
    _, name = it.lowered(program, b"scale<int>")
    for what in ("CUBIN", "PTX"):
        result, image = it.text(what, program)
        image = image[:-1]  # as CuPy does
        error, module = load(driver, image)
        assert (result, error) == (0, 0), (result, error)
        print(what, *run(driver, module, name))
    image += b"\0"
    for change in (lambda text: text[:1000], lambda text: text[:1000] + b"\0",
                   lambda text: text[:999] + b"!" + text[1000:],
                   lambda text: text.replace(b"//umlab module 1 ", b"//umlab module 1 9", 1),
                   lambda text: text[:999] + bytes([text[999] ^ 1]) + text[1000:]):
        error, _ = load(driver, change(image))
        assert error == 200, error


if __name__ == "__main__":
    if sys.argv[1:] == ["--inside"]:
        sys.exit(inside())
    if sys.argv[1:2] == ["--record"]:
        Path(sys.argv[2]).write_text(json.dumps({"library": "NVRTC 13.0", "answers": ask(THEIRS)}, indent=1) + "\n")
        sys.exit(0)
    sys.exit(cases.main())
