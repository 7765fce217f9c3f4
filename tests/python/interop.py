#!/usr/bin/env python3
"""Lab 8's umlab.py, convention by convention: what numpy and others are shown, what they are refused, and in which
words.

    tests/python/interop.py [WORDS]

Lifetimes, threads and forks are in interop_lives.py, records in interop_records.py.
"""
import ctypes
import sys

from support import cases
from support.interop import HOST_KINDS, Sharing, np, umlab


class Consumer:
    """Another library's array: only the device's interface, with what it says of itself changed as a test needs."""

    def __init__(self, x, **changed):
        self.x, self.changed = x, changed

    @property
    def __cuda_array_interface__(self):
        return {**self.x.__cuda_array_interface__, **self.changed}


def name_of(capsule):
    get = ctypes.pythonapi.PyCapsule_GetName
    get.argtypes, get.restype = (ctypes.py_object,), ctypes.c_char_p
    return get(capsule).decode()


class Producer:
    """What numpy asks of a producer, around a capsule that is there already."""

    def __init__(self, capsule):
        self.capsule = capsule

    def __dlpack__(self, **_):
        return self.capsule

    def __dlpack_device__(self):
        return 1, 0


class BufferProtocol(Sharing):
    def test_share(self):
        "numpy and memoryview work on the memory itself, in each kind the host reaches"
        for kind in HOST_KINDS:
            x = umlab.array(np.arange(12, dtype="f4").reshape(3, 4), kind)
            view, raw = np.asarray(x), memoryview(x)
            self.assertEqual((view.ctypes.data, view.shape, view.strides), (x.ptr, (3, 4), (16, 4)))
            view[2, 3] = 99
            self.assertEqual((raw[2, 3], raw.shape, raw.format, raw.readonly), (99, (3, 4), "f", False))
            self.assertEqual(bytes(x), view.tobytes())

    def test_strided(self):
        "slices go on sharing: strided, backwards, of several dimensions, none left"
        x = umlab.array(np.arange(24, dtype="i4").reshape(6, 4))
        for part in (slice(1, 5, 2), slice(None, None, -1), slice(4, 0, -3), slice(2, 2), slice(9, 20)):
            ours, theirs = x[part], np.asarray(x)[part]
            self.assertTrue(np.array_equal(np.asarray(ours), theirs), part)
            if theirs.size:
                self.assertEqual(np.asarray(ours).ctypes.data, theirs.ctypes.data, part)
                self.assertEqual(ours.ptr, theirs.ctypes.data, part)
        self.assertEqual(memoryview(x[::-2]).tolist(), np.asarray(x)[::-2].tolist())

    def test_shapes(self):
        "arrays without dimensions, and without elements"
        x = umlab.empty(())
        x[...] = 2.5
        self.assertEqual((np.asarray(x)[()], np.asarray(x).shape, float(x), bool(x), int(x)), (2.5, (), 2.5, True, 2))
        self.refused(TypeError, "no length", len, x)
        for shape in ((0,), (3, 0, 2)):
            x = umlab.empty(shape)
            self.assertEqual((np.asarray(x).shape, memoryview(x).shape, x.nbytes, len(bytes(x))), (shape, shape, 0, 0))

    def test_types(self):
        "float16, complex, bool, integers, bytes, the other byte order: what numpy reads is what was written"
        for name in ("f2", "f8", "c8", "c16", "?", "i1", "u2", "i8", ">f4", ">i8", "S4", "U3", "M8[s]"):
            values = np.array([0, 1, 7], "i8").astype(name)
            x = umlab.array(values)
            self.assertEqual(np.asarray(x).dtype, values.dtype)
            self.assertTrue(np.array_equal(np.asarray(x), values), name)
            if values.dtype.kind not in "MSU>" and values.dtype.isnative:
                self.assertEqual(memoryview(x).format, memoryview(values).format)
        self.refused(TypeError, "Python objects", umlab.empty, 3, "O")

    def test_read_only(self):
        "a read-only array is read-only to everybody"
        x = umlab.array(np.arange(4, dtype="f4"))
        frozen = umlab.adopt(Consumer(x), readonly=True)
        for kind, it in (("adopted", frozen), ("its slice", frozen[1:])):
            self.assertTrue(memoryview(it).readonly, kind)
            self.assertFalse(np.asarray(it).flags.writeable, kind)
            self.assertTrue(it.__array_interface__["data"][1], kind)
            self.assertTrue(it.__cuda_array_interface__["data"][1], kind)
            self.refused(ValueError, "read-only", it.__setitem__, 0, 1)
        self.refused(ValueError, "read-only", umlab.saxpy, frozen, 1, x)
        self.refused(BufferError, "read-only", frozen.__dlpack__)
        self.assertFalse(np.from_dlpack(frozen).flags.writeable)  # numpy asks for version 1.0
        with self.assertRaises(TypeError):
            (ctypes.c_ubyte * 16).from_buffer(frozen)

    def test_interface(self):
        "__array_interface__ says version 3, the address, the type and the strides"
        x = umlab.array(np.zeros((4, 2), "c8"))
        said = x.__array_interface__
        self.assertEqual((said["version"], said["shape"], said["typestr"], said["data"], said["strides"]),
                         (3, (4, 2), "<c8", (x.ptr, False), None))
        self.assertEqual(x[::2].__array_interface__["strides"], (32, 8))

    def test_copy(self):
        "numpy copies when it is told to, and only then"
        x = umlab.array(np.arange(4, dtype="f4"))
        for made, shared in ((np.asarray(x), True), (np.array(x), False), (np.array(x, copy=None), True),
                             (np.asarray(x, "f8"), False), (np.asarray(x, copy=False), True),
                             (x.copy_to_host(), False)):
            self.assertEqual(np.shares_memory(made, np.asarray(x)), shared)
        with self.assertRaises(ValueError):
            np.asarray(x, "f8", copy=False)


