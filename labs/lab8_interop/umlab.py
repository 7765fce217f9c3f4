"""umlab.py: memory of every CUDA kind, for Python: one pointer, shared and not copied.

    import numpy as np, umlab
    x = umlab.empty(1000, "f4", memory="managed")
    np.asarray(x)[:] = 1                   # numpy works on the memory itself
    umlab.saxpy(x, 2, x)                   # and so does the GPU
    umlab.synchronize()
    print(np.asarray(x)[0])                # 3.0

A thin layer of ctypes over libumlab.so (interop/*.h). An Array speaks the conventions of the ecosystem, so that others
need not know of this module:

    buffer protocol, __array_interface__            host-visible memory: pinned, mapped, managed
    __cuda_array_interface__ (version 3)            what the device reaches: all kinds
    __dlpack__, __dlpack_device__                   kDLCUDA, kDLCUDAHost, kDLCUDAManaged; kDLCPU when asked for

What cannot work is an exception that says what to do instead, and never a segmentation fault.
"""
import ctypes

import numpy as np
from umlab_c import (  # noqa: F401
    LEGACY_STREAM,
    MEMORY,
    NOT_PERMITTED,
    Buffer,
    BufferInfo,
    Counters,
    DeviceMemoryError,
    DlLayout,
    DlType,
    Error,
    NotSynchronized,
    Place,
    PointerInfo,
    Stream,
    alive,
    call,
    lib,
    query,
    stream_number,
    synchronize,
)

# DLPack's DLDeviceType and DLDataTypeCode
DL_CPU, DL_CUDA = 1, 2
DL_CODES = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}


# ---- arrays ----

def _exporter_type():
    """A type with a buffer slot, which Python 3.11 cannot write in Python. Each view of the memory is a token of its
    own (Array._token), so that libumlab knows of it."""
    class Slot(ctypes.Structure):
        _fields_ = [("slot", ctypes.c_int), ("function", ctypes.c_void_p)]

    class Spec(ctypes.Structure):
        _fields_ = [("name", ctypes.c_char_p), ("basicsize", ctypes.c_int), ("itemsize", ctypes.c_int),
                    ("flags", ctypes.c_uint), ("slots", ctypes.POINTER(Slot))]

    py_bf_getbuffer, py_tpflags_basetype = 1, 1 << 10  # of Python's stable ABI
    slots = (Slot * 2)(Slot(py_bf_getbuffer, ctypes.cast(lib.um_python_getbuffer, ctypes.c_void_p).value),
                       Slot(0, None))
    spec = Spec(b"umlab.Exporter", 0, 0, py_tpflags_basetype, slots)
    make = ctypes.pythonapi.PyType_FromSpec
    make.argtypes, make.restype = (ctypes.c_void_p,), ctypes.py_object
    made = make(ctypes.byref(spec))
    made.spec = spec, slots  # Python keeps pointers to them
    return made


_Exporter = _exporter_type()


def _dense_strides(shape, itemsize):
    strides, step = [], itemsize
    for extent in reversed(shape):
        strides.append(step)
        step *= max(extent, 1)
    return tuple(reversed(strides))


def _span(shape, strides, itemsize):
    """Where the elements lie beside the first one: from byte `low` on, before byte `high`."""
    if 0 in shape:
        return 0, 0
    steps = [stride * (extent - 1) for extent, stride in zip(shape, strides)]
    return sum(min(0, step) for step in steps), sum(max(0, step) for step in steps) + itemsize


