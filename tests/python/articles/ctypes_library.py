"""How can ctypes work with memory that CUDA allocated? By a library that takes pointers, with their types declared.

The article's Python calls the library's main(), which adds arrays of its own and leaves Python's as they were; its
wrapper is empty. Two things go wrong in practice: a pointer that is passed as a bare integer is cut to 32 bits, and a
ctypes array over device memory is a SIGSEGV when an element is read.
"""
import ctypes
import os
import subprocess
import tempfile
from pathlib import Path

from shown import main, mistake, show

N = 1024
FLOATS = ctypes.c_float * N
HERE = Path(__file__).resolve().parent


def library():
    """The library, compiled by nvcc, with the types of what it takes."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "libvector_add.so")
        subprocess.run(["nvcc", "-shared", "-Xcompiler", "-fPIC", "-cudart", "shared", "-o", path,
                        HERE / "vector_add.cu"], check=True)
        made = ctypes.CDLL(path)
    pointers = [ctypes.c_void_p] * 3 + [ctypes.c_int]
    made.vector_add.argtypes = made.vector_add_of_host.argtypes = pointers
    made.allocate.argtypes = [ctypes.POINTER(ctypes.c_void_p), ctypes.c_size_t, ctypes.c_int]
    made.copy.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]
    made.give_back.argtypes = [ctypes.c_void_p]
    made.name_of.restype = ctypes.c_char_p
    return made


def allocated(lib, managed):
    p = ctypes.c_void_p()
    assert lib.allocate(ctypes.byref(p), ctypes.sizeof(FLOATS), managed) == 0
    return p.value


def program():
    lib = library()
    a, b, c = FLOATS(*range(N)), FLOATS(*(2 * i for i in range(N))), FLOATS()
    show("arrays of ctypes, which the library copies", lib.name_of(lib.vector_add_of_host(a, b, c, N)).decode())
    show("sums of 1024 that are right", sum(c[i] == 3 * i for i in range(N)))

    device = [allocated(lib, False) for _ in range(3)]
    for to, source in zip(device, (a, b)):
        lib.copy(to, source, ctypes.sizeof(source))
    show("device memory, which it is only told of", lib.name_of(lib.vector_add(*device, N)).decode())
    back = FLOATS()
    lib.copy(back, device[2], ctypes.sizeof(back))
    show("fetched, sums of 1024 that are right", sum(back[i] == 3 * i for i in range(N)))
    show("the address fits into ctypes' default type for integers, 32 bits", device[0] < 1 << 32)

    managed = [allocated(lib, True) for _ in range(3)]
    views = [FLOATS.from_address(address) for address in managed]
    views[0][:], views[1][:] = a, b
    show("managed memory, seen as arrays of ctypes", lib.name_of(lib.vector_add(*managed, N)).decode())
    show("read in place, sums of 1024 that are right", sum(views[2][i] == 3 * i for i in range(N)))
    for address in device + managed:
        lib.give_back(address)
    mistake("an array of ctypes over device memory is read", "read")
    mistake("the kernel is given arrays of ctypes", "give")


def read():
    FLOATS.from_address(allocated(library(), False))[0]


def give():
    lib = library()
    print(lib.name_of(lib.vector_add(FLOATS(), FLOATS(), FLOATS(), N)).decode())


main(program, {"read": read, "give": give})