class CudaArrayInterface(Sharing):
    def test_says(self):
        "__cuda_array_interface__ is version 3, for every kind of memory"
        for kind in umlab.MEMORY:
            x = umlab.array(np.arange(6, dtype="f8").reshape(2, 3), kind)
            said = x.__cuda_array_interface__
            self.assertEqual((said["version"], said["shape"], said["typestr"], said["data"], said["strides"],
                              said["stream"]),
                             (3, (2, 3), "<f8", (x.device_ptr, False), None, None))
            self.assertEqual(x[::-1].__cuda_array_interface__["data"][0], x.device_ptr + 24)
        self.assertEqual(umlab.empty(0).__cuda_array_interface__["data"][0], 0)  # as the interface wants it

    def test_stream(self):
        "its stream is the one whose work has to be waited for, and never 0"
        x, y = umlab.array(np.ones(64, "f4")), umlab.array(np.ones(64, "f4"))
        mine = umlab.Stream()
        for given, said in ((0, 1), (None, 1), (1, 1), (2, 2), (mine, mine.ptr)):
            umlab.saxpy(y, 1, x, stream=given)
            self.assertEqual(y.__cuda_array_interface__["stream"], said, given)
            umlab.synchronize(given)
            self.assertIsNone(y.__cuda_array_interface__["stream"])
        umlab.saxpy(y, 1, x, stream=mine)
        umlab.saxpy(y, 1, x, stream=2)
        last = y.__cuda_array_interface__["stream"]
        umlab.synchronize(last)  # the other's work is before this one's, by order of y itself
        umlab.synchronize(mine)
        umlab.synchronize(2)
        self.assertEqual(np.asarray(y)[63], 8)

    def test_adopt(self):
        "another library's array is taken up at its address, its queued work followed"
        x = umlab.array(np.arange(8, dtype="f4"), "device")
        ours = umlab.adopt(Consumer(x))
        self.assertEqual((ours.ptr, ours.dtype, ours.memory), (x.ptr, np.dtype("f4"), "device"))
        umlab.saxpy(ours, 1, x)
        self.assertEqual(x.copy_to_host().tolist(), [2.0 * i for i in range(8)])
        back = umlab.adopt(Consumer(x[::-2]))
        self.assertEqual((back.ptr, back.strides), (x.ptr + 28, (-8,)))
        managed = umlab.array(np.zeros(8, "f4"))
        queued = umlab.adopt(Consumer(managed, stream=umlab.Stream().ptr))
        self.refused(umlab.NotSynchronized, "another library's work", np.asarray, queued)
        self.refused(TypeError, "mask", umlab.adopt, Consumer(x, mask=x))
        self.refused(ValueError, "without elements", umlab.adopt, Consumer(x, shape=(0,)))
        self.refused(TypeError, "no __cuda_array_interface__", umlab.adopt, np.zeros(3))

    def test_foreign_pointers(self):
        "an interface that tells of memory that is not CUDA's, or gone, is refused"
        x, host = umlab.array(np.zeros(8, "f4"), "device"), np.zeros(8, "f4")
        for address in (host.ctypes.data, 8, 1 << 62, x.ptr + (1 << 40)):
            self.refused(umlab.Error, "not CUDA's", umlab.adopt, Consumer(x, data=(address, False)))
        self.refused(umlab.Error, "", umlab.adopt, Consumer(x, shape=(1 << 40,)))
        self.refused(umlab.Error, "no memory", umlab.adopt, Consumer(x, data=(0, False)))

    def test_freed_by_its_owner(self):
        "adopted memory that its owner frees is refused from then on"
        y = umlab.array(np.zeros(1024, "f4"), "managed")
        interface = y.__cuda_array_interface__
        del y
        gone = type("Gone", (), {"__cuda_array_interface__": interface})()
        self.refused(umlab.Error, "not CUDA's", umlab.adopt, gone)
        y = umlab.array(np.zeros(1024, "f4"), "managed")
        late = type("Late", (), {"__cuda_array_interface__": y.__cuda_array_interface__})()
        taken = umlab.adopt(late)
        del y
        for use in (np.asarray, memoryview, umlab.Array.copy_to_host, umlab.Array.__dlpack__):
            self.refused((umlab.Error, BufferError), "not CUDA's", use, taken)
        self.refused(umlab.Error, "not CUDA's", umlab.saxpy, taken, 1, taken)


