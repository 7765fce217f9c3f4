#!/bin/sh
# Installs numba-cuda as it is in the package index, without NVIDIA's libraries: umpython --install numba-cuda.
#
#     install_numba-cuda.sh PYTHON ...
set -eu
here=$(dirname "$(readlink -f "$0")")
"$1" -m pip install --quiet --no-deps -r "$here/requirements-numba-cuda.txt"
echo "umpython: numba-cuda is installed; run programs by umpython"
