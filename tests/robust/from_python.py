#!/usr/bin/env python3
"""Programs in Python that call CUDA by ctypes, with the library opened by dlopen(): one case each.

    tests/robust/from_python.py LIBRARY CASE

LIBRARY is the CUDA runtime. Exit 0 when all was right, 2 with `SKIP: reason` where it cannot run.
"""
import ctypes
import faulthandler
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import threading

BYTES = 1 << 20
PAGE = 4096


class Location(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("id", ctypes.c_int)]


DEVICE, HOST = Location(1, 0), Location(2, 0)


def runtime():
    """The library, opened by name as Python packages open it."""
    return ctypes.CDLL(sys.argv[1])


def need(error):
    assert error == 0, f"CUDA error {error}"


class Managed:
    """Managed memory as a writable buffer of Python."""

    def __init__(self):
        self.cuda = runtime()
        self.p = ctypes.c_void_p()
        need(self.cuda.cudaMallocManaged(ctypes.byref(self.p), ctypes.c_size_t(BYTES), 1))
        self.view = memoryview((ctypes.c_ubyte * BYTES).from_address(self.p.value)).cast("B")

    def to_gpu(self):
        need(self.cuda.cudaMemPrefetchAsync(self.p, ctypes.c_size_t(BYTES), DEVICE, 0, None))
        need(self.cuda.cudaDeviceSynchronize())

    def touch(self):
        """Takes every page back from the GPU."""
        self.to_gpu()
        for at in range(0, BYTES, PAGE):
            self.view[at] = (self.view[at] + 1) % 256
        assert len(set(self.view[::PAGE])) == 1


def faulthandler_enabled_before():
    faulthandler.enable()
    Managed().touch()


def faulthandler_enabled_after():
    managed = Managed()
    managed.touch()
    faulthandler.enable()
    managed.touch()


def signal_set_to_default_after():
    managed = Managed()
    managed.touch()
    signal.signal(signal.SIGSEGV, signal.SIG_DFL)
    managed.touch()


def signals_blocked_after():
    managed = Managed()
    managed.touch()
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    managed.touch()


def threads_with_signals_blocked():
    managed = Managed()
    started = threading.Event()

    def work():
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        started.set()
        managed.touch()

    thread = threading.Thread(target=work)
    thread.start()
    started.wait()
    thread.join()
    managed.touch()
    assert managed.view[0] == 2


def files():
    """readinto(), write() and their kind on a buffer whose pages are on the GPU."""
    managed = Managed()
    managed.view[:] = b"m" * BYTES
    with tempfile.TemporaryFile(buffering=0) as file:
        managed.to_gpu()
        assert file.write(managed.view) == BYTES
        file.seek(0)
        managed.view[:] = bytes(BYTES)
        managed.to_gpu()
        assert file.readinto(managed.view) == BYTES
        assert bytes(managed.view) == b"m" * BYTES
        managed.to_gpu()
        assert os.pwrite(file.fileno(), managed.view, 0) == BYTES
        managed.to_gpu()
        assert os.preadv(file.fileno(), [managed.view], 0) == BYTES
    with tempfile.TemporaryFile() as file:
        managed.to_gpu()
        file.write(managed.view)
        file.seek(0)
        managed.to_gpu()
        assert file.readinto(managed.view) == BYTES
        assert bytes(managed.view) == b"m" * BYTES


def fault_is_reported():
    """A wild read is Python's own fault, which faulthandler reports; the process dies of SIGSEGV."""
    managed = Managed()
    faulthandler.enable()
    managed.touch()
    ctypes.string_at(0)


def in_a_worker(_):
    Managed().touch()
    return os.getpid()


def refused_in_a_worker(_):
    p = ctypes.c_void_p()
    return runtime().cudaMalloc(ctypes.byref(p), ctypes.c_size_t(PAGE))


def pool(method, work):
    with multiprocessing.get_context(method).Pool(2) as workers:
        return workers.map(work, range(4))


def processes_spawned():
    Managed().touch()
    for method in ("spawn", "forkserver"):
        assert os.getpid() not in pool(method, in_a_worker)


def processes_forked():
    """As with CUDA, a forked worker of a process that has used the GPU gets cudaErrorInitializationError."""
    assert os.getpid() not in pool("fork", in_a_worker)  # nobody has used it yet
    managed = Managed()
    managed.touch()
    assert pool("fork", refused_in_a_worker) == [3] * 4
    managed.touch()


def subprocesses():
    managed = Managed()
    for _ in range(10):
        managed.touch()
        assert subprocess.run(["sh", "-c", "exit 4"], check=False).returncode == 4
        assert subprocess.run(["echo", "hello"], capture_output=True, text=True, check=True).stdout == "hello\n"
    managed.touch()
    assert managed.view[0] == 11


def interrupted():
    """Ctrl-C is Python's KeyboardInterrupt, also while pages come back."""
    managed = Managed()
    threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        while True:
            managed.touch()
    except KeyboardInterrupt:
        pass
    managed.view[:] = bytes(BYTES)
    managed.touch()
    assert managed.view[0] == 1


def main():
    case = sys.argv[2].replace("-", "_")
    globals()[case]()


if __name__ == "__main__":
    main()
