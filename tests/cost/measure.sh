#!/bin/sh
# Measures this GPU's cells: JSON lines on stdout, the first of them the conditions. Needs nvcc.
# Arguments go to the program.
set -u
cd "$(dirname "$0")/../.." || exit
objects=$(mktemp -d) && trap 'rm -rf "$objects"' EXIT
for source in tests/cost/*.cu; do
    nvcc -O3 -arch=native -c -o "$objects/$(basename "$source").o" "$source" >&2 &
done
wait
nvcc -O3 -arch=native -o "$objects/cost" "$objects"/*.o >&2 || exit
ask() { nvidia-smi --query-gpu="$1" --format=csv,noheader -i 0; }
printf '{"conditions": "%s, %s, %s, %s, %s"}\n' "$(date -u +%F)" "$(ask name)" "$(ask driver_version)" \
    "$(ask clocks.max.sm)" "$(nvcc --version | sed -n 's/.*release/release/p')"
"$objects/cost" "$@"
