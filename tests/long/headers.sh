#!/bin/sh
# Every public header under -D of every name that it can be asked for (tests/umcc/headers.py).
# `make test` takes a sample.
set -eu
if [ "$UMLAB_BACKEND" != sim ]; then
    echo "SKIP: the headers are the simulator's"
    exit 2
fi
UM_LONG=1 exec python3 tests/umcc/headers.py
