#!/usr/bin/env python3
"""Lab 8's umlab.py: who may die first, what is left behind, and what threads, forks, pickles and the interpreter's end
do.

    tests/python/interop_lives.py [WORDS]
"""
import copy
import ctypes
import gc
import itertools
import multiprocessing
import pickle
import sys
import threading

from support import cases
from support.interop import HOST_KINDS, Sharing, np, umlab

CYCLES = 10_000
DTYPE = np.dtype([("a", "f4"), ("b", "u4")])
# One thing a sharer may hold; the first is the owner.
SHARES = {
    "array": lambda x: x,
    "view": np.asarray,
    "memoryview": memoryview,
    "capsule": lambda x: x["a"].__dlpack__(),
    "tensor": lambda x: np.from_dlpack(x["b"]),
    "slice": lambda x: x[1:],
    "field": lambda x: np.asarray(x["b"]),
}
RSS_PAGES = 1


def resident_kib():
    with open("/proc/self/statm", encoding="ascii") as statm:
        return int(statm.read().split()[RSS_PAGES]) * 4


def cycle(names, memory):
    """Makes an array, shares it by `names` in that order, and drops the shares in that order; returns what was
    wrong."""
    x = umlab.empty(4, DTYPE, memory)
    x["b"][3] = 77
    held = {name: SHARES[name](x) for name in names}
    del x
    for name in names:
        for who, seen in (("view", lambda v: v["b"][3]), ("field", lambda v: v[3]), ("tensor", lambda v: v[3]),
                          ("memoryview", lambda v: np.asarray(v)["b"][3]), ("slice", lambda v: v["b"][2]),
                          ("array", lambda v: v["b"][3])):
            if who in held and seen(held[who]) != 77:
                return f"{names}: {who} saw {seen(held[who])} before {name} was dropped"
        del held[name]
    return ""