class Array(_Exporter):
    """An n-dimensional array in memory of one of CUDA's kinds. `ptr` is its address, the same for all who share it."""

    def __init__(self, buffer, shape, dtype, strides=None, offset=0, readonly=False):
        self._buffer = buffer
        self.shape, self.dtype, self.readonly = tuple(shape), np.dtype(dtype), readonly
        self._dense = _dense_strides(self.shape, self.dtype.itemsize)
        self.strides = self._dense if strides is None else tuple(strides)
        self.offset = offset

    # -- what it is --
    @property
    def memory(self):
        return MEMORY[self._buffer.info.memory]

    @property
    def host_visible(self):
        return bool(self._buffer.info.host_visible)

    @property
    def ptr(self):
        """The address, in the host's numbering (which is the device's, too, except for some mapped memory)."""
        self._buffer.check_handle()
        return self._buffer.info.address + self.offset

    @property
    def device_ptr(self):
        self._buffer.check_handle()
        return self._buffer.info.device_address + self.offset

    @property
    def size(self):
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def nbytes(self):
        return self.size * self.dtype.itemsize

    @property
    def contiguous(self):
        return self.size == 0 or all(s == d for n, s, d in zip(self.shape, self.strides, self._dense) if n > 1)

    def __len__(self):
        if not self.shape:
            raise TypeError("an array without dimensions has no length")
        return self.shape[0]

    def __repr__(self):
        where = f"{self._buffer.info.address + self.offset:#x}" if self._buffer.handle else "freed"
        return f"<umlab.Array {self.dtype} {self.shape} {self.memory} {where}>"

    # -- parts of it --
    def __getitem__(self, key):
        """A slice or a field is a view of the same memory. An element is the host's to read, where it may."""
        if isinstance(key, slice) and self.shape:
            start, stop, step = key.indices(self.shape[0])
            count = len(range(start, stop, step))
            return self._view((count,) + self.shape[1:], (self.strides[0] * step,) + self.strides[1:], self.dtype,
                              start * self.strides[0] if count else 0)
        if isinstance(key, str) and self.dtype.names and key in self.dtype.names:
            field, at = self.dtype.fields[key][:2]
            return self._view(self.shape + field.shape, self.strides + _dense_strides(field.shape, field.base.itemsize),
                              field.base, at)
        return np.asarray(self)[key]

    def __setitem__(self, key, value):
        np.asarray(self)[key] = value

    def __bool__(self):
        return bool(np.asarray(self))

    def __int__(self):
        return int(np.asarray(self))

    def __float__(self):
        return float(np.asarray(self))

    def _view(self, shape, strides, dtype, offset):
        return Array(self._buffer, shape, dtype, strides, self.offset + offset, self.readonly)

    # -- the host's conventions --
    def _refuse_host(self):
        return DeviceMemoryError(f"this memory is the device's: copy_to_host() first. {self!r} was made by "
                                 "cudaMalloc(); its address is known to the host's page tables only as reserved")

    def _for_host(self):
        self._buffer.check_handle()
        if not self.host_visible:
            raise self._refuse_host()
        self._buffer.check_done()

    def _token(self):
        """What a view holds on to: the same memory, with a reference of its own to the buffer."""
        self._for_host()
        low, high = _span(self.shape, self.strides, self.dtype.itemsize)
        owner = (ctypes.c_ubyte * (high - low)).from_address(self.ptr + low)
        owner.um_reference = self._buffer.again()
        token = np.ndarray(self.shape, self.dtype, owner, -low, self.strides)
        token.flags.writeable = not self.readonly
        return token

    @property
    def __array_interface__(self):
        if not self.host_visible:  # numpy goes on to __array__, which says why
            raise AttributeError(str(self._refuse_host()))
        self._for_host()
        return self._interface("__array_interface__", self.ptr)

    def __array__(self, dtype=None, copy=None):
        made = self._token()
        if copy or (dtype is not None and made.dtype != dtype):
            made = made.astype(made.dtype if dtype is None else dtype)
        return made

    def _interface(self, name, address):
        try:
            descr = self.dtype.descr
        except ValueError as error:  # numpy goes on to __array__, which needs no words for it
            raise AttributeError(f"{name} has no words for {self.dtype}: {error}") from None
        self._buffer.lent = name
        return {"version": 3, "shape": self.shape, "typestr": self.dtype.str, "descr": descr,
                "strides": None if self.contiguous else self.strides, "data": (address, self.readonly)}

    # -- the device's conventions --
    @property
    def __cuda_array_interface__(self):
        if not self._buffer.info.device_address:
            raise AttributeError("the device cannot reach this memory")
        interface = self._interface("__cuda_array_interface__", self.device_ptr if self.size else 0)
        interface["stream"] = self._last_stream()
        return interface

    def _last_stream(self):
        """None, or a stream whose work is followed by nothing else on this memory; never 0, which the interface
        forbids."""
        streams = sorted(self._buffer.pending)
        for earlier in streams[:-1]:
            call("um_stream_order", earlier, streams[-1])
        return (streams[-1] or LEGACY_STREAM) if streams else None

    def __dlpack_device__(self):
        device = (ctypes.c_int32 * 2)()
        call("um_dlpack_device", self._buffer.handle, ctypes.byref(device))
        return tuple(device)

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if copy:
            raise BufferError("nothing is copied here: copy_to_host(), and pass that on")
        own = self.__dlpack_device__()
        shown = 0 if dl_device is None or tuple(dl_device) == own else int(dl_device[0])
        as_cpu = shown == DL_CPU
        if shown and tuple(dl_device) not in ((DL_CPU, 0), (DL_CUDA, own[1])):
            raise BufferError(f"this memory is on DLPack device {own}; it is not copied to {tuple(dl_device)}")
        if as_cpu and not self.host_visible:
            raise BufferError(str(self._refuse_host()))
        self._order_for(stream, host=as_cpu or (stream is None and DL_CUDA not in (own[0], shown)))
        return self._capsule(max_version is not None and max_version[0] >= 1, shown)

    def _order_for(self, stream, host):
        """Has the consumer's stream wait for what is queued; a consumer on the host gets finished memory, or none."""
        if stream is not None and (isinstance(stream, bool) or not isinstance(stream, int) or stream < -1
                                   or stream == 0):
            raise ValueError(f"stream={stream!r}: DLPack's consumers of CUDA memory name 1 (legacy), 2 (per thread), a "
                             "stream's address, or -1 for no waiting; 0 would be ambiguous")
        if host:
            if stream is not None:
                raise ValueError("a consumer on the host has no stream: leave it None")
            self._buffer.check_done()
        elif stream != -1:
            for earlier in list(self._buffer.pending):
                call("um_stream_order", earlier, stream or LEGACY_STREAM)

    def _capsule(self, versioned, shown):
        code = DL_CODES.get(self.dtype.kind)
        if code is None or self.dtype.names or not self.dtype.isnative:
            raise BufferError(f"DLPack has no word for elements of type {self.dtype}: pass on one field, or use "
                              "__array_interface__")
        if any(s % self.dtype.itemsize for s in self.strides):
            raise BufferError(f"DLPack counts strides in elements; {self.strides} bytes are no multiples of them")
        dimensions = ctypes.c_int64 * max(len(self.shape), 1)
        layout = DlLayout(Place(self._buffer.handle, self.offset), dimensions(*self.shape),
                           dimensions(*(s // self.dtype.itemsize for s in self.strides)), len(self.shape),
                           DlType(code, 8 * self.dtype.itemsize, 1), self.readonly, shown)
        tensor = ctypes.c_void_p()
        try:
            call("um_dlpack_export", ctypes.byref(layout), versioned, ctypes.byref(tensor))
        except Error as error:
            raise BufferError(str(error)) from None
        return lib.um_python_capsule(tensor, versioned)

    # -- contents --
    def _place(self):
        self._buffer.check_handle()
        if not self.contiguous:
            raise ValueError(f"{self!r} is not dense: copies and kernels here take arrays without gaps")
        return Place(self._buffer.handle, self.offset)

    def copy_from_host(self, source, stream=None):
        """Copies from host memory: an array of the same type and shape. Without `stream` it is there on return."""
        source = np.asarray(source, order="C")
        if source.dtype != self.dtype or source.shape != self.shape:
            raise TypeError(f"cannot copy {source.dtype} {source.shape} into {self.dtype} {self.shape}: make them "
                            "alike first")
        number = stream_number(stream)
        call("um_copy_from_host", self._place(), source.ctypes.data, self.nbytes, number)
        self._buffer.note("a copy from the host", stream, source)
        if stream is None:
            synchronize()
        return self

    def copy_to_host(self, stream=None):
        """A new numpy array with the contents, after all that was queued in `stream` and here."""
        result = np.empty(self.shape, self.dtype)
        number = stream_number(stream)
        for earlier in list(self._buffer.pending):
            call("um_stream_order", earlier, number)
        call("um_copy_to_host", result.ctypes.data, self._place(), self.nbytes, number)
        synchronize(number)
        return result

    def prefetch(self, device=0, stream=None):
        """Sends managed memory's pages to a device, or to the host (-1)."""
        number = stream_number(stream)
        call("um_prefetch_place", self._place(), self.nbytes, device, number)
        self._buffer.note("a prefetch", stream)
        return self

    # -- its end --
    def free(self):
        """Gives the memory back now. Refused while somebody looks at it; the last reference gives it back anyway."""
        self._buffer.check_handle()
        if self._buffer.lent:
            raise Error(NOT_PERMITTED, f"the address was given out by {self._buffer.lent}, and nobody can know who "
                        "still uses "
                                        "it: drop the arrays instead (del), and the last one to go frees the memory")
        self._buffer.free()

    def __reduce__(self):
        raise TypeError("an address means nothing in another process, so an umlab.Array cannot be pickled or copied "
                        "so: pickle what copy_to_host() returns, and make a new array there")


# ---- making arrays ----

def empty(shape, dtype="f4", memory="managed"):
    """An array with undefined contents. memory: device, pinned, mapped or managed."""
    shape = (shape,) if isinstance(shape, (int, np.integer)) else tuple(int(n) for n in shape)
    dtype = np.dtype(dtype)
    if dtype.hasobject:
        raise TypeError(f"{dtype} holds Python objects, which only this process's Python can follow")
    if any(n < 0 for n in shape):
        raise ValueError(f"shape {shape}: no dimension is negative")
    nbytes = dtype.itemsize
    for extent in shape:
        nbytes *= extent
    if nbytes >= 1 << 63:
        raise MemoryError(f"{nbytes} bytes are more than there are addresses")
    return Array(Buffer.create(memory, max(nbytes, 1)), shape, dtype)


def array(source, memory="managed"):
    """A copy of host data in memory of a kind."""
    source = np.asarray(source)
    return empty(source.shape, source.dtype, memory).copy_from_host(source)


def adopt(other, readonly=False):
    """An Array over another library's CUDA memory (anything with __cuda_array_interface__), which it keeps alive. Work
    on it follows what that library has queued."""
    if isinstance(other, Array):
        return other
    interface = getattr(other, "__cuda_array_interface__", None)
    if interface is None:
        raise TypeError(f"{type(other).__name__} has no __cuda_array_interface__: it is not in memory that the device "
                        "is known to reach. umlab.array(x) copies it there")
    if interface.get("mask") is not None:
        raise TypeError("arrays with a mask cannot be shared: the mask would be lost")
    dtype, shape = np.dtype(interface["typestr"]), tuple(interface["shape"])
    if dtype.kind == "V" and interface.get("descr"):
        dtype = np.lib.format.descr_to_dtype(interface["descr"])  # np.dtype() would make fields of the padding
    strides = interface.get("strides") or _dense_strides(shape, dtype.itemsize)
    low, high = _span(shape, strides, dtype.itemsize)
    address, theirs_readonly = interface["data"]
    if low == high:
        raise ValueError("an array without elements has no memory to share")
    result = Array(Buffer.adopt(address + low, high - low, other), shape, dtype, strides, -low,
                   readonly or bool(theirs_readonly))
    if interface.get("stream") is not None:
        result._buffer.note("another library's work", interface["stream"])
    return result


# ---- kernels ----

def _argument(x, name, dtype, written=False):
    x = adopt(x)
    if x.dtype != dtype:
        raise TypeError(f"{name} holds {x.dtype}, the kernel wants {np.dtype(dtype)}: reading one as the other would "
                        "be another number")
    if written and x.readonly:
        raise ValueError(f"{name} is read-only, and the kernel writes it")
    return x


def _launch(what, name, arrays, arguments, stream):
    """Queues a kernel on arrays, after what is queued on them in other streams."""
    number = stream_number(stream)
    for x in arrays:
        for earlier in list(x._buffer.pending):
            if earlier != number:
                call("um_stream_order", earlier, number)
    call(name, *arguments, number)
    for x in arrays:
        x._buffer.note(what, stream, x._buffer.keep)


def _same_size(**arrays):
    sizes = {name: x.size for name, x in arrays.items()}
    if len(set(sizes.values())) > 1:
        raise ValueError("the arrays differ in size: " + ", ".join(f"{name} has {n}" for name, n in sizes.items()))
    return next(iter(sizes.values()))


def vector_add(c, a, b, stream=None):
    """c = a + b, by the GPU, in single precision. Does not wait."""
    c, a, b = _argument(c, "c", "f4", True), _argument(a, "a", "f4"), _argument(b, "b", "f4")
    n = _same_size(c=c, a=a, b=b)
    _launch("vector_add", "um_launch_vector_add", (c, a, b), (c._place(), a._place(), b._place(), n), stream)
    return c


def saxpy(y, factor, x, stream=None):
    """y = factor * x + y, by the GPU, in single precision. Does not wait."""
    y, x = _argument(y, "y", "f4", True), _argument(x, "x", "f4")
    n = _same_size(y=y, x=x)
    _launch("saxpy", "um_launch_saxpy", (y, x), (y._place(), factor, x._place(), n), stream)
    return y


def record_move(records, time, stream=None):
    """position += velocity * time, of an array of record_dtype, by the GPU. Does not wait."""
    records = adopt(records)
    check_record(records.dtype)
    if records.readonly:
        raise ValueError("records is read-only, and the kernel writes it")
    _launch("record_move", "um_launch_record_move", (records,), (records._place(), time, records.size), stream)
    return records


# ---- records ----

def _record_fields():
    count, nbytes = ctypes.c_uint64(), ctypes.c_uint64()
    fields = lib.um_record_fields(ctypes.byref(count), ctypes.byref(nbytes))
    formats = [(f.format.decode(), (f.elements,)) if f.elements > 1 else f.format.decode()
               for f in fields[:count.value]]
    return np.dtype({"names": [f.name.decode() for f in fields[:count.value]], "formats": formats,
                     "offsets": [f.offset for f in fields[:count.value]], "itemsize": nbytes.value})


record_dtype = _record_fields()  # struct um_record, as the C compiler laid it out


def check_record(dtype, wanted=None):
    """Nothing, when `dtype` lies in memory as `wanted` (struct um_record) does; else a TypeError that names the
    field."""
    dtype, wanted = np.dtype(dtype), np.dtype(record_dtype if wanted is None else wanted)
    for name in wanted.names:
        field, offset = wanted.fields[name][:2]
        if name not in (dtype.names or ()):
            raise TypeError(f"field '{name}' is missing: the C structure has it at byte {offset}, as {field}")
        other, at = dtype.fields[name][:2]
        if other != field:
            raise TypeError(f"field '{name}' is {other} here, and {field} in the C structure")
        if at != offset:
            raise TypeError(f"field '{name}' begins at byte {at} here, and at byte {offset} in the C structure: "
                            "padding differs (numpy packs fields unless align=True)")
    for name in dtype.names:
        if name not in wanted.names:
            raise TypeError(f"field '{name}' is not in the C structure")
    if dtype.itemsize != wanted.itemsize:
        raise TypeError(f"a record is {dtype.itemsize} bytes here, and {wanted.itemsize} in C: the end is padded "
                        "differently")
