"""umlab_c.py: libumlab.so for umlab.py: its functions and structures, streams, and references to buffers."""
import ctypes
import itertools
import operator
import os
import threading
import weakref
from pathlib import Path

MEMORY = ("device", "pinned", "mapped", "managed")  # enum um_memory
LEGACY_STREAM = 1  # cudaStreamLegacy
INVALID_HANDLE, NOT_PERMITTED = 400, 800  # cudaErrorInvalidResourceHandle, cudaErrorNotPermitted


class Error(RuntimeError):
    """A call that CUDA or libumlab refused. `code` is the cudaError_t."""

    def __init__(self, code, text):
        super().__init__(text)
        self.code = code


class DeviceMemoryError(TypeError):
    """Somebody on the host would have had to read device memory."""


class NotSynchronized(RuntimeError):
    """The host would have looked at memory that queued work may still write."""


# ---- the library ----

class Place(ctypes.Structure):
    _fields_ = [("buffer", ctypes.c_uint64), ("offset", ctypes.c_uint64)]


class BufferInfo(ctypes.Structure):
    _fields_ = [("address", ctypes.c_uint64), ("device_address", ctypes.c_uint64), ("bytes", ctypes.c_uint64),
                ("memory", ctypes.c_int32), ("device", ctypes.c_int32), ("host_visible", ctypes.c_int32),
                ("adopted", ctypes.c_int32), ("references", ctypes.c_uint64)]


class PointerInfo(ctypes.Structure):
    """struct um_pointer_info: whose memory an address is."""
    _fields_ = [("base", ctypes.c_uint64), ("bytes", ctypes.c_uint64), ("device_address", ctypes.c_uint64),
                ("buffer", ctypes.c_uint64), ("type", ctypes.c_int32), ("device", ctypes.c_int32),
                ("host_visible", ctypes.c_int32), ("reserved", ctypes.c_int32)]


class Field(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("format", ctypes.c_char_p), ("offset", ctypes.c_uint64),
                ("elements", ctypes.c_uint64), ("element_bytes", ctypes.c_uint64)]


class DlType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class DlLayout(ctypes.Structure):
    _fields_ = [("at", Place), ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("ndim", ctypes.c_int32), ("dtype", DlType), ("read_only", ctypes.c_int32),
                ("shown_as", ctypes.c_int32)]


def library_path():
    """UMLAB_LIBRARY=FILE, or what make built beside this file: UMLAB_BACKEND=sim (the default) or cuda."""
    named = os.environ.get("UMLAB_LIBRARY")
    if named:
        return Path(named)
    backend = os.environ.get("UMLAB_BACKEND", "sim")
    return Path(__file__).resolve().parents[2] / "build" / backend / "lib" / "libumlab.so"


def _load():
    path = library_path()
    if not path.exists():
        raise ImportError(f"{path} is not there: build it first (make all, or make BACKEND=cuda all with "
                          "UMLAB_BACKEND=cuda), or name it in UMLAB_LIBRARY")
    library = ctypes.CDLL(str(path))
    u64, i32, f32, p = ctypes.c_uint64, ctypes.c_int32, ctypes.c_float, ctypes.c_void_p
    for name, arguments in {
            "um_buffer_create": (i32, u64, p), "um_buffer_adopt": (u64, u64, p), "um_buffer_retain": (u64,),
            "um_buffer_release": (u64,), "um_buffer_free": (u64,), "um_buffer_describe": (u64, p),
            "um_copy": (Place, Place, u64, u64), "um_copy_from_host": (Place, u64, u64, u64),
            "um_copy_to_host": (u64, Place, u64, u64), "um_prefetch_place": (Place, u64, i32, u64),
            "um_launch_vector_add": (Place, Place, Place, u64, u64),
            "um_launch_saxpy": (Place, f32, Place, u64, u64), "um_launch_record_move": (Place, f32, u64, u64),
            "um_stream_create": (p,), "um_stream_destroy": (u64,), "um_synchronize": (u64,),
            "um_stream_order": (u64, u64), "um_pointer_query": (u64, p), "um_dlpack_export": (p, i32, p),
            "um_dlpack_device": (u64, p)}.items():
        getattr(library, name).argtypes = arguments
        getattr(library, name).restype = i32
    library.um_error_text.restype = ctypes.c_char_p
    library.um_python_capsule = ctypes.PyDLL(str(path)).um_python_capsule  # with the interpreter's lock held
    library.um_python_capsule.argtypes = (p, i32)
    library.um_python_capsule.restype = ctypes.py_object
    library.um_buffer_alive.argtypes = (p, p)
    library.um_buffer_alive.restype = None
    library.um_record_fields.argtypes = (p, p)
    library.um_record_fields.restype = ctypes.POINTER(Field)
    return library


lib = _load()


def call(name, *arguments):
    code = getattr(lib, name)(*arguments)
    if code:
        raise Error(code, (lib.um_error_text() or b"").decode())


# ---- streams ----

class Stream:
    """A CUDA stream of its own, which does not wait for the default one. Gone with the last reference."""

    def __init__(self):
        number = ctypes.c_uint64()
        call("um_stream_create", ctypes.byref(number))
        self.ptr = number.value

    def __cuda_stream__(self):
        return 0, self.ptr

    def __reduce__(self):
        raise TypeError("a stream is this process's own: it cannot be pickled or copied. Make another one")

    def __del__(self):
        if getattr(self, "ptr", 0) and lib:
            lib.um_stream_destroy(self.ptr)


