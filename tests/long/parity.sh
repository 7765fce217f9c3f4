#!/bin/sh
# What each header brings and what is missing, beside NVIDIA's. `make test` takes a part of it at a time.
set -eu
if [ "$UMLAB_BACKEND" != sim ]; then
    echo "SKIP: the simulator's headers are compared"
    exit 2
fi
umcc=$UMLAB_BUILD/bin/umcc
UM_LONG=1 python3 tests/parity/missing.py --umcc "$umcc" --out "$UMLAB_BUILD/test/missing"
UM_LONG=1 exec python3 tests/parity/brings.py --umcc "$umcc" --out "$UMLAB_BUILD/test/brings"
