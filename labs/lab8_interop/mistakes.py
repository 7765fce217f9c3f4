"""mistakes.py: three things that go wrong when two languages share a pointer, each caught and explained.

Each function makes its mistake, and returns the sentence that says so. What kills the process is made in a child.
"""
import os
import signal
import subprocess
import sys

import numpy as np
import umlab


def device_read():
    """A device pointer is an address like any other, until it is followed."""
    x = umlab.array(np.ones(1024, "f4"), "device")
    try:
        np.asarray(x)
    except umlab.DeviceMemoryError as error:
        said = str(error).split(". ")[0]
    else:
        return None
    code = ("import ctypes, umlab, numpy\n"
            "x = umlab.array(numpy.ones(1024, 'f4'), 'device')\n"
            "ctypes.c_float.from_address(x.ptr).value\n")
    child = subprocess.run([sys.executable, "-c", code], stderr=subprocess.DEVNULL, check=False,
                           env={**os.environ, "PYTHONPATH": os.path.dirname(os.path.abspath(__file__))})
    if child.returncode != -signal.SIGSEGV:
        return None
    return f"ctypes follows it: SIGSEGV. numpy is told before: {said}"


def free_under_view():
    """The owner frees, a view still looks."""
    x = umlab.array(np.arange(1024, dtype="f4"), "managed")
    view = np.asarray(x)
    try:
        x.free()
    except umlab.Error as error:
        said = str(error)
    else:
        return None
    if view[1023] != 1023:
        return None
    del view
    x.free()
    return f"refused: {said}"


def no_synchronize():
    """A launch returns at once: what the host reads then may be old."""
    x = umlab.array(np.ones(1 << 16, "f4"), "managed")
    umlab.saxpy(x, 1, x)
    try:
        np.asarray(x)
    except umlab.NotSynchronized as error:
        said = str(error)
    else:
        return None
    umlab.synchronize()
    return said if np.asarray(x)[-1] == 2 else None


MISTAKES = {"device-read": device_read, "free-under-view": free_under_view, "no-synchronize": no_synchronize}

