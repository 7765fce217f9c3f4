"""Pythons with packages for GPUs, for the tests that run their programs by umpython.

python("numba") is the one that UM_NUMBA names, else one of its own in build/packages, into which it installs what
`umpython --install numba` does. cases.Skip where the package index cannot be reached, and for PyCUDA where its wheel,
which takes minutes to compile, has not been made before.
"""
import fcntl
import os
import subprocess
import sys
from pathlib import Path

from . import cases

BUILD = Path(os.environ.get("UMLAB_BUILD", cases.ROOT / "build/sim")).resolve()
ALL = ("pycuda", "numba", "numba-cuda", "cuda-python", "cupy")
UMPYTHON = BUILD / "bin/umpython"
PACKAGES, RECIPES = cases.ROOT / "build/packages", cases.ROOT / "sim/python"


def python(package):
    """A Python with the package."""
    named = os.environ.get("UM_" + package.upper().replace("-", "_"))
    if named:
        return named
    if package == "cupy":
        raise cases.Skip("UM_CUPY names no Python that has CuPy (umpython --install cupy takes ten minutes)")
    if not UMPYTHON.exists():
        raise cases.Skip(f"no umpython in {BUILD} (make all)")
    PACKAGES.mkdir(parents=True, exist_ok=True)
    with open(PACKAGES / f"{package}.lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # several tests want it at once
        return str(made(package))


def made(package):
    """The package's own Python: made by the first test that wants it, and anew when what installs it has changed."""
    folder = PACKAGES / package
    own, whole = folder / "bin/python3", folder / "whole"
    recipe = "".join((RECIPES / name).read_text() for name in (f"install_{package}.sh", f"requirements-{package}.txt"))
    if whole.exists() and whole.read_text() == recipe:
        return own
    wheels = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "umlab/wheels"
    kept = wheels.glob(f"pycuda-*-cp{sys.version_info[0]}{sys.version_info[1]}-*.whl")
    if package == "pycuda" and not list(kept):
        raise cases.Skip("no Python here has PyCUDA (umpython --install pycuda compiles it, in some minutes)")
    subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True, stdout=subprocess.DEVNULL)
    done = subprocess.run([UMPYTHON, "--install", package], capture_output=True, text=True, check=False,
                          env={**os.environ, "UMPYTHON": str(own)})
    if done.returncode:
        raise cases.Skip(f"{package} cannot be installed: " + done.stderr.strip().split("\n")[-1])
    whole.write_text(recipe)
    return own


def umpython(interpreter, *arguments, cwd=None, **environment):
    """A program's run on the simulated GPU, finished; compiled kernels are kept apart from the user's."""
    env = {**os.environ, "UMPYTHON": str(interpreter), "XDG_CACHE_HOME": str(BUILD / "test/python-cache"),
           **environment}
    return subprocess.run([UMPYTHON, *map(str, arguments)], capture_output=True, text=True, check=False, timeout=300,
                          env=env, cwd=cwd)