class WhoDiesFirst(Sharing):
    def test_each_order(self):
        ("in every order of array, view, memoryview, capsule, tensor, slice and field: each sees the memory to its own "
         "end")
        wrong, done = [], 0
        for names in itertools.permutations(SHARES):
            wrong.append(cycle(names, HOST_KINDS[done % 3]))
            done += 1
        self.assertEqual((done, [words for words in wrong if words]), (5040, []))

    def test_no_leak(self):
        "10,000 cycles of create, share and drop leave no buffer, and resident memory as it was"
        orders = itertools.cycle(itertools.permutations(SHARES, 3))
        wrong = [cycle(next(orders), "managed") for _ in range(CYCLES // 10)]  # as much as will ever be needed
        gc.collect()
        before = resident_kib()
        wrong += [cycle(next(orders), HOST_KINDS[i % 3]) for i in range(CYCLES)]
        self.assertEqual([words for words in wrong if words], [])
        self.assertEqual(self.alive(), (0, 0))
        # 0.2 KiB a cycle would be a leak
        self.assertLess(resident_kib() - before, 2048, "KiB more after 10,000 cycles")

    def test_owner_first(self):
        "a view lives on after its array and the array's other views"
        for kind in HOST_KINDS:
            x = umlab.array(np.arange(1000, dtype="f4"), kind)
            view = np.asarray(x)[10:][::2]
            self.refused(umlab.Error, "in use by 1 others", x.free)
            del x
            self.assertEqual((self.alive()[0], view[0], view[-1]), (1, 10, 998))
            del view
            self.assertEqual(self.alive(), (0, 0))

    def test_del_before_use(self):
        "an array deleted with work still queued: the work is done, its memory goes after it"
        for kind in umlab.MEMORY:
            x, y = (umlab.array(np.ones(1 << 16, "f4"), kind) for _ in "xy")
            umlab.saxpy(y, 2, x)
            del x
            umlab.saxpy(y, 1, y)
            self.assertEqual(y.copy_to_host()[-1], 6)
            umlab.saxpy(y, 1, y, stream=umlab.Stream())
            del y
            self.assertEqual(self.alive(), (0, 0))

    def test_adopted(self):
        "an adopted array keeps its owner alive, and frees nothing of its own"
        x = umlab.array(np.arange(8, dtype="f4"))
        theirs = type("Theirs", (), {})()
        theirs.__class__.__cuda_array_interface__ = x.__cuda_array_interface__
        theirs.owner = x
        taken = umlab.adopt(theirs)
        view = np.asarray(taken)
        del x, theirs, taken
        self.assertEqual((self.alive()[1], view.tolist()), (32, list(range(8))))
        del view

    def test_collected(self):
        "arrays in reference cycles are collected"
        x = umlab.empty(100)
        x.me = [x, np.asarray(x), x[1:], x.__dlpack__()]
        del x
        self.assertEqual(self.alive(), (0, 0))

    def test_capsule_in_c(self):
        "a deleter may be called from another thread, without the interpreter's lock"
        class Tensor(ctypes.Structure):  # DLManagedTensor: 48 bytes of DLTensor, the context, the deleter
            _fields_ = [("tensor", ctypes.c_uint64 * 6), ("context", ctypes.c_void_p),
                        ("deleter", ctypes.CFUNCTYPE(None, ctypes.c_void_p))]
        get, rename = ctypes.pythonapi.PyCapsule_GetPointer, ctypes.pythonapi.PyCapsule_SetName
        get.argtypes, get.restype = (ctypes.py_object, ctypes.c_char_p), ctypes.c_void_p
        rename.argtypes = ctypes.py_object, ctypes.c_char_p
        x = umlab.array(np.zeros(4, "f4"))
        capsule = x.__dlpack__()
        address = get(capsule, b"dltensor")
        rename(capsule, b"used_dltensor")  # as a consumer does
        del capsule, x
        self.assertEqual(self.alive()[0], 1)
        thread = threading.Thread(target=Tensor.from_address(address).deleter, args=(address,))
        thread.start()
        thread.join()
        self.assertEqual(self.alive(), (0, 0))


class Threads(Sharing):
    def test_eight(self):
        "eight threads create, share, launch, wait, look and drop at the same time"
        wrong, common = [], umlab.array(np.ones(256, "f4"))
        start = threading.Barrier(8)

        def work(number):
            try:
                start.wait()
                stream = umlab.Stream()
                for i in range(60):
                    x = umlab.array(np.full(256, number, "f4"), HOST_KINDS[i % 3])
                    y = umlab.array(np.full(256, i, "f4"), "managed")
                    umlab.saxpy(y, 2, x, stream=stream)
                    umlab.vector_add(y, y, common, stream=stream)
                    umlab.synchronize(stream)
                    views = [np.asarray(y), np.from_dlpack(y[::2]), np.asarray(memoryview(y))]
                    del y
                    if any(view[-1] != i + 2 * number + 1 for view in views):
                        wrong.append((number, i, [view[-1] for view in views]))
                    wrong.extend(filter(None, [cycle(("capsule", "view", "slice", "field", "tensor"), "pinned")]))
            except Exception as error:  # an assertion in a thread would be lost
                wrong.append(repr(error))
        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])
        self.assertEqual(np.asarray(common).tolist(), [1] * 256)

    def test_notes(self):
        "who waits for one launch does not wave through another thread's later one"
        x = umlab.array(np.ones(64, "f4"))
        umlab.saxpy(x, 1, x)
        began = next(umlab.Buffer.serial)  # a thread begins to wait here ...
        umlab.saxpy(x, 1, x)
        umlab.Buffer.done(0, began)  # ... and is done after the second launch
        self.refused(umlab.NotSynchronized, "saxpy", np.asarray, x)
        umlab.synchronize()
        self.assertEqual(np.asarray(x)[0], 4)


class Copies(Sharing):
    def test_pickle(self):
        "arrays and streams cannot be pickled, copied or deep-copied; what copy_to_host() returns can"
        x, stream = umlab.array(np.arange(4, dtype="f4")), umlab.Stream()
        for use in (pickle.dumps, copy.copy, copy.deepcopy):
            self.refused(TypeError, "copy_to_host()", use, x)
            self.refused(TypeError, "copy_to_host()", use, x[1:])
            self.refused(TypeError, "cannot be pickled or copied", use, stream)
        self.assertEqual(pickle.loads(pickle.dumps(x.copy_to_host())).tolist(), [0, 1, 2, 3])
        self.assertEqual(pickle.loads(pickle.dumps(np.asarray(x))).tolist(), [0, 1, 2, 3])


def child_is_refused(x, pipe):
    """In a forked child: what each use of CUDA answers."""
    said = []
    for use in (lambda: umlab.empty(4), lambda: np.asarray(x), lambda: memoryview(x), lambda: x.copy_to_host(),
                x.__dlpack__,
                lambda: umlab.saxpy(x, 1, x), umlab.synchronize, umlab.Stream, lambda: umlab.query(x.ptr), x.free):
        try:
            use()
            said.append("no exception")
        except Exception as error:
            said.append(str(error))
    pipe.send(said)


def child_on_its_own(pipe):
    """In a child that began anew: CUDA works."""
    x = umlab.array(np.arange(4, dtype="f4"))
    umlab.saxpy(x, 1, x)
    pipe.send(x.copy_to_host().tolist())


