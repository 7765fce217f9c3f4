#!/bin/sh
# Measures this GPU with thrash.cu: JSON lines on stdout, the first of them the conditions.
set -u
cd "$(dirname "$0")" || exit
program=$(mktemp) && trap 'rm -f "$program"' EXIT
lib=$(dirname "$(command -v nvcc)")/../lib64
nvcc -O2 -arch=native -o "$program" thrash.cu -lcupti -lcuda -Xlinker -rpath -Xlinker "$lib" >&2 || exit
ask() { nvidia-smi --query-gpu="$1" --format=csv,noheader; }
thrashing() {
    cd /sys/module/nvidia_uvm/parameters 2>/dev/null || return
    for p in uvm_perf_thrashing_*; do printf '%s=%s ' "$p" "$(cat "$p")"; done
}
printf '{"what":"conditions","device":"%s","driver":"%s","toolkit":"%s",' \
    "$(ask name)" "$(ask driver_version)" "$(nvcc --version | sed -n 's/.*release //p')"
printf '"pcie":"generation %s, %s lanes","processor":"%s, %s cores",' \
    "$(ask pcie.link.gen.current)" "$(ask pcie.link.width.current)" \
    "$(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1)" "$(nproc)"
printf '"date":"%s","thrashing_parameters":"%s"}\n' "$(date -u +%F)" "$(thrashing)"
all() {
    "$program" turns 4096 1 2000 0
    "$program" turns 65536 16 1200 0
    "$program" turns 2097152 512 600 0
    "$program" turns 2097152 32 600 0
    for gap in 100 250 600; do
        "$program" turns 4096 1 150 $gap
        "$program" turns 2097152 512 60 $gap
    done
    for how in plain atomic; do
        "$program" token $how 2000
        for apart in 0 4 8192; do
            "$program" hammer $how $apart 20000
        done
    done
}
all
all
"$program" turns 4096 1 2000 100
for buffer in 256 8192 65536; do
    for period in 0 100 1000 5000 10000 20000 50000; do
        "$program" flood $buffer $period 256
    done
done
for mib in 8 16 32 64 128; do
    "$program" flood 8192 0 $mib
done
