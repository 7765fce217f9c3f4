#!/usr/bin/env python3
"""labs/lab9_choose/um_pipe.c as it runs on a GPU, under ThreadSanitizer and AddressSanitizer, with a stand-in for CUDA.

    tests/python/pipe_threads.py [PART OF A NAME ...]

On a GPU its threads take the chunks as they come; on the simulator these are dealt, so tests/copies does not show that
path.
"""
import sys

from support import cases

SOURCES = ("tests/python/support/pipe_cuda.c", "labs/lab9_choose/um_pipe.c", "common/um_stream.c")
FLAGS = ("-std=gnu11", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-D_GNU_SOURCE=", "-DUMLAB_CUDA", "-Icommon",
         "-Ilabs/lab9_choose", "-Isim/include")


class Pipe(cases.Case):
    def run_with(self, *flags, source=None):
        program = self.folder / "pipe"
        sources = [source if source and name == "labs/lab9_choose/um_pipe.c" else name for name in SOURCES]
        self.call("gcc", *FLAGS, *flags, "-o", program, *sources, "-lpthread", cwd=cases.ROOT)
        return program

    def test_races(self):
        "ThreadSanitizer finds no race, and all data is right, for 1, 3 and 12 threads and chunks of 1000 bytes to all"
        done = self.call(self.run_with("-fsanitize=thread"))
        self.assertIn(" 0 wrong", done.stdout)
        self.assertEqual(done.stderr, "")

    def test_memory(self):
        "AddressSanitizer and leak check find nothing, after failed copies either"
        done = self.call(self.run_with("-fsanitize=address,undefined", "-fno-sanitize-recover=all"),
                         env={"ASAN_OPTIONS": "detect_leaks=1"})
        self.assertIn(" 0 wrong", done.stdout)
        self.assertEqual(done.stderr, "")

    def test_sight(self):
        "a pipe that does not wait for its buffers is found"
        text = (cases.ROOT / "labs/lab9_choose/um_pipe.c").read_text(encoding="utf-8")
        wait = "cudaEventSynchronize(task->worker->done[slot])"
        self.assertEqual(text.count(wait), 2)
        careless = self.folder / "um_pipe.c"
        careless.write_text(text.replace(wait, "cudaSuccess"), encoding="utf-8")
        done = self.call(self.run_with(source=careless), status=1)
        self.assertNotIn(" 0 wrong", done.stdout)


if __name__ == "__main__":
    sys.exit(cases.main())
