#!/usr/bin/env python3
"""interop/'s C under AddressSanitizer with leak check, and under valgrind: 10,000 cycles in every order, and DLPack's
tests.

    tests/python/interop_heap.py

Neither can look into a process with the simulator in it (LeakSanitizer would read arenas that nobody may, valgrind does
not give out their addresses), nor into one with a GPU's driver. So CUDA is a stand-in here, which allocates by
malloc(): what is shown is that interop/ itself leaks nothing, frees nothing twice, and reads nothing that was freed.
"""
import shutil
import sys

from support import cases

SOURCES = ("tests/interop/orders.c", "tests/interop/dlpack.c", "tests/um_test.c", "interop/um_buffer.c",
           "interop/um_dlpack.c", "common/um_check.c", "tests/python/support/heap_cuda.c")
FLAGS = ("-std=gnu11", "-O1", "-g", "-D_GNU_SOURCE=", "-DUMLAB_SIM", "-I.", "-Icommon", "-Isim/include", "-Itests")


class Heap(cases.Case):
    def build(self, name, *flags):
        program = self.folder / name
        self.call("gcc", *FLAGS, *flags, "-o", program, *SOURCES, "-lcunit", "-lpthread", cwd=cases.ROOT)
        return program

    def ends(self, *command, status=0, **more):
        done = self.call(*command, status=status, **more)
        self.assertIn("ok    interop: orders: 10,000 cycles", done.stdout)
        self.assertIn(" 0 failed", done.stdout)
        return done.stderr

    def test_sanitizer(self):
        "AddressSanitizer with leak check finds nothing in 10,000 cycles"
        program = self.build("asan", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
        self.assertEqual(self.ends(program, env={"ASAN_OPTIONS": "detect_leaks=1"}), "")

    def test_sight(self):
        "a release that is left out is found"
        program = self.build("leaky", "-fsanitize=address", "-DHEAP_CUDA_LEAKS")
        done = self.call(program, status=1, env={"ASAN_OPTIONS": "detect_leaks=1:exitcode=1"})
        self.assertIn("LeakSanitizer: detected memory leaks", done.stderr)

    def test_valgrind(self):
        "valgrind finds nothing in 10,000 cycles"
        if not shutil.which("valgrind"):
            raise cases.Skip("no valgrind here (setup.sh --dev installs it)")
        said = self.ends("valgrind", "--leak-check=full", "--errors-for-leak-kinds=definite,indirect",
                         "--error-exitcode=9", self.build("plain"))
        self.assertIn("ERROR SUMMARY: 0 errors", said)


if __name__ == "__main__":
    sys.exit(cases.main())
