#!/bin/sh
# Measures this GPU's cells: JSON lines on stdout, the first of them the conditions. Needs nvcc; --quick: fewer rounds.
set -u
cd "$(dirname "$0")/../.." || exit
program=$(mktemp) && trap 'rm -f "$program"' EXIT
nvcc -O2 -arch=native -DUMLAB_CUDA -Icommon -o "$program" tests/migration/*.cu common/um_cupti.c common/um_counters.c \
    common/um_time.c -ldl >&2 || exit
ask() { nvidia-smi --query-gpu="$1" --format=csv,noheader -i 0; }
printf '{"what": "conditions", "device": "%s", "driver": "%s", "toolkit": "%s", ' \
    "$(ask name)" "$(ask driver_version)" "$(nvcc --version | sed -n 's/.*release //p')"
printf '"pcie": "generation %s, %s lanes", "processor": "%s, %s cores", "date": "%s"}\n' \
    "$(ask pcie.link.gen.max)" "$(ask pcie.link.width.max)" \
    "$(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1)" "$(nproc)" "$(date -u +%F)"
lib=$(dirname "$(command -v nvcc)")/../lib64
"$program" "$@" && LD_LIBRARY_PATH="$lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" "$program" --counts "$@"
