#!/bin/sh
# Chooses a backend when make was given none: prints `cuda NVCC`'s or `sim`'s name, then why, on one line.
# Usage: mk/backend.sh [NVCC]. An nvcc alone is not enough: the driver is asked whether a GPU works.
nvcc=${1:-}
if [ -z "$nvcc" ]; then
    echo "sim no nvcc found"
    exit 0
fi
if command -v nvidia-smi >/dev/null 2>&1; then
    if nvidia-smi -L 2>/dev/null | grep -q '^GPU'; then
        echo "cuda $nvcc and a working GPU are here"
    else
        echo "sim $nvcc is here, but nvidia-smi -L lists no GPU"
    fi
    exit 0
fi
# Containers may have the driver's library without its tools: ask it directly.
if python3 - 2>/dev/null <<'PROBE'; then
import ctypes, sys
driver = ctypes.CDLL("libcuda.so.1")
if hasattr(driver, "umsim_gpu_pid"):  # the simulator's own (docs/python.md)
    sys.exit(1)
count = ctypes.c_int()
sys.exit(0 if driver.cuInit(0) == 0 and driver.cuDeviceGetCount(ctypes.byref(count)) == 0 and count.value else 1)
PROBE
    echo "cuda $nvcc and a working GPU are here"
else
    echo "sim $nvcc is here, but no working GPU"
fi