class Forks(Sharing):
    def child(self, method, target, *arguments):
        context = multiprocessing.get_context(method)
        here, there = context.Pipe()
        child = context.Process(target=target, args=(*arguments, there))
        child.start()
        said = here.recv() if here.poll(60) else "nothing"
        child.join()
        self.assertEqual(child.exitcode, 0)
        return said

    def test_fork(self):
        "a forked child is refused by every call, in words that help; the parent goes on unharmed"
        x = umlab.array(np.ones(1024, "f4"))
        view, capsule, stream = np.asarray(x), x.__dlpack__(), umlab.Stream()
        for said in self.child("fork", child_is_refused, x):
            self.assertIn("forked after its parent had begun to use CUDA", said)
        umlab.saxpy(x, 1, x, stream=stream)
        umlab.synchronize(stream)
        self.assertEqual((view[0], np.from_dlpack(x)[1023], self.alive()), (2, 2, (1, 4096)))
        del view, capsule

    def test_spawn(self):
        "a child that begins anew (multiprocessing 'spawn') has CUDA of its own; an array is not sent there"
        x = umlab.array(np.ones(4, "f4"))
        self.assertEqual(self.child("spawn", child_on_its_own), [0, 2, 4, 6])
        with self.assertRaises(TypeError):
            multiprocessing.get_context("spawn").Process(target=child_is_refused, args=(x, None)).start()
        self.assertEqual(np.asarray(x)[0], 1)

    def test_before(self):
        "children that are forked before the first CUDA call have CUDA of their own"
        said = self.alone("pid = os.fork()\n"
                          "x = umlab.array(np.arange(4, dtype='f4'))\n"
                          "umlab.saxpy(x, 1, x)\n"
                          "right = x.copy_to_host().tolist() == [0, 2, 4, 6]\n"
                          "if pid: right = right and os.waitpid(pid, 0)[1] == 0\n"
                          "else: os._exit(not right)\n"
                          "print(right)\n")
        self.assertEqual(said, "True\n")


ALIVE_AT_THE_END = """
x = umlab.array(np.arange(1000, dtype="f4"), {memory!r})
stream = umlab.Stream()
umlab.saxpy(x, 1, x, stream=stream)
{waiting}
keep = [x, x[::2], x.__dlpack__(stream=None if {host} else 1), x.__cuda_array_interface__]
if {host}:
    keep += [np.asarray(x), memoryview(x), np.from_dlpack(x), np.asarray(x[1:])]
cycle = [keep]
cycle.append(cycle)
{more}
"""


class TheEnd(Sharing):
    def test_exit(self):
        "the interpreter ends with views, capsules, streams and queued work alive: status 0, nothing on stderr"
        for memory in umlab.MEMORY:
            host = memory != "device"
            waiting = "umlab.synchronize(stream)" if host else ""
            for more, status in (("", 0), ("sys.exit(3)", 3), ("gc.disable(); umlab.kept = keep; sys.kept = cycle", 0),
                                 ("gc.freeze(); ctypes.kept = keep", 0)):
                self.alone(ALIVE_AT_THE_END.format(memory=memory, host=host, waiting=waiting, more=more), status)

    def test_queued(self):
        "it ends with work queued that nobody waited for"
        self.alone("x = umlab.array(np.ones(1 << 16, 'f4'))\numlab.saxpy(x, 1, x)\n"
                   "umlab.saxpy(x, 1, x, stream=umlab.Stream())\n")

    def test_thread(self):
        "it ends while a daemon thread creates and drops"
        self.alone("import threading, time\n"
                   "def work():\n"
                   "    while True: np.asarray(umlab.empty(100))[0] = 1\n"
                   "threading.Thread(target=work, daemon=True).start()\n"
                   "time.sleep(0.2)\n")

    def test_atexit(self):
        "functions at exit may still use it, also those registered before it came"
        self.alone("import atexit\nx = umlab.array(np.ones(4, 'f4'))\n"
                   "def last():\n"
                   "    umlab.saxpy(x, 1, x)\n"
                   "    assert x.copy_to_host()[3] == 2\n"
                   "atexit.register(last)\n")

    def test_fork_at_exit(self):
        "a forked child ends by itself, with everything of its parent's still referred to"
        said = self.alone("x = umlab.array(np.ones(4, 'f4'))\nkeep = np.asarray(x), x.__dlpack__(), umlab.Stream()\n"
                          "pid = os.fork()\n"
                          "if pid: print(os.waitpid(pid, 0)[1], x.copy_to_host()[0])\n")
        self.assertEqual(said, "0 1.0\n")


if __name__ == "__main__":
    sys.exit(cases.main())
