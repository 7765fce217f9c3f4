#!/bin/sh
# Labs 3 to 7 and kernels that touch memory at random, as a student runs them, 20 times each beside busy processes.
set -eu
if [ "$UMLAB_BACKEND" != sim ]; then
    echo "SKIP: on a GPU times are measured, and differ"
    exit 2
fi
UM_LONG=1 exec python3 tests/managed/steady.py
