#!/bin/sh
# Builds PyCUDA from the package index's source against the simulator's headers, and installs it: umpython --install
# pycuda. The wheel is kept beside the compiled kernels' caches, for the next Python of the same version.
#
#     install_pycuda.sh PYTHON CUDA DRIVER      CUDA: a folder with include/; DRIVER: the one with libcuda.so
set -eu
python=$1 cuda=$(readlink -f "$2/include") driver=$3
here=$(dirname "$(readlink -f "$0")")
wheels=${XDG_CACHE_HOME:-$HOME/.cache}/umlab/wheels
version=$(sed -n 's/^pycuda==//p' "$here/requirements-pycuda.txt")
tag=$("$python" -c 'import sys; print("cp%d%d" % sys.version_info[:2])')
"$python" -m pip install --quiet setuptools wheel
grep -v '^pycuda==' "$here/requirements-pycuda.txt" | "$python" -m pip install --quiet -r /dev/stdin
if ! ls "$wheels/pycuda-$version-$tag"-*.whl >/dev/null 2>&1; then
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    cd "$work"
    "$python" -m pip download --quiet --no-deps --no-build-isolation --no-binary pycuda "pycuda==$version"
    tar xf "pycuda-$version.tar.gz"
    cd "pycuda-$version"
    "$python" configure.py --cuda-root="$cuda" --cuda-inc-dir="$cuda" --cudadrv-lib-dir="$driver" \
        --curand-lib-dir="$driver" >/dev/null
    echo "umpython: compiling PyCUDA $version takes some minutes, once" >&2
    "$python" setup.py --quiet bdist_wheel >"$work/log" 2>&1 || { tail -20 "$work/log" >&2; exit 1; }
    mkdir -p "$wheels"
    cp dist/*.whl "$wheels/"
fi
"$python" -m pip install --quiet --no-deps "$wheels/pycuda-$version-$tag"-*.whl
# Without umpython its import would end in the loader's words, that libumsim.so is not there. Where this runs may be a
# source of PyCUDA's, the one that was just compiled above all: that is not what has been installed.
first=$("$python" -c 'import importlib.util, os, sys
sys.path = [folder for folder in sys.path if folder not in ("", os.getcwd())]
print(importlib.util.find_spec("pycuda").origin)')
grep -q umpython "$first" || cat >>"$first" <<'END'

import os as _os

if "libumsim.so" not in _os.environ.get("LD_PRELOAD", ""):
    raise ImportError("this PyCUDA was compiled for umlab's simulated GPU: run the program by umpython, as in "
                      "`umpython article.py`; for a real GPU install PyCUDA into another environment")
END
echo "umpython: PyCUDA $version is installed; run programs by umpython"
