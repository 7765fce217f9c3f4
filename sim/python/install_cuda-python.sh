#!/bin/sh
# Installs cuda.bindings and cuda.core as they are in the package index: umpython --install cuda-python.
#
#     install_cuda-python.sh PYTHON ...
set -eu
here=$(dirname "$(readlink -f "$0")")
"$1" -m pip install --quiet --no-deps -r "$here/requirements-cuda-python.txt"
echo "umpython: cuda.bindings and cuda.core are installed; run programs by umpython"
