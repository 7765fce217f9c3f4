#!/bin/sh
# Installs numba as it is in the package index, without NVIDIA's libraries: umpython --install numba.
#
#     install_numba.sh PYTHON ...
set -eu
here=$(dirname "$(readlink -f "$0")")
"$1" -m pip install --quiet --no-deps -r "$here/requirements-numba.txt"
echo "umpython: numba is installed; run programs by umpython"
