"""What the systems' tests (systems.py) have in common: one method a cell of the table, over what each system says of
itself.

A System takes an umlab.Array for its own kind of array (view), says at which address it has it (pointer), shows what it
sees there (read), and doubles it in place by a kernel or call of its own (double). make() is an array that it allocated
itself, ours() an umlab.Array over that. From these the cells follow; a system that differs says so in a method of its
own.

A cell returns what it found, in a few words; a Failure or any other exception is its failure, a Skip says why not.
"""
import ctypes
import gc
import os

import numpy as np
import umlab

N = 4096
COPY_FIRST = "copy_to_host() first"


class Failure(AssertionError):
    """A cell that does not hold."""


class Skip(Exception):
    """Why a cell, or a system, is not asked here."""


def check(condition, words):
    if not condition:
        raise Failure(words)


def equal(got, wanted, words):
    got = np.asarray(got)
    check(got.shape == wanted.shape and np.array_equal(got, wanted), f"{words}: {got[:4]} instead of {wanted[:4]}")


def refused(action, *words):
    """The text of the exception that `action` ends with, which has to hold `words`; a Failure when it ends with
    none."""
    try:
        action()
    except Exception as error:  # whatever a system raises is what is looked at
        text = " ".join(str(error).split())
        for word in words:
            check(word in text, f"{type(error).__name__} does not say {word!r}: {text[:150]}")
        return f"{type(error).__name__}: {text.split('. ')[0]}"
    raise Failure("nothing was refused")


def numbers():
    return (np.arange(N) % 251).astype("f4")


def on_gpu():
    return os.environ.get("UMLAB_BACKEND", "sim") == "cuda"


class Copies:
    """Counts the bytes that CUDA's copies move within a `with`; .bytes is None where nothing counts them (a GPU)."""

    def __enter__(self):
        self.before = umlab.Counters.now()
        return self

    def __exit__(self, *_):
        moved = umlab.Counters.now() - self.before
        self.bytes = None if moved.bytes_h2d < 0 else moved.bytes_h2d + moved.bytes_d2h
        return False


def cudart():
    """CUDA's runtime library, the one that libumlab uses: the simulator's, or NVIDIA's."""
    if on_gpu():
        home = os.environ.get("CUDA_HOME", "/usr/local/cuda")
        return ctypes.CDLL(os.path.join(home, "lib64", "libcudart.so"))
    return ctypes.CDLL(os.path.join(os.environ["UMLAB_BUILD"], "lib", "libcudart.so"))


def over(address, values):
    """An umlab.Array over memory of which only the address is known, with the shape and type of `values`."""
    class Known:
        __cuda_array_interface__ = {"version": 3, "shape": values.shape, "typestr": values.dtype.str,
                                    "descr": values.dtype.descr, "data": (address, False)}
    return umlab.adopt(Known())


class Registered:
    """Host memory of another's, made known to CUDA for a while: the device can then reach it where it lies."""

    def __init__(self, address, nbytes):
        self.address, self.nbytes = ctypes.c_void_p(address), ctypes.c_size_t(nbytes)

    def __enter__(self):
        result = cudart().cudaHostRegister(self.address, self.nbytes, 2)  # cudaHostRegisterMapped
        check(result == 0, f"cudaHostRegister: {result}")

    def __exit__(self, *_):
        return bool(cudart().cudaHostUnregister(self.address)) and False


