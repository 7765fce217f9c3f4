#!/usr/bin/env bash
# Runs the articles' programs on this machine's GPU, each whose package is installed, and writes what they print.
#
#     bash tests/python/articles/device.sh FILE       PYTHON=... names another Python than python3
#
# Takes some two minutes. FILE becomes tests/python/articles/h200.txt, with which tests/python/articles.py compares the
# simulator.
set -eu
here=$(dirname "$(readlink -f "$0")")
toolkit=${CUDA_HOME:-/usr/local/cuda}
export CUDA_HOME="$toolkit" PATH="$toolkit/bin:$PATH"
export LD_LIBRARY_PATH="$toolkit/lib64${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
python=${PYTHON:-python3}
{
    echo "# card: $(nvidia-smi --query-gpu=name --format=csv,noheader | head -1)"
    echo "# driver: $(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -1)"
    echo "# toolkit: $(nvcc --version | sed -n 's/.*\(release [0-9.]*\).*/\1/p')"
    echo "# date: $(date -u +%F)"
    "$python" "$here/programs.py"
} >"$1"
grep -c '^== ' "$1"
