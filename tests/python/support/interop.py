"""umlab.py of lab 8, with the library of the build under test; `alone` runs a piece of Python in a process of its own.

    from support.interop import Sharing, np, umlab
"""
import gc
import os
import sys

from . import cases, um_ctypes

cases.needs("numpy")
LAB = cases.ROOT / "labs/lab8_interop"
os.environ["UMLAB_LIBRARY"] = os.path.join(um_ctypes.build(), "lib", "libumlab.so")
sys.path.insert(0, str(LAB))
sys.dont_write_bytecode = True

import numpy as np  # noqa: E402, F401  for the tests that import this
import umlab  # noqa: E402

HOST_KINDS = ("pinned", "mapped", "managed")
PREAMBLE = "import ctypes, gc, os, sys\nimport numpy as np\nimport umlab\n"


class Sharing(cases.Case):
    """Each test ends with no buffer alive that it made."""

    def setUp(self):
        super().setUp()
        self.assertEqual(self.alive(), (0, 0), "before the test")

    def tearDown(self):
        umlab.synchronize()
        self.assertEqual(self.alive(), (0, 0), "buffers and bytes still alive after the test")

    @staticmethod
    def alive():
        gc.collect()
        return umlab.alive()

    def alone(self, code, status=0, stderr=""):
        """Runs `code` in a Python of its own, with np and umlab. Its exit status and stderr have to be these: nothing
        on stderr is part of ending well. Returns what it printed."""
        environment = {"PYTHONPATH": str(LAB), "PYTHONDONTWRITEBYTECODE": "1",
                       "PYTHONWARNINGS": "ignore::DeprecationWarning"}  # 3.12 says that of each fork with threads
        done = self.call(sys.executable, "-c", PREAMBLE + code, status=status, env=environment)
        self.assertEqual(done.stderr, stderr)
        return done.stdout

    def refused(self, error, words, function, *arguments, **named):
        with self.assertRaises(error) as caught:
            function(*arguments, **named)
        self.assertIn(words, str(caught.exception))