class DLPack(Sharing):
    def test_devices(self):
        "__dlpack_device__: kDLCUDA, kDLCUDAHost, kDLCUDAHost, kDLCUDAManaged"
        self.assertEqual([umlab.empty(1, "f4", kind).__dlpack_device__() for kind in umlab.MEMORY],
                         [(2, 0), (3, 0), (3, 0), (13, 0)])

    def test_capsules(self):
        "max_version chooses the capsule's form; numpy reads either at the same address"
        for kind in HOST_KINDS:
            x = umlab.array(np.arange(6, dtype="i2").reshape(2, 3), kind)
            for wished, name in ((None, "dltensor"), ((0, 8), "dltensor"), ((1, 0), "dltensor_versioned"),
                                 ((1, 9), "dltensor_versioned"), ((2, 0), "dltensor_versioned")):
                capsule = x.__dlpack__(max_version=wished)
                self.assertEqual(name_of(capsule), name)
                taken = np.from_dlpack(Producer(capsule))
                self.assertEqual(name_of(capsule), "used_" + name)
                self.assertEqual((taken.ctypes.data, taken.tolist()), (x.ptr, [[0, 1, 2], [3, 4, 5]]))

    def test_deleter(self):
        "a capsule holds the memory until it is dropped, or its consumer's array is"
        for wished in (None, (1, 0)):
            for consumed in (False, True):
                x = umlab.array(np.arange(4, dtype="f4"))
                capsule = x.__dlpack__(max_version=wished)
                taken = np.from_dlpack(Producer(capsule)) if consumed else None
                self.refused(umlab.Error, "in use", x.free)
                del x
                self.assertEqual(self.alive()[0], 1)
                if consumed:
                    del capsule
                    self.assertEqual((self.alive()[0], taken.tolist()), (1, [0, 1, 2, 3]))
                taken = capsule = None
                self.assertEqual(self.alive(), (0, 0))

    def test_strides(self):
        "strides, fields of equal size, no dimensions, no elements, each type that DLPack has"
        x = umlab.array(np.arange(24, dtype="f4").reshape(6, 4))
        for part in (x, x[::2], x[::-1], x[2:2]):
            self.assertEqual(np.from_dlpack(part).tolist(), np.asarray(part).tolist())
        self.assertEqual(np.from_dlpack(umlab.array(np.float32(3))).shape, ())
        for name in ("?", "i1", "i8", "u4", "f2", "f8", "c8", "c16"):
            values = np.array([0, 1, 1], name)
            taken = np.from_dlpack(umlab.array(values))
            self.assertEqual((taken.dtype, taken.tolist()), (values.dtype, values.tolist()))
        for name in (">f4", "S4", "M8[s]", umlab.record_dtype):
            self.refused(BufferError, "no word for", umlab.empty(2, name).__dlpack__)
        odd = umlab.empty(4, np.dtype([("a", "f4"), ("b", "u1")]))
        self.refused(BufferError, "no multiples", odd["a"].__dlpack__)

    def test_wishes(self):
        "dl_device and copy: granted where nothing has to be copied, else refused"
        x, d = umlab.array(np.arange(4, dtype="f4")), umlab.array(np.arange(4, dtype="f4"), "device")
        self.assertEqual(np.from_dlpack(x, device="cpu").ctypes.data, x.ptr)
        self.assertEqual(name_of(x.__dlpack__(dl_device=(13, 0), copy=False)), "dltensor")
        self.assertEqual(name_of(d.__dlpack__(dl_device=(2, 0))), "dltensor")
        self.refused(BufferError, "copy_to_host() first", d.__dlpack__, dl_device=(1, 0))
        self.refused(BufferError, "not copied to (4, 0)", x.__dlpack__, dl_device=(4, 0))
        self.refused(BufferError, "nothing is copied", x.__dlpack__, copy=True)
        with self.assertRaises((BufferError, RuntimeError)):
            np.from_dlpack(d)

    def test_streams(self):
        "a consumer's stream: 1, 2, an address and -1 are taken; 0 and nonsense are refused"
        d, mine = umlab.array(np.ones(4, "f4"), "device"), umlab.Stream()
        umlab.saxpy(d, 1, d, stream=mine)
        for given in (None, 1, 2, mine.ptr, -1):
            self.assertEqual(name_of(d.__dlpack__(stream=given)), "dltensor")
        for given in (0, -2, "1", 1.0, True):
            self.refused(ValueError, "ambiguous", d.__dlpack__, stream=given)
        umlab.synchronize(mine)

    def test_unfinished(self):
        "a consumer on the host gets finished memory, or none"
        x = umlab.array(np.ones(4, "f4"))
        umlab.saxpy(x, 1, x)
        self.refused(umlab.NotSynchronized, "saxpy was queued", x.__dlpack__, dl_device=(1, 0))
        self.refused(ValueError, "has no stream", x.__dlpack__, dl_device=(1, 0), stream=1)
        self.assertEqual(name_of(x.__dlpack__(stream=1)), "dltensor")  # a device's consumer is ordered behind it
        umlab.synchronize()
        self.assertEqual(np.from_dlpack(x, device="cpu").tolist(), [2, 2, 2, 2])


