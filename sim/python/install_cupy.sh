#!/bin/sh
# Builds CuPy from the package index's source against the simulator's headers and runtime, and installs it: umpython
# --install cupy. CuPy's wheels have NVIDIA's runtime inside, and cannot be used. The wheel is kept beside the compiled
# kernels' caches, for the next Python of the same version.
#
#     install_cupy.sh PYTHON CUDA DRIVER      CUDA: a folder with include/ and bin/nvcc, which is umcc
set -eu
python=$1 cuda=$(readlink -f "$2")
here=$(dirname "$(readlink -f "$0")")
umcc=$(readlink -f "$cuda/bin/nvcc")
bin=$(dirname "$umcc")
wheels=${XDG_CACHE_HOME:-$HOME/.cache}/umlab/wheels
version=$(sed -n 's/^cupy==//p' "$here/requirements-cupy.txt")
tag=$("$python" -c 'import sys; print("cp%d%d" % sys.version_info[:2])')
# the wheel has kernels inside that this umcc compiled from these files
own=$({ "$umcc" --version; cat "$here"/*cupy*; } | cksum | cut -d' ' -f1)
kept=$wheels/$own
if ! ls "$kept/cupy-$version-$tag"-*.whl >/dev/null 2>&1; then
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    cd "$work"
    "$python" -m pip install --quiet --target tools -r "$here/requirements-cupy-build.txt"
    export PYTHONPATH="$work/tools"
    "$python" -m pip download --quiet --no-deps --no-build-isolation --no-binary cupy "cupy==$version" 2>log || {
        tail -20 log >&2
        exit 1
    }
    tar xf "cupy-$version.tar.gz"
    cd "cupy-$version"
    echo "umpython: compiling CuPy $version takes about ten minutes of two processors, once" >&2
    export PATH="$cuda/bin:$bin:$PATH" CUDA_PATH="$cuda" NVCC="$umcc" CPATH="$cuda/include"
    export LD_LIBRARY_PATH="$cuda/lib64${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
    export CUPY_INSTALL_NO_RPATH=1 CUPY_NUM_BUILD_JOBS="${CUPY_NUM_BUILD_JOBS:-$(nproc)}"
    export CFLAGS="-O1 -g0 -w" CXXFLAGS="-O1 -g0 -w -include $here/cupy_missing.h" LDFLAGS="-Wl,--as-needed"
    "$python" "$here/build_cupy.py" --quiet bdist_wheel >"$work/log" 2>&1 || {
        tail -20 "$work/log" >&2
        exit 1
    }
    mkdir -p "$kept"
    cp dist/*.whl "$kept/"
    unset PYTHONPATH
fi
grep -v '^cupy==' "$here/requirements-cupy.txt" | "$python" -m pip install --quiet -r /dev/stdin
"$python" -m pip install --quiet --no-deps --force-reinstall "$kept/cupy-$version-$tag"-*.whl
echo "umpython: CuPy $version is installed; run programs by umpython"
