#!/usr/bin/env python3
"""What libumsim.so shows: CUDA's names, and no more others than are meant.

    tests/lint/exports.py --library build/sim/lib/libumsim.so

Every name of sim/libumsim.map is there, and nothing else but what its patterns name. Exit 1: not so;
2: there is no library.
"""
import argparse
import re
import subprocess
import sys
from fnmatch import fnmatchcase
from pathlib import Path

MOST = 250  # names besides CUDA's
ROOT = Path(__file__).resolve().parents[2]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--library", type=Path, required=True)
    library = parser.parse_args().library
    text = re.sub(r"/\*.*?\*/", "", (ROOT / "sim/libumsim.map").read_text(), flags=re.S)
    wanted = re.findall(r"([\w*]+);", text.partition("local:")[0])
    if not library.is_file():
        print(f"exports: {library} is not there: make all first", file=sys.stderr)
        return 2
    listed = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    shown = {line.split()[-1] for line in listed.splitlines()}
    wrong = [f"{name} is in sim/libumsim.map, but not in {library}" for name in wanted
             if not any(fnmatchcase(it, name) for it in shown)]
    wrong += [f"{library} shows {name}, which sim/libumsim.map does not name" for name in sorted(shown)
              if not any(fnmatchcase(name, it) for it in wanted)]
    others = [name for name in shown if not name.startswith("cuda")]
    if len(others) > MOST:
        wrong.append(f"{len(others)} names besides CUDA's, at most {MOST}")
    print(*wrong, sep="\n", end="\n" if wrong else "")
    print(f"exports: {len(shown) - len(others)} of CUDA's names, {len(others)} others")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
