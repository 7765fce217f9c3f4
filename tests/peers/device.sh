#!/bin/bash
# Builds and runs the tests of several devices on GPUs, and prints `name<tab>answer` lines: a record for measured/.
#
#     bash tests/peers/device.sh [FILE]        FILE: where the lines go, too
#
# Needs nvcc and two GPUs; takes about a minute. PROGRAM=FILE: built elsewhere. On the simulator: tests/peers/run.py.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
program=${PROGRAM:-$out/peers}
if [ -z "${PROGRAM:-}" ]; then
    nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
    "$nvcc" -std=c++17 -arch="${ARCH:-sm_90}" -rdc=true -w -o "$program" "$here"/*.cu
fi
gpus=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -2 | paste -sd ';')
echo "# $gpus, CUDA ${TOOLKIT:-13.0}, $(date +%F)" | tee "${1:-/dev/null}"
PEERS_TIMES=1 "$program" 2>/dev/null | tee -a "${1:-/dev/null}"
