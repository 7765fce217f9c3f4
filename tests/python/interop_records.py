#!/usr/bin/env python3
"""Lab 8's records: struct um_record and numpy's structured arrays are the same bytes, or the field that differs is
named.

    tests/python/interop_records.py [WORDS]
"""
import ctypes
import sys

from support import cases
from support.interop import HOST_KINDS, Sharing, np, umlab

FIELDS = ("position", "velocity", "mass", "id")

# A structure with padding in the middle and at its end, as a C compiler lays it out (ctypes follows its rules).
MIXED = np.dtype([("tag", "u1"), ("value", "f8"), ("half", "f2"), ("count", "i4"), ("last", "i1")], align=True)


class Mixed(ctypes.Structure):
    _fields_ = [("tag", ctypes.c_uint8), ("value", ctypes.c_double), ("half", ctypes.c_uint16),
                ("count", ctypes.c_int32), ("last", ctypes.c_int8)]


def record(**changed):
    """record_dtype, as numpy's dictionary, with some of it changed."""
    named = umlab.record_dtype.fields
    words = {"names": list(FIELDS), "formats": [named[name][0] for name in FIELDS],
             "offsets": [named[name][1] for name in FIELDS], "itemsize": umlab.record_dtype.itemsize}
    return np.dtype({**words, **changed})


def without(name):
    kept = [i for i, other in enumerate(FIELDS) if other != name]
    whole = record()
    return record(names=[FIELDS[i] for i in kept], formats=[whole.fields[FIELDS[i]][0] for i in kept],
                  offsets=[whole.fields[FIELDS[i]][1] for i in kept])


def some_records(n=100):
    values = np.zeros(n, umlab.record_dtype)
    values["position"] = np.arange(3 * n).reshape(n, 3)
    values["velocity"] = [1, 2, 4]
    values["mass"] = np.arange(n)
    values["id"] = np.arange(n) + 7
    return values


class Crossing(Sharing):
    def test_kernel(self):
        "numpy writes records, the kernel moves them, numpy reads them: each field as it should be"
        before = some_records()
        for kind in umlab.MEMORY:
            x = umlab.array(before, kind)
            umlab.record_move(x, 0.5)
            after = x.copy_to_host()
            self.assertTrue(np.array_equal(after["position"],
                                           before["position"] + np.float32(0.5) * before["velocity"]))
            for name in FIELDS[1:]:
                self.assertTrue(np.array_equal(after[name], before[name]), name)

    def test_fields(self):
        "a field is a view: its address and strides are the structure's, and writes go both ways"
        for kind in HOST_KINDS:
            x = umlab.array(some_records(), kind)
            for name in FIELDS:
                dtype, offset = umlab.record_dtype.fields[name][:2]
                view = x[name]
                self.assertEqual((view.ptr, view.strides[0], view.shape),
                                 (x.ptr + offset, x.dtype.itemsize, (100,) + dtype.shape))
                np.asarray(view)[3:] = 9
                self.assertTrue(np.all(np.asarray(x)[name][3:] == 9))
            umlab.record_move(x, 1)
            umlab.synchronize()
            self.assertEqual(np.asarray(x["position"])[50].tolist(), [18, 18, 18])
            self.assertEqual(np.from_dlpack(x["mass"]).strides, (x.dtype.itemsize,))
            self.assertEqual(umlab.adopt(type("Field", (),
                                              {"__cuda_array_interface__": x["mass"].__cuda_array_interface__})()
                                         ).strides, (x.dtype.itemsize,))

    def test_layout(self):
        "libumlab's layout is what a C compiler makes of the same fields"
        class Record(ctypes.Structure):
            _fields_ = [("position", ctypes.c_float * 3), ("velocity", ctypes.c_float * 3), ("mass", ctypes.c_float),
                        ("id", ctypes.c_uint32)]
        self.assertEqual(umlab.record_dtype, np.dtype(Record))
        umlab.check_record(Record)

    def test_padding(self):
        "records with padding cross: ctypes, numpy, memoryview and another library's interface see the same fields"
        self.assertEqual((MIXED.itemsize, [MIXED.fields[name][1] for name in MIXED.names]), (32, [0, 8, 16, 20, 24]))
        umlab.check_record(np.dtype([(n, MIXED.fields[n][0]) for n in MIXED.names], align=True), MIXED)
        values = np.zeros(5, MIXED)
        for i, name in enumerate(MIXED.names):
            values[name] = np.arange(5) + 10 * i
        x = umlab.array(values)
        as_c = (Mixed * 5).from_buffer(x)
        self.assertEqual((as_c[4].tag, as_c[4].value, as_c[4].count, as_c[4].last), (4, 14.0, 34, 44))
        as_c[2].count = -1
        self.assertEqual(np.asarray(x)["count"].tolist(), [30, 31, -1, 33, 34])
        self.assertEqual(np.asarray(memoryview(x)).dtype, np.asarray(memoryview(values)).dtype)
        taken = umlab.adopt(type("Theirs", (), {"__cuda_array_interface__": x.__cuda_array_interface__})())
        self.assertEqual([(n, taken.dtype.fields[n]) for n in taken.dtype.names],
                         [(n, MIXED.fields[n]) for n in MIXED.names])
        self.assertEqual(np.asarray(taken["value"]).tolist(), [10, 11, 12, 13, 14])
        del as_c

    def test_out_of_order(self):
        "fields out of order have no word in the interfaces: numpy still shares, others are told"
        odd = np.dtype({"names": ["b", "a"], "formats": ["f4", "u1"], "offsets": [4, 0]})
        x = umlab.array(np.array([(1, 2), (3, 4)], odd))
        self.assertEqual((np.asarray(x).ctypes.data, np.asarray(x)["b"].tolist()), (x.ptr, [1, 3]))
        self.assertFalse(hasattr(x, "__cuda_array_interface__"))
        self.assertEqual(x["a"].__cuda_array_interface__["strides"], (8,))


