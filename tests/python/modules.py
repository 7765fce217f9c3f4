#!/usr/bin/env python3
"""Modules of umcc's, loaded and unloaded a thousand times, and 10,000 that were changed: memory flat, no crash. What
others have made is refused, and none of it runs. Modules that are linked find each other's functions.

    tests/python/modules.py          a tenth of both; UM_LONG=1 all; SEED=n other changes

A changed module stands at the end of readable memory, so that a read behind it is a fault.
"""
import base64
import ctypes
import mmap
import os
import random
import re
import subprocess
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent)]
from support import cases  # noqa: E402

BUILD = Path(os.environ.get("UMLAB_BUILD", cases.ROOT / "build/sim")).resolve()
PART = 1 if os.environ.get("UM_LONG") else 10
SOURCE = '__device__ int many[1000]; extern "C" __global__ void twice(float *p) { p[threadIdx.x] *= 2; many[3]++; }\n'
NO_MODULE, MACHINE_CODE, PTX = 200, 209, 218  # CUDA_ERROR_INVALID_IMAGE, NO_BINARY_FOR_GPU, INVALID_PTX
UNDEFINED = 300  # CUDA_ERROR_INVALID_SOURCE
REFUSED = {NO_MODULE, MACHINE_CODE, PTX}
# Has a constructor, and the names that a module of umcc's has.
FOREIGN = """
#include <fcntl.h>
__attribute__((constructor)) static void go(void) { open("constructed", O_CREAT | O_WRONLY, 0600); }
const void *um_imports;
void twice(void) { }
"""
# Modules that are linked: what stands in them, and what their kernels then write.
PARTS = {
    "of_a": """__device__ int calls;
extern "C" __device__ int twice_of(int a) { atomicAdd(&calls, 1); return 2 * a; }
extern "C" __device__ int waits(int a)
{
    __shared__ int all;
    all = 0;
    __syncthreads();
    atomicAdd(&all, a);
    __syncthreads();
    return all;
}""",
    "of_b": """extern __device__ int calls;
extern "C" __device__ int twice_of(int);
extern "C" __device__ int four_times(int a) { return twice_of(twice_of(a)) + 0 * calls; }""",
    "uses": """extern "C" __device__ int four_times(int); extern "C" __device__ int waits(int);
extern __device__ int calls;
extern "C" __global__ void linked(int *out)
{
    out[threadIdx.x] = four_times(threadIdx.x) + waits(1);
    __syncthreads();
    if (threadIdx.x == 0)
        out[32] = calls;
}""",
    "other_a": 'extern "C" __device__ int twice_of(int a) { return -a; } __device__ int calls = 5;\n'
               'extern "C" __device__ int waits(int) { return 1000; }',
    "to": 'extern "C" __device__ int fro(int); extern "C" __device__ int to(int a) { return a ? fro(a - 1) : 0; }\n',
    "fro": 'extern "C" __device__ int to(int); extern "C" __device__ int fro(int a) { return a ? to(a - 1) : 1; }\n',
}
END_BYTES = 40  # of what umcc writes behind a module (umsim/image.h)


class Modules(cases.Case):
    def inside(self, what):
        (self.folder / "k.cu").write_text(SOURCE)
        self.call(BUILD / "bin/umcc", "--cubin", "-o", "k.cubin", "k.cu", cwd=self.folder)
        done = subprocess.run([BUILD / "bin/umpython", __file__, what, self.folder / "k.cubin"], capture_output=True,
                              text=True, check=False, cwd=self.folder, env={**os.environ, "UMPYTHON": sys.executable})
        self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr[-2000:])
        print(f"        {done.stdout.strip()}", flush=True)

    def test_foreign(self):
        "shared objects of other compilers, machine code, PTX: each is refused by its number, and no constructor runs"
        (self.folder / "foreign.c").write_text(FOREIGN)
        self.call("cc", "-shared", "-fPIC", "-o", "foreign.so", "foreign.c", cwd=self.folder)
        self.call("cc", "-c", "-o", "foreign.o", "foreign.c", cwd=self.folder)
        self.inside("--foreign")
        self.assertFalse((self.folder / "constructed").exists())

    def test_linked(self):
        "functions and variables of linked modules find each other, in any order, and those of others stay away"
        for name, text in PARTS.items():
            (self.folder / f"{name}.cu").write_text(text)
            self.call(BUILD / "bin/umcc", "-rdc=true", "--cubin", "-o", f"{name}.cubin", f"{name}.cu", cwd=self.folder)
        self.inside("--linked")

    def test_many(self):
        "modules are loaded, run and unloaded: memory and files of both processes stay, no process is left"
        self.inside("--many")

    def test_changed(self):
        "changed modules, and changed texts of modules: each is refused by its number, and the next right one runs"
        self.inside("--changed")


