#!/usr/bin/env python3
"""The articles' programs (tests/python/articles) print on the simulated GPU what they print on an H200.

    tests/python/articles.py

Each runs with the Python of every package that it fits (support/packages.py), or says SKIP. What they printed on an
H200 is in articles/h200.txt, which articles/device.sh makes.
"""
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parent / "articles")]
import programs  # noqa: E402
from support import cases, packages  # noqa: E402

PRINTED = programs.sections((programs.HERE / "h200.txt").read_text())


class Articles(cases.Case):
    def program(self, name, package):
        interpreter = packages.python(package)
        done = packages.umpython(interpreter, programs.HERE / f"{name}.py")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.strip().split("\n"), PRINTED[name])


def test_of(name, package):
    def test(self):
        self.program(name, package)
    test.__doc__ = f"{name}: {package}"
    return test


for program in programs.names():
    for one in programs.needs(program)[1]:
        if one in packages.ALL:
            setattr(Articles, f"test_{program}_{one}", test_of(program, one))


if __name__ == "__main__":
    sys.exit(cases.main())
