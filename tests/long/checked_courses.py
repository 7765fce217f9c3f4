#!/usr/bin/env python3
"""Correct programs are silent under `umcc --check`: those of tests/programs/course, each with every check.

UMLAB_BUILD says where the simulator is (build/sim). Prints a line a program and last `N passed, N failed, N skipped`.
"""
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BUILD = Path(os.environ.get("UMLAB_BUILD", "build/sim")).resolve()
# What is found in these is so.
EXPECTED = {
    "bfs": 2,             # a level is read while it may just be written
    "error_handling": 3,  # it shows an illegal access; what was allocated cannot be freed afterwards
}


def check(source):
    """Returns (name, what is wrong or "")."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / source.stem
        made = subprocess.run([BUILD / "bin/umcc", "--check", "-o", program, source], capture_output=True, text=True,
                              check=False)
        if made.returncode != 0:
            return source.stem, made.stderr
        done = subprocess.run([program], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              errors="replace", timeout=600, check=False)
    count = EXPECTED.get(source.stem, 0)
    wanted = f"========= ERROR SUMMARY: {count} error{'' if count == 1 else 's'}"
    good = done.stderr.splitlines()[-1:] == [wanted] and done.returncode == (1 if count else 0)
    return source.stem, "" if good else done.stderr


def main():
    sources = sorted((ROOT / "tests/programs/course").glob("*.cu"))
    failed = 0
    with ThreadPoolExecutor(2) as pool:
        for name, why in pool.map(check, sources):
            failed += bool(why)
            print(f"{'FAIL' if why else 'ok'} {name}", flush=True)
            if why:
                print("\n".join(f"        {line}" for line in why.splitlines()))
    print(f"{len(sources) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed or not sources else 0


if __name__ == "__main__":
    sys.exit(main())
