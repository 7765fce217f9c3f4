#!/usr/bin/env bash
# The C sources that call CUDA compile against NVIDIA's CUDA 12 headers as they do against 13: one result a file.
# CUDA12_HOME: a toolkit, or the folder of the package nvidia-cuda-runtime-cu12 (make finds it in .venv). The package
# leaves out crt/, which only defines words such as __host__, and cuda_profiler_api.h, two prototypes; a CUDA 13
# toolkit's serve.
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

# Nothing else of another CUDA may be found, neither beside these nor among the compiler's own folders (some
# installations link a toolkit's headers into /usr/local/include).
lent=$(mktemp -d)
trap 'rm -rf "$lent"' EXIT
ln -s "$crt/crt" "$crt/cuda_profiler_api.h" "$lent"
mapfile -t system < <(gcc -xc -E -v /dev/null 2>&1 >/dev/null | sed -n '/<\.\.\.> search starts/,/^End/s/^ //p' |
    grep -v '^/usr/local/include$' | sed 's/^/-isystem/')

status=0
for file in common/*.c labs/*/*.c labs/*/grade/calls.c tests/conformance/*.c tests/faults/*.c; do
    [ -e "$file" ] || continue
    if said=$(gcc -std=gnu11 -D_GNU_SOURCE= -Wall -Wextra -Werror -fsyntax-only -DUMLAB_CUDA -I. -Icommon -Ikernels \
        -Itests -nostdinc -isystem "$include" -isystem "$lent" "${system[@]}" "$file" 2>&1); then
        echo "  ok    $file"
    else
        status=1
        echo "  FAIL  $file"
        head -n 8 <<<"$said" | sed 's/^/        /'
    fi
done
exit $status
