#!/bin/sh
# Compiles C sources to WebAssembly, and writes the module as a script: pages opened from a file may load no other.
#
#   docs/playground/wasm.sh OUT.js MODULE.wasm FLAG... SOURCE...
#
# Where clang, its linker, or a C library for WebAssembly is missing, a release's own module is taken (make dist).
# Without that the script holds the reason instead, and this says so, too.
set -eu
out=$1 module=$2
shift 2

as_script() { # MODULE REASON
    printf 'window.umlabModule = {bytes: "%s", missing: "%s"};\n' "${1:+$(base64 -w0 "$1")}" "$2"
}

for clang in clang clang-14 clang-15 clang-16 clang-18 clang-19; do
    command -v "$clang" >/dev/null || continue
    printf '#include <stdio.h>\nint main(void) { return 0; }\n' >"$module.c"
    if "$clang" --target=wasm32-wasi -o "$module" "$module.c" 2>/dev/null; then
        rm "$module.c"
        "$clang" --target=wasm32-wasi -mexec-model=reactor -O3 -flto -std=gnu11 -ffp-contract=off -Wall -Wextra \
            -Werror -Wl,-s -o "$module" "$@"
        as_script "$module" "" >"$out"
        exit 0
    fi
    rm -f "$module.c"
done
if [ -f docs/playground/play.js ]; then
    cp docs/playground/play.js "$out"
    exit 0
fi
why="no clang with lld, wasi-libc and libclang-rt for wasm32 was there when this page was made (setup.sh --dev)"
echo "SKIP docs: the playground: $why" >&2
as_script "" "$why" >"$out"
