#!/bin/sh
# Every program of umcc --check. `make test` takes a quarter of them.
set -eu
if [ "$UMLAB_BACKEND" != sim ]; then
    echo "SKIP: umcc is the simulator's"
    exit 2
fi
UM_LONG=1 exec python3 tests/check/run.py