# ---- in umpython's process ----

class Driver:
    def __init__(self):
        self.lib, context = ctypes.CDLL("libcuda.so.1"), ctypes.c_void_p()
        assert self.lib.cuInit(0) == 0 and self.lib.cuCtxCreate_v2(ctypes.byref(context), 0, 0) == 0
        self.memory = ctypes.c_uint64()
        assert self.lib.cuMemAlloc_v2(ctypes.byref(self.memory), ctypes.c_size_t(4096)) == 0

    def load(self, image):
        module = ctypes.c_void_p()
        return self.lib.cuModuleLoadData(ctypes.byref(module), image), module

    def run(self, image):
        function = ctypes.c_void_p()
        error, module = self.load(image)
        assert error == 0, error
        assert self.lib.cuModuleGetFunction(ctypes.byref(function), module, b"twice") == 0
        values = (ctypes.c_void_p * 1)(ctypes.addressof(self.memory))
        assert self.lib.cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, None, values, None) == 0
        assert self.lib.cuCtxSynchronize() == 0
        assert self.lib.cuModuleUnload(module) == 0


def foreign(image):
    """Each kind by each way in."""
    driver, own = Driver(), Path("foreign.so").read_bytes()
    machine = bytearray(own)
    machine[18:20] = (190).to_bytes(2, "little")  # e_machine: EM_CUDA
    end, moved = image[-END_BYTES:], bytearray(image[-END_BYTES:])
    moved[16:24] = len(own).to_bytes(8, "little")
    kinds = {"a shared object": (own, NO_MODULE), "with umcc's end": (own + end, NO_MODULE),
             "with umcc's end, and its own length": (own + moved, NO_MODULE),
             "an object file": (Path("foreign.o").read_bytes(), NO_MODULE),
             "of another machine": (own[:18] + b"\xb7" + own[19:], NO_MODULE), "text": (b"hello\0", NO_MODULE),
             "machine code": (bytes(machine), MACHINE_CODE),
             "a fat binary": (b"\x50\xed\x55\xba" + bytes(60), MACHINE_CODE),
             "PTX": (b"// made\n.version 8.0\n.target sm_90\n\0", PTX)}
    for what, (data, expected) in kinds.items():
        data += bytes(64)
        Path("image").write_bytes(data)
        handle, nobody = ctypes.c_void_p(), [None, None, 0]
        told = {"cuModuleLoadData": driver.load(data)[0],
                "cuModuleLoadFatBinary": driver.lib.cuModuleLoadFatBinary(ctypes.byref(handle), data),
                "cuModuleLoad": driver.lib.cuModuleLoad(ctypes.byref(handle), b"image"),
                "cuLibraryLoadData": driver.lib.cuLibraryLoadData(ctypes.byref(handle), data, *nobody, *nobody),
                "cuLibraryLoadFromFile": driver.lib.cuLibraryLoadFromFile(ctypes.byref(handle), b"image", *nobody,
                                                                          *nobody)}
        assert set(told.values()) == {expected}, (what, expected, told)
    driver.run(image)
    mapped = Path("/proc/self/maps").read_text()
    assert "foreign" not in mapped and "/image" not in mapped, mapped
    print(f"{len(kinds)} kinds of foreign images, each by {len(told)} calls: refused")


def link(lib, *names, expected=0):
    """@return what cuLinkComplete() gave, and what it wrote into the log of errors"""
    state, image, size = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_size_t()
    log = ctypes.create_string_buffer(256)
    options = (ctypes.c_int * 2)(5, 6)  # CU_JIT_ERROR_LOG_BUFFER, ..._SIZE_BYTES
    values = (ctypes.c_void_p * 2)(ctypes.addressof(log), len(log))
    assert lib.cuLinkCreate_v2(2, options, values, ctypes.byref(state)) == 0
    for name in names:
        data = Path(f"{name}.cubin").read_bytes()
        size = ctypes.c_size_t(len(data))
        assert lib.cuLinkAddData_v2(state, 0, data, size, name.encode(), 0, None, None) == 0
    assert lib.cuLinkComplete(state, ctypes.byref(image), ctypes.byref(size)) == expected, names
    assert len(log.value) == (values[1] or 0)
    return image, log.value.decode()


