#!/usr/bin/env bash
# The C sources that call CUDA compile against NVIDIA's CUDA 12 headers as they do against 13: one result a file.
# CUDA12_HOME: a toolkit, or the folder of the package nvidia-cuda-runtime-cu12 (make finds it in .venv). The package
# leaves out crt/, which only defines words such as __host__; a CUDA 13 toolkit's serves.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
include=${CUDA12_HOME:-/nonexistent}/include
crt=${CUDA_ROOT:-/usr/local/cuda}/include
if [ ! -e "$include/cuda_runtime_api.h" ]; then
    echo "SKIP: no CUDA 12 headers (CUDA12_HOME, or ./setup.sh --dev)"
    exit 2
elif [ ! -e "$include/crt/host_defines.h" ] && [ ! -e "$crt/crt/host_defines.h" ]; then
    echo "SKIP: the CUDA 12 headers lack crt/, and no toolkit is here to lend it"
    exit 2
fi

status=0
for file in common/*.c labs/*/*.c tests/conformance/*.c tests/faults/*.c; do
    [ -e "$file" ] || continue
    if said=$(gcc -std=gnu11 -D_GNU_SOURCE= -Wall -Wextra -Werror -fsyntax-only -DUMLAB_CUDA -I. -Icommon -Ikernels \
        -Itests -isystem "$include" -idirafter "$crt" "$file" 2>&1); then
        echo "  ok    $file"
    else
        status=1
        echo "  FAIL  $file"
        head -n 8 <<<"$said" | sed 's/^/        /'
    fi
done
exit $status
