#!/bin/sh
# All programs under all standards. `make test` takes a sample.
set -eu
if [ "$UMLAB_BACKEND" != sim ]; then
    echo "SKIP: umcc is the simulator's"
    exit 2
fi
UM_LONG=1 exec python3 tests/umcc/standards.py
