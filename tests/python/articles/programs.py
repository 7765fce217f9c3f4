#!/usr/bin/env python3
"""The articles' programs: which package each needs, and what all of them print that can run here.

    tests/python/articles/programs.py        prints `# PACKAGE VERSION` lines, then `== PROGRAM` and its lines for each
"""
import importlib.util
import subprocess
import sys
from importlib import metadata
from pathlib import Path

HERE = Path(__file__).resolve().parent
# A program's last word says what it imports, and with which of umpython's packages that comes.
PACKAGES = {"pycuda": ("pycuda", ["pycuda"]), "numba": ("numba", ["numba-cuda", "numba"]),
            "driver": ("cuda.bindings", ["cuda-python"]), "cupy": ("cupy", ["cupy"]),
            "library": ("numpy", ["cuda-python"]), "ctypes": ("numpy", ["cuda-python"])}
BOTH = {"tensor_numba": ("cuda.bindings", ["numba-cuda"])}  # Numba's memory, cuda.bindings' kernel
SHOWN = ("numpy", "numba", "numba-cuda", "cuda-bindings", "pycuda", "cupy-cuda12x", "cupy-cuda13x")
LIMIT_S = 300


def names():
    """All programs."""
    return sorted(path.stem for path in HERE.glob("*_*.py"))


def needs(name):
    """The module that a program imports, and the packages of which any has it."""
    return BOTH.get(name, PACKAGES[name.rsplit("_", 1)[1]])


def sections(text):
    """{program: its lines} of what main() has printed."""
    parts = text.split("\n== ")[1:]
    return {part.split("\n", 1)[0]: part.split("\n", 1)[1].strip("\n").split("\n") for part in parts}


def is_there(module):
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # a package above it
        return False


def main():
    for package in SHOWN:
        try:
            print(f"# {package} {metadata.version(package)}")
        except metadata.PackageNotFoundError:
            continue
    for name in names():
        if not is_there(needs(name)[0]):
            continue
        done = subprocess.run([sys.executable, HERE / f"{name}.py"], capture_output=True, text=True, check=False,
                              timeout=LIMIT_S)
        print(f"\n== {name}\n{done.stdout.strip()}", flush=True)
        if done.returncode:
            print(f"ended with {done.returncode}: {done.stderr.strip()[-600:]}")


if __name__ == "__main__":
    main()
