"""views.py: one array of records, seen in several ways, and how many hold its memory meanwhile.

No way of seeing copies anything: it is a place where the first element begins, and a stride to the next one.
"""
import ctypes

import numpy as np
import umlab


def references(address):
    """How many hold the buffer at an address; asking takes no reference."""
    info = umlab.BufferInfo()
    umlab.call("um_buffer_describe", umlab.query(address).buffer, ctypes.byref(info))
    return info.references


def views(n):
    """Rows for lab8's table: where each view begins in the memory, its stride, and the references once it is there."""
    records = np.zeros(n, umlab.record_dtype)
    records["mass"] = np.arange(n)
    x = umlab.array(records, "managed")
    start, rows = x.ptr, []

    def row(name, begins, stride, right):
        rows.append({"name": name, "begins_at": begins - start, "stride": stride, "references": references(start),
                     "verified": bool(right)})

    row("array", x.ptr, x.strides[0], True)
    part = x[10:20]
    row("slice", part.ptr, part.strides[0], len(part) == 10)
    view = np.asarray(x)
    row("numpy-view", view.ctypes.data, view.strides[0], view["mass"][-1] == records["mass"][-1])
    other = view[::2]["id"]  # numpy's view of numpy's view
    row("numpy-id", other.ctypes.data, other.strides[0], other.size == (n + 1) // 2)
    mass = np.asarray(x["mass"])
    row("field", mass.ctypes.data, mass.strides[0], mass[10] == 10)
    tensor = np.from_dlpack(x["mass"])
    row("tensor", tensor.ctypes.data, tensor.strides[0], tensor[10] == 10)
    del x, part, view, other, mass
    row("owner-gone", tensor.ctypes.data, tensor.strides[0], tensor[10] == 10)
    return rows
