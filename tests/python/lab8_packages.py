#!/usr/bin/env python3
"""Lab 8's rows for libraries that launch kernels of their own: on the simulator, and the same bytes twice.

    tests/python/lab8_packages.py

With the Pythons of support/packages.py; says SKIP where a package is not to be had.
"""
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent)]
from support import cases, packages  # noqa: E402

ROWS = {"numba": "numba", "numba-cuda": "numba", "pycuda": "pycuda", "cuda-python": "cuda-core", "cupy": "cupy"}


class Rows(cases.Case):
    def lab8(self, python, strategies):
        return self.call(packages.BUILD / "lab8", "--strategy", strategies, "--size", "64K",
                         env={"PYTHON": str(python)}).stdout

    def row(self, package):
        python = packages.python(package)
        first, second = (self.lab8(python, f"c,{ROWS[package]}") for _ in range(2))
        self.assertRegex(first, rf"(?m)^{ROWS[package]} +0x7c0000000000 +yes +yes$")
        self.assertIn("2 owners have the vector at the same address, 0x7c0000000000, and 0 bytes were copied", first)
        self.assertEqual(first, second)

    def test_not_there(self):
        "a package that is not installed is skipped, with what to do"
        bare = self.folder / "bare"
        self.call(sys.executable, "-m", "venv", "--without-pip", bare)
        packages_of = [path for path in sys.path if path.endswith("site-packages")]
        link = next(bare.glob("lib/python3*/site-packages")) / "numpy"
        link.symlink_to(next(Path(path, "numpy") for path in packages_of if Path(path, "numpy").exists()))
        said = self.lab8(bare / "bin/python3", "c,pycuda,cuda-core,numba")
        for name, package in (("pycuda", "pycuda"), ("cuda-core", "cuda-python"), ("numba", "numba")):
            self.assertIn(f"skipped {name}: not installed: umpython --install {package}", said)


def test_of(package):
    def test(self):
        self.row(package)
    test.__doc__ = f"{ROWS[package]}, by {package}"
    return test


for one in ROWS:
    setattr(Rows, f"test_{one}", test_of(one))
if __name__ == "__main__":
    sys.exit(cases.main())