class Streams(Sharing):
    def test_names(self):
        "0, 1, 2, None, a Stream and other libraries' stream objects are streams"
        mine, of = umlab.Stream(), lambda **named: type("Theirs", (), named)()
        for given, number in ((0, 0), (None, 0), (1, 1), (2, 2), (mine, mine.ptr), (mine.ptr, mine.ptr), (of(ptr=0), 0),
                              (of(cuda_stream=mine.ptr), mine.ptr), (of(handle=ctypes.c_void_p(mine.ptr)), mine.ptr),
                              (of(handle=ctypes.c_void_p(0)), 0), (np.uint64(2), 2),
                              (of(__cuda_stream__=lambda _: (0, mine.ptr)), mine.ptr)):
            self.assertEqual(umlab.stream_number(given), number)
            x = umlab.array(np.ones(8, "f4"))
            umlab.saxpy(x, 1, x, stream=given)
            umlab.synchronize(given)
            self.assertEqual(np.asarray(x)[7], 2)

    def test_nonsense(self):
        "what is no stream is refused before anything is queued"
        x = umlab.array(np.ones(8, "f4"))
        for given, error in ((-1, ValueError), (1 << 64, ValueError), ("5", TypeError), (2.5, TypeError),
                             (object(), TypeError), ([1], TypeError), (b"x", TypeError), (12345, umlab.Error)):
            self.refused(error, "stream", umlab.saxpy, x, 1, x, stream=given)
            self.refused(error, "stream", umlab.synchronize, given)
            self.refused(error, "stream", x.copy_to_host, given)
        self.assertEqual(np.asarray(x)[0], 1)

    def test_gone(self):
        "a stream lives as long as memory that waits for it"
        x = umlab.array(np.ones(8, "f4"))
        umlab.saxpy(x, 1, x, stream=umlab.Stream())
        number = x.__cuda_array_interface__["stream"]
        self.refused(umlab.NotSynchronized, str(number), np.asarray, x)
        self.assertEqual(x.copy_to_host()[0], 2)
        umlab.synchronize(number)
        self.assertEqual(np.asarray(x)[0], 2)


