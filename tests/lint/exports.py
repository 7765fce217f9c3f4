#!/usr/bin/env python3
"""What libumsim.so shows: CUDA's names, the C library's that it wraps, and no more others than are meant.

    tests/lint/exports.py --library build/sim/lib/libumsim.so

Every name of sim/libumsim.map and of sim/fault/call_table.h is there, and nothing else but what their patterns name.
Those of the table are counted by themselves. They take no name from a program, because the C library has each already:
what it lacks may not stand there. Exit 1: not so; 2: there is no library.
"""
import argparse
import ctypes
import re
import subprocess
import sys
from fnmatch import fnmatchcase
from pathlib import Path

MOST = 319  # names besides CUDA's and the C library's; seven of them OpenMP's, one for programs of other pages
TABLE = "sim/fault/call_table.h"
# Lines of the table that show a name; the Makefile finds them by the same beginnings.
SHOWN = re.compile(r"^(?:(?:CALL|BY_HAND|OTHER)\((\w+)|CALL_BY\(\w+, (\w+))", re.M)
# Of programs that were linked with a C library before 2.33: their names are there, but dlsym() does not tell.
OLD = {f"__{kind}stat{at}{bits}" for kind in ("x", "lx", "fx") for at in ("", "at") for bits in ("", "64")}
ROOT = Path(__file__).resolve().parents[2]


def wrapped():
    """@return (the table's names, complaints about them)"""
    names = [one or other for one, other in SHOWN.findall((ROOT / TABLE).read_text())]
    c_library = ctypes.CDLL("libc.so.6")
    wrong = [f"{TABLE} has {name} twice" for name in sorted({name for name in names if names.count(name) > 1})]
    wrong += [f"{TABLE} wraps {name}, which the C library does not have" for name in names
              if name not in OLD and not hasattr(c_library, name)]
    return set(names), wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--library", type=Path, required=True)
    library = parser.parse_args().library
    text = re.sub(r"/\*.*?\*/", "", (ROOT / "sim/libumsim.map").read_text(), flags=re.S)
    calls, wrong = wrapped()
    wanted = re.findall(r"([\w*]+);", text.partition("local:")[0]) + sorted(calls)
    if not library.is_file():
        print(f"exports: {library} is not there: make all first", file=sys.stderr)
        return 2
    listed = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    shown = {line.split()[-1] for line in listed.splitlines()}
    wrong += [f"{name} is meant to be shown, but is not in {library}" for name in wanted
              if not any(fnmatchcase(it, name) for it in shown)]
    wrong += [f"{library} shows {name}, which neither sim/libumsim.map nor {TABLE} names" for name in sorted(shown)
              if not any(fnmatchcase(name, it) for it in wanted)]
    others = [name for name in shown - calls if not name.startswith(("cu", "umsim_cuda12_"))]
    if len(others) > MOST:
        wrong.append(f"{len(others)} names besides CUDA's and the C library's, at most {MOST}")
    print(*wrong, sep="\n", end="\n" if wrong else "")
    print(f"exports: {len(shown - calls) - len(others)} of CUDA's names, {len(others)} others, "
          f"{len(calls)} of the C library's")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
