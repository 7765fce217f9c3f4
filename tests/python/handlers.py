#!/usr/bin/env python3
"""SIGSEGV in a Python program whose CUDA library was opened by ctypes: the simulator's wrappers do not reach Python.

    tests/python/handlers.py

A GPU uses no signal, so nothing that Python does with SIGSEGV may stop managed memory. The simulator sees what was done
at the next CUDA call. And Python gets the faults that are its own.
"""
import ctypes
import faulthandler
import os
import signal
import subprocess
import sys
import threading

from support import um_ctypes

PAGES, PAGE = 256, 4096


class Managed:
    """Managed memory that the GPU fills and Python reads."""

    def __init__(self):
        self.cuda = um_ctypes.Cuda().load_runtime()
        self.p = ctypes.c_void_p()
        self.value = 0
        self.cuda.need("cudaMallocManaged", ctypes.byref(self.p), ctypes.c_size_t(PAGES * PAGE), 1)

    def turn(self):
        """One CUDA call at least, then a touch of each page."""
        self.value += 1
        self.cuda.need("cudaMemset", self.p, self.value, ctypes.c_size_t(PAGES * PAGE))
        self.cuda.need("cudaDeviceSynchronize")
        page = ctypes.cast(self.p, ctypes.POINTER(ctypes.c_ubyte))
        for i in range(PAGES):
            assert page[i * PAGE] == self.value, f"page {i} holds {page[i * PAGE]}, not {self.value}"


def fault():
    ctypes.string_at(8)


def faulthandler_later():
    managed = Managed()
    managed.turn()
    faulthandler.enable()
    managed.turn()
    faulthandler.disable()
    managed.turn()
    faulthandler.enable()
    managed.turn()


def faulthandler_before():
    faulthandler.enable()
    managed = Managed()
    managed.turn()
    faulthandler.disable()
    managed.turn()


def faulthandler_reports():
    managed = Managed()
    faulthandler.enable()
    managed.turn()
    fault()


def faulthandler_before_reports():
    faulthandler.enable()
    Managed().turn()
    fault()


def default_later():
    managed = Managed()
    managed.turn()
    for action in (signal.SIG_DFL, signal.SIG_IGN, signal.SIG_DFL):
        signal.signal(signal.SIGSEGV, action)
        managed.turn()


def default_later_dies():
    default_later()
    fault()


def raised_by_default():
    managed = Managed()
    managed.turn()
    signal.signal(signal.SIGSEGV, signal.SIG_DFL)
    managed.turn()
    os.kill(os.getpid(), signal.SIGSEGV)


def ignored():
    managed = Managed()
    signal.signal(signal.SIGSEGV, signal.SIG_IGN)
    managed.turn()
    os.kill(os.getpid(), signal.SIGSEGV)
    managed.turn()


def handler_of_pythons():
    managed = Managed()
    seen = []
    signal.signal(signal.SIGSEGV, lambda number, frame: seen.append(number))
    managed.turn()
    os.kill(os.getpid(), signal.SIGSEGV)
    managed.turn()
    assert seen == [signal.SIGSEGV], seen
    assert callable(signal.signal(signal.SIGSEGV, signal.SIG_DFL))


def blocked():
    managed = Managed()
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32))
    managed.turn()
    failed = []

    def work():
        try:
            signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32))
            for _ in range(10):
                managed.turn()
        except AssertionError as error:
            failed.append(error)
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert not failed, failed


def run(name):
    return subprocess.run([sys.executable, __file__, "--child", name], capture_output=True, text=True, timeout=60,
                          check=False)


def lives(body, sentence):
    done = run(body.__name__)
    return sentence, "" if done.returncode == 0 else f"ended with {done.returncode}: {done.stdout}{done.stderr}"


def dies(body, sentence, report=""):
    """Of SIGSEGV, and says `report` once."""
    done = run(body.__name__)
    right = done.returncode == -signal.SIGSEGV and (not report or done.stderr.count(report) == 1)
    return sentence, "" if right else f"ended with {done.returncode}: {done.stdout}{done.stderr}"


CHILDREN = {f.__name__: f for f in (faulthandler_later, faulthandler_before, faulthandler_reports,
                                    faulthandler_before_reports, default_later, default_later_dies, raised_by_default,
                                    ignored, handler_of_pythons, blocked)}


def main():
    if sys.argv[1:2] == ["--child"]:
        CHILDREN[sys.argv[2]]()
        return 0
    um_ctypes.skip_unless_simulated()
    reported = "Fatal Python error: Segmentation fault"
    results = [
        lives(faulthandler_later, "faulthandler after the first CUDA call leaves managed memory alone"),
        lives(faulthandler_before, "and enabled before it, disabled after it"),
        dies(faulthandler_reports, "it reports Python's own fault, once, and the process ends", reported),
        dies(faulthandler_before_reports, "and when it was enabled before", reported),
        lives(default_later, "signal.signal() with SIG_DFL and SIG_IGN leaves managed memory alone"),
        dies(default_later_dies, "and Python's own fault ends the process then"),
        dies(raised_by_default, "and so does a SIGSEGV that is sent"),
        lives(ignored, "one that is ignored does not"),
        lives(handler_of_pythons, "a handler in Python gets what is sent, and no page fault"),
        lives(blocked, "threads that block all signals use managed memory"),
    ]
    for sentence, why_not in results:
        print(f"  {'FAIL' if why_not else 'ok  '}  {sentence}")
        for line in why_not.splitlines():
            print(f"        {line}")
    failed = sum(1 for _, why_not in results if why_not)
    print(f"{len(results) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