class Mismatches(Sharing):
    def named(self, words, dtype):
        self.refused(TypeError, words, umlab.check_record, dtype)
        x = umlab.empty(4, dtype)
        self.refused(TypeError, words, umlab.record_move, x, 1)

    def test_missing(self):
        "a missing field is named, with its place in the structure"
        for name in FIELDS:
            self.named(f"field '{name}' is missing: the C structure has it at byte "
                       f"{umlab.record_dtype.fields[name][1]}",
                       without(name))
        self.named("field 'position' is missing", np.dtype("f4"))

    def test_type(self):
        "a field of another type is named: width, kind, sign, number of elements, byte order"
        for index, wrong in ((0, ("f4", (4,))), (1, ("i4", (3,))), (2, "f8"), (2, "i4"), (3, "i4"), (2, ">f4"),
                             (3, ">u4")):
            formats = [umlab.record_dtype.fields[name][0] for name in FIELDS]
            formats[index] = np.dtype(wrong)
            self.named(f"field '{FIELDS[index]}' is {formats[index]} here", record(formats=formats, itemsize=64))

    def test_offset(self):
        "a field in another place is named, with both offsets"
        self.named("field 'velocity' begins at byte 16 here, and at byte 12",
                   record(offsets=[0, 16, 28, 32], itemsize=36))
        self.named("field 'mass' begins at byte 28 here, and at byte 24", record(offsets=[0, 12, 28, 24]))

    def test_extra(self):
        "a field too many is named"
        whole = record()
        self.named("field 'spin' is not in the C structure",
                   np.dtype({"names": [*FIELDS, "spin"], "formats": [whole.fields[n][0] for n in FIELDS] + ["f4"],
                             "offsets": [0, 12, 24, 28, 32], "itemsize": 36}))

    def test_size(self):
        "padding at the end is told by both sizes"
        self.named("a record is 48 bytes here, and 32 in C", record(itemsize=48))

    def test_packed(self):
        "what numpy packs and C pads is refused, by the first field that moved"
        packed = np.dtype([(name, MIXED.fields[name][0]) for name in MIXED.names])
        self.refused(TypeError, "field 'value' begins at byte 1 here, and at byte 8", umlab.check_record, packed, MIXED)

    def test_copy(self):
        "a copy between records of different layout is refused"
        x = umlab.array(some_records(4))
        self.refused(TypeError, "cannot copy", x.copy_from_host, np.zeros(4, record(itemsize=48)))


if __name__ == "__main__":
    sys.exit(cases.main())