class Refusals(Sharing):
    def test_device_memory(self):
        "numpy, memoryview, bytes, iterating, indexing and converting device memory: an exception that says what to do"
        d = umlab.array(np.arange(4, dtype="f4"), "device")
        for use in (np.asarray, np.array, np.sum, memoryview, bytes, bytearray, list, sum, bool, float, int,
                    lambda x: x[0], lambda x: x[1:][0], lambda x: x[0, ...], lambda x: 3 in x,
                    lambda x: np.frombuffer(x, "f4"), lambda x: x.__setitem__(0, 1), lambda x: np.add(x, 1),
                    ctypes.c_ubyte.from_buffer):
            self.refused(umlab.DeviceMemoryError, "copy_to_host() first", use, d)
        self.assertFalse(hasattr(d, "__array_interface__"))
        self.assertEqual((len(d), d[1:].shape, d.copy_to_host().tolist()), (4, (3,), [0, 1, 2, 3]))

    def test_not_synchronized(self):
        "memory that queued work may write is not shown to the host before somebody waited"
        x, y = umlab.array(np.ones(256, "f4")), umlab.array(np.ones(256, "f4"))
        umlab.vector_add(y, x, x)
        for use in (np.asarray, memoryview, bytes, list, float, lambda v: v[0], lambda v: v[::2][0],
                    lambda v: v.__array_interface__):
            self.refused(umlab.NotSynchronized, "umlab.synchronize() first", use, y)
        umlab.synchronize(umlab.Stream())  # another stream's end says nothing
        self.refused(umlab.NotSynchronized, "vector_add", np.asarray, y)
        umlab.synchronize()
        self.assertEqual(np.asarray(y)[255], 2)

    def test_arguments(self):
        "kernels and copies refuse other types, shapes and sizes, by name"
        x, short, whole = umlab.empty(8), umlab.empty(4), umlab.empty(8, "i4")
        self.refused(TypeError, "x holds int32", umlab.saxpy, x, 1, whole)
        self.refused(ValueError, "y has 8, x has 4", umlab.saxpy, x, 1, short)
        self.refused(ValueError, "not dense", umlab.saxpy, x[::2], 1, short)
        self.refused(TypeError, "cannot copy float64", x.copy_from_host, np.zeros(8))
        self.refused(ValueError, "none of device", umlab.empty, 4, "f4", "global")
        self.refused(ValueError, "negative", umlab.empty, (2, -1))
        self.refused(MemoryError, "more than there are addresses", umlab.empty, (1 << 40, 1 << 40))
        self.refused(umlab.Error, "cudaMalloc", umlab.empty, 1 << 50, "u1", "device")
        self.refused(umlab.Error, "only managed memory", umlab.empty(4, "f4", "pinned").prefetch)

    def test_addresses(self):
        "any number may be asked about or copied to: none is followed"
        x, d = umlab.empty(1024, "u1"), umlab.empty(1024, "u1", "device")
        for address in (0, 8, x.ptr - 1, 1 << 47, 1 << 63, 2 ** 64 - 1):
            self.assertEqual(umlab.query(address).buffer, 0, hex(address))
            self.refused(umlab.Error, "mapped", umlab.call, "um_copy_to_host", address, d._place(), 1024, 0)
            self.refused(umlab.Error, "mapped", umlab.call, "um_copy_from_host", d._place(), address, 1024, 0)
        self.refused(umlab.Error, "device memory", umlab.call, "um_copy_to_host", d.ptr, x._place(), 1024, 0)
        self.assertEqual(umlab.query(d.ptr + 7).base, d.ptr)
        self.assertEqual((umlab.query(d.ptr).host_visible, umlab.query(x.ptr).host_visible), (0, 1))

    def test_freed(self):
        "memory that was freed is refused by every convention"
        x = umlab.array(np.zeros(8, "f4"))
        x.free()
        for use in (np.asarray, memoryview, umlab.Array.free, umlab.Array.copy_to_host, umlab.Array.prefetch,
                    umlab.Array.__dlpack__, lambda v: v.ptr, lambda v: v[1:].ptr, lambda v: v.__cuda_array_interface__,
                    lambda v: umlab.saxpy(v, 1, v)):
            self.refused(umlab.Error, "", use, x)
        self.assertIn("freed", repr(x))

    def test_lent(self):
        "free() is refused once an address was given out by an interface, a slice's too"
        for lend in (lambda v: v.__array_interface__, lambda v: v[2:].__cuda_array_interface__):
            x = umlab.array(np.zeros(8, "f4"))
            lend(x)
            self.refused(umlab.Error, "given out by", x.free)


if __name__ == "__main__":
    sys.exit(cases.main())