def linked(_):
    driver = Driver()
    lib, found = driver.lib, (ctypes.c_int * 33)()
    values = (ctypes.c_void_p * 1)(ctypes.addressof(driver.memory))
    right = [4 * i + 32 for i in range(32)] + [64]
    others = [i + 1000 for i in range(32)] + [5]
    functions = []
    for names, expected in ((("of_a", "of_b", "uses"), right), (("uses", "of_b", "other_a"), others),
                            (("uses", "of_b", "of_a"), right)):
        image, log = link(lib, *names)
        assert log == ""
        error, module = driver.load(image)
        assert error == 0, (names, error)
        function = ctypes.c_void_p()
        assert lib.cuModuleGetFunction(ctypes.byref(function), module, b"linked") == 0
        functions.append((function, expected, names))
    for function, expected, names in functions:
        assert lib.cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, None, values, None) == 0
        assert lib.cuMemcpyDtoH_v2(found, driver.memory, ctypes.c_size_t(132)) == 0
        assert list(found) == expected, (names, list(found))
    assert driver.load(link(lib, "to", "fro")[0])[0] == NO_MODULE
    for names in (("uses", "of_b"), ("uses",)):
        assert re.search(r"'\w+' in 'uses'$", link(lib, *names, expected=UNDEFINED)[1]), names
    print(f"{len(functions)} programs of {len(PARTS)} modules, in several orders; a circle and a gap are refused")


def held(process):
    """(KiB, mappings, files) of a process."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return (pages * os.sysconf("SC_PAGESIZE") // 1024, Path(f"/proc/{process}/maps").read_text().count("\n"),
            len(os.listdir(f"/proc/{process}/fd")))


def children():
    """Processes whose parent this one is."""
    own = str(os.getpid())
    return sum(path.read_text().rsplit(")", 1)[1].split()[1] == own for path in Path("/proc").glob("[0-9]*/stat"))


def many(image):
    driver, count = Driver(), 1000 // PART
    gpu = driver.lib.umsim_gpu_pid
    for number in range(count):
        if number == count // 4:
            children()  # reading /proc takes memory of Python's, once; the next GPU process begins with it
        driver.run(image)
        if number == count // 4:
            before = [held("self"), held(gpu())], children()
    after = [held("self"), held(gpu())], children()
    print(f"{count} modules: {before} and {after} after a quarter and at the end")
    for was, now in zip(before[0], after[0]):
        assert now[0] < was[0] + 1024 and now[1] <= was[1] + 2 and now[2] <= was[2] + 1, (before, after)
    assert before[1] == after[1] == 1, (before, after)


def changes(image, chance):
    """One change, of a kind that chance says."""
    data, at = bytearray(image), chance.randrange(len(image))
    kind = chance.randrange(6)
    if kind == 0:
        data[at] ^= 1 << chance.randrange(8)
    elif kind == 1:
        data[at:at + 8] = chance.randbytes(8)[:len(data) - at]
    elif kind == 2:
        del data[at:]
    elif kind == 3:
        at = chance.randrange(64)  # the head says where the rest is
        data[at:at + 8] = chance.choice((bytes(8), b"\xff" * 8, chance.randbytes(8)))[:64 - at]
    elif kind == 4:
        data[-chance.randrange(1, 57)] ^= 1 << chance.randrange(8)  # what umcc writes behind
    else:
        del data[at:at + chance.randrange(1, 4096)]
    return bytes(data)


def as_text(image, chance):
    text = bytearray(b"//umlab module 1 %d\n//" % len(image) + base64.b64encode(image).rstrip(b"=") + b"\n\0")
    if chance.randrange(2):
        text[chance.randrange(40)] = chance.randrange(256)
    return bytes(text)


def changed(image):
    driver, chance = Driver(), random.Random(int(os.environ.get("SEED", "1")))
    size = (len(image) * 2 // mmap.PAGESIZE + 3) * mmap.PAGESIZE
    area = mmap.mmap(-1, size)
    start = ctypes.addressof(ctypes.c_char.from_buffer(area))
    ctypes.CDLL(None).mprotect(ctypes.c_void_p(start + size - mmap.PAGESIZE), ctypes.c_size_t(mmap.PAGESIZE), 0)
    end, told = size - mmap.PAGESIZE, {}
    for number in range(10000 // PART):
        data = changes(image, chance)
        if data == image:
            continue
        if number % 3 == 0:
            data = as_text(data, chance)
        area[end - len(data):end] = data
        error, _ = driver.load(ctypes.c_void_p(start + end - len(data)))
        told[error] = told.get(error, 0) + 1
        if number % 1000 == 0:
            driver.run(image)
    driver.run(image)
    print(f"changed modules by what they got: {told}")
    assert set(told) <= REFUSED, told


INSIDE = {"--many": many, "--changed": changed, "--foreign": foreign, "--linked": linked}
if __name__ == "__main__":
    if sys.argv[1:2] and sys.argv[1] in INSIDE:
        INSIDE[sys.argv[1]](Path(sys.argv[2]).read_bytes())
        sys.exit(0)
    sys.exit(cases.main())