class System:
    """A system whose arrays can be changed and lie on the host, unless it says otherwise."""
    name = module = install = ""
    backends = ("sim", "cuda")
    kinds = ("pinned", "mapped", "managed")  # of memory that it can take
    mutable = True
    more = ()  # further tests: names of methods

    def start(self):
        """Imports what is needed; a Skip when it cannot be asked here."""

    def version(self):
        import importlib.metadata
        return importlib.metadata.version(self.module)

    # -- the table --
    def address(self):
        for kind in self.kinds:
            x = umlab.array(numbers(), kind)
            got = self.pointer(self.view(x))
            check(got == x.ptr, f"{kind}: it has {got:#x}, the memory is at {x.ptr:#x}")
        return f"one address for both: {', '.join(self.kinds)} memory"

    def shares(self):
        counted = 0
        for kind in self.kinds:
            x = umlab.array(numbers(), kind)
            with Copies() as copies:
                view = self.view(x)
                umlab.saxpy(x, 1, x)
                umlab.synchronize()
                theirs = self.read(view) if kind != "device" else None
                if self.mutable:
                    self.double(view)
                ours = np.array(np.asarray(x)) if x.host_visible else None
            counted = None if copies.bytes is None else counted + copies.bytes
            if theirs is None:  # reading device memory is a copy, which would be counted
                ours, theirs = x.copy_to_host(), self.read(view) / (2 if self.mutable else 1)
            check(self.pointer(view) == x.ptr, f"{kind}: another address")
            equal(theirs, 2 * numbers(), f"{kind}: what our kernel changed, as it sees it")
            equal(ours, (4 if self.mutable else 2) * numbers(), f"{kind}: what it changed, as we see it")
        check(counted in (0, None), f"{counted} bytes were copied")
        ways = "changes seen both ways" if self.mutable else "changes seen (its arrays are constant)"
        return f"{ways}, {'same address' if counted is None else '0 bytes copied'}: {', '.join(self.kinds)}"

    def our_kernel(self):
        theirs = self.make(numbers())
        address = self.pointer(theirs)
        with Registered(address, 4 * N):
            ours = over(address, numbers())
            umlab.saxpy(ours, 1, ours)
            umlab.synchronize()
            del ours
        equal(self.read(theirs), 2 * numbers(), "what our kernel made of it")
        return "on memory that it allocated, registered by cudaHostRegister()"

    def its_kernel(self):
        for kind in self.kinds:
            x = umlab.array(numbers(), kind)
            self.double(self.view(x))
            equal(x.copy_to_host(), 2 * numbers(), f"{kind}: what it made of it")
        return f"{', '.join(self.kinds)} memory"

    def lifetime(self):
        for kind in self.kinds:
            before = umlab.alive()
            x = umlab.array(numbers(), kind)
            view = self.view(x)
            del x
            gc.collect()
            check(umlab.alive()[0] == before[0] + 1, f"{kind}: the memory went while it was looked at")
            equal(self.read(view), numbers(), f"{kind}: after our array went")
            del view
            self.settle()
            check(umlab.alive() == before, f"{kind}: {umlab.alive()[0] - before[0]} buffers are left")
            x = umlab.array(numbers(), kind)
            view = self.view(x)
            del view
            self.settle()
            equal(x.copy_to_host(), numbers(), f"{kind}: after its array went")
            del x
            gc.collect()
            check(umlab.alive() == before, f"{kind}: {umlab.alive()[0] - before[0]} buffers are left")
        return self.theirs_first() or "either side first; nothing is left"

    def theirs_first(self):
        """Memory that it allocated, when its own name for it goes first. Returns more words, or None."""

    def settle(self):
        gc.collect()

    def error(self):
        x = umlab.array(numbers(), "device")
        return refused(lambda: self.view(x), COPY_FIRST)


class GpuSystem(System):
    """A system whose arrays are the device's, and which knows __cuda_array_interface__."""
    backends = ("cuda",)
    kinds = ("device", "pinned", "mapped", "managed")

    def ours(self, theirs):
        return umlab.adopt(theirs)

    def pointer(self, view):
        return view.__cuda_array_interface__["data"][0]

    def our_kernel(self):
        theirs = self.make(numbers())
        ours = self.ours(theirs)
        check(ours.ptr == self.pointer(theirs), "another address")
        umlab.saxpy(ours, 1, ours)
        umlab.synchronize()
        equal(self.read(theirs), 2 * numbers(), "what our kernel made of it")
        return "on memory that it allocated"

    def theirs_first(self):
        theirs = self.make(numbers())
        ours = self.ours(theirs)
        del theirs
        self.settle()
        equal(ours.copy_to_host(), numbers(), "its memory, after its own name for it went")
        return "either side first, of our memory and of its own; nothing is left"

    def error(self):
        wide = self.make(numbers().astype("f8"))
        said = refused(lambda: umlab.saxpy(wide, 1, wide), "float64", "float32")
        x = umlab.array(numbers(), "device")
        view = self.view(x)
        refused(x.free, "drop the arrays")
        del view
        return said
