#!/bin/bash
# Builds and runs the driver tests with NVIDIA's driver, and prints `name<tab>answer` lines: a record for measured/.
#
#     bash tests/driver/device.sh [FILE]        FILE: where the lines go, too
#
# Needs nvcc, gcc and a GPU; takes about a minute. On the simulator: tests/driver/run.py.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
home=$(dirname "$(dirname "$(readlink -f "$nvcc")")")
arch=${ARCH:-sm_$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -1 | tr -d .)}
for source in "$here"/*.c; do
    gcc -std=gnu11 -O1 -w -I"$home/include" -c -o "$out/$(basename "$source" .c).o" "$source" &
done
for source in mixed two_mixed; do
    "$nvcc" -std=c++17 -arch="$arch" -w -c -o "$out/$source.o" "$here/$source.cu"
done
"$nvcc" -std=c++17 -arch="$arch" -w -cubin -o "$out/kernels.cubin" "$here/kernels.cu"
wait
"$nvcc" -arch="$arch" -o "$out/driver" "$out"/*.o -lcuda -lpthread
gpu=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -1)
echo "# $gpu, $("$nvcc" --version | grep release)" |
    tee "${1:-/dev/null}"
"$out/driver" "$out/kernels.cubin" 2>/dev/null | tee -a "${1:-/dev/null}" || true