def stream_number(stream):
    """None and 0: the default stream; 1 legacy, 2 per thread; a Stream, or another library's stream object."""
    if hasattr(stream, "__cuda_stream__"):
        stream = stream.__cuda_stream__()[1]
    for attribute in ("ptr", "cuda_stream", "handle"):  # ours and CuPy's; PyTorch's; PyCUDA's and others'
        if hasattr(stream, attribute):
            stream = getattr(stream, attribute)
            break
    try:
        number = 0 if stream is None else operator.index(getattr(stream, "value", stream) or 0)
    except TypeError:
        raise TypeError(f"{stream!r} is no CUDA stream: give None, a number, or an object with .ptr") from None
    if not 0 <= number < 1 << 64:
        raise ValueError(f"stream {number}: a stream is 0, 1, 2 or an address, and this is none")
    return number


def synchronize(stream=None):
    """Waits for all that was queued in `stream`. An error of a kernel shows here."""
    number = stream_number(stream)
    began = next(Buffer.serial)
    call("um_synchronize", number)
    Buffer.done(number, began)


# ---- buffers ----

class Buffer:
    """One reference to a buffer of libumlab, given back with this object. `keep` is what must live as long."""
    queued = {}  # stream: the buffers with work there that nobody has waited for yet; they may go before it is done
    serial = itertools.count()  # of work and of waits for it, as they began
    lock = threading.RLock()  # of `queued`, and of all buffers' `pending`

    def __init__(self, handle, keep=None):
        self.handle = handle
        self.keep = keep
        self.lent = ""  # the convention by which its address was given out, without a way to know for how long
        self.pending = {}  # stream: (serial, what was queued there, what lives as long)
        self.info = self.describe()

    @classmethod
    def create(cls, memory, nbytes):
        if memory not in MEMORY:
            raise ValueError(f"memory={memory!r} is none of {', '.join(MEMORY)}")
        handle = ctypes.c_uint64()
        call("um_buffer_create", MEMORY.index(memory), nbytes, ctypes.byref(handle))
        return cls(handle.value)

    @classmethod
    def adopt(cls, address, nbytes, keep):
        handle = ctypes.c_uint64()
        call("um_buffer_adopt", address, nbytes, ctypes.byref(handle))
        return cls(handle.value, keep)

    def again(self):
        """Another reference to the same buffer."""
        call("um_buffer_retain", self.handle)
        return Buffer(self.handle, self.keep)

    def describe(self):
        info = BufferInfo()
        call("um_buffer_describe", self.handle, ctypes.byref(info))
        return info

    def note(self, what, stream, keep=None):
        """Work was queued in `stream` (as the caller named it)."""
        number = stream_number(stream)
        with Buffer.lock:
            self.pending[number] = next(Buffer.serial), what, (stream, keep)
            Buffer.queued.setdefault(number, weakref.WeakSet()).add(self)

    @staticmethod
    def done(stream, began):
        """What was queued in `stream` before `began` is done. The default stream's two names are one."""
        with Buffer.lock:
            for number in (0, LEGACY_STREAM) if stream in (0, LEGACY_STREAM) else (stream,):
                for buffer in list(Buffer.queued.get(number, ())):
                    if buffer.pending[number][0] < began:
                        del buffer.pending[number]
                        Buffer.queued[number].discard(buffer)
                if not Buffer.queued.get(number, True):
                    del Buffer.queued[number]

    def check_done(self):
        for stream, (_, what, _) in list(self.pending.items()):
            raise NotSynchronized(f"{what} was queued in stream {stream}, and nobody has waited for it: what is in "
                                  f"memory now may be old or half written. umlab.synchronize({stream or ''}) first")

    def free(self):
        self.check_handle()
        call("um_buffer_free", self.handle)
        self.handle = 0

    def check_handle(self):
        if not self.handle:
            raise Error(INVALID_HANDLE, "this memory was freed (cudaErrorInvalidResourceHandle)")
        if query(self.info.address).type == 0:  # it says so itself in a forked child
            raise Error(INVALID_HANDLE, f"{self.info.address:#x} is not CUDA's any more: its owner has freed it")

    def __del__(self):
        if getattr(self, "handle", 0) and lib:
            lib.um_buffer_release(self.handle)


def alive():
    """(buffers, bytes) that libumlab holds for anybody: what a test of leaks looks at."""
    buffers, nbytes = ctypes.c_uint64(), ctypes.c_uint64()
    lib.um_buffer_alive(ctypes.byref(buffers), ctypes.byref(nbytes))
    return buffers.value, nbytes.value


class Counters(ctypes.Structure):
    """struct um_counters: what moved since the program began. -1 is a count that does not exist on this backend."""
    _fields_ = [(name, ctypes.c_int64) for name in (
        "bytes_h2d", "bytes_d2h", "cpu_faults", "gpu_fault_groups", "bytes_migrated_h2d", "bytes_migrated_d2h",
        "evictions", "contended", "bytes_user", "bytes_coherence", "bytes_prefetch", "bytes_eviction", "thrashing",
        "throttles", "remote_maps", "bytes_d2d", "bytes_migrated_d2d", "lost")]

    @staticmethod
    def now():
        return lib.um_counters_now()

    def __sub__(self, before):
        return lib.um_counters_difference(before, self)


lib.um_counters_now.restype = lib.um_counters_difference.restype = Counters
lib.um_counters_difference.argtypes = Counters, Counters


def query(address):
    """What CUDA and libumlab know of an address, which is not followed: a PointerInfo."""
    info = PointerInfo()
    call("um_pointer_query", address, ctypes.byref(info))
    return info
