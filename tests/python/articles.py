#!/usr/bin/env python3
"""The articles' programs (tests/python/articles) print on the simulated GPU what they print on an H200.

    tests/python/articles.py

Each runs with the Python of every package that it fits (support/packages.py), or says SKIP. What they printed on an
H200 is in articles/h200.txt (articles/device.sh makes it); of packages that were not there, what the simulator printed
is in articles/simulated.txt (KEEP=1 writes it).
"""
import os
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parent / "articles")]
import programs  # noqa: E402
from support import cases, packages  # noqa: E402

H200, SIMULATED = programs.HERE / "h200.txt", programs.HERE / "simulated.txt"


def kept():
    """{program: lines}, and which of them an H200 printed."""
    simulated, real = ({}, {})
    if SIMULATED.exists():
        simulated = programs.sections("\n" + SIMULATED.read_text())
    if H200.exists():
        real = programs.sections("\n" + H200.read_text())
    return {**simulated, **real}


class Articles(cases.Case):
    printed = {}

    def program(self, name, package):
        interpreter = packages.python(package)
        done = packages.umpython(interpreter, programs.HERE / f"{name}.py")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.strip().split("\n")
        self.printed[name] = lines
        if not os.environ.get("KEEP"):
            self.assertEqual(lines, kept().get(name))


def test_of(name, package):
    def test(self):
        self.program(name, package)
    test.__doc__ = f"{name}: {package}"
    return test


for program in programs.names():
    for one in programs.needs(program)[1]:
        if one in packages.ALL:
            setattr(Articles, f"test_{program}_{one}", test_of(program, one))


def keep():
    """What was printed of programs that no H200 has run."""
    real = programs.sections("\n" + H200.read_text()) if H200.exists() else {}
    SIMULATED.write_text("# on the simulated GPU: packages that were not on the H200's machine\n" + "".join(
        f"\n== {name}\n" + "\n".join(lines) + "\n" for name, lines in sorted(Articles.printed.items())
        if name not in real))


if __name__ == "__main__":
    status = cases.main()
    if os.environ.get("KEEP"):
        keep()
    sys.exit(status)
