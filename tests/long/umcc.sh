#!/bin/sh
# Everything that umcc accepts. `make test` takes every second program.
set -eu
if [ "$UMLAB_BACKEND" != sim ]; then
    echo "SKIP: umcc is the simulator's"
    exit 2
fi
UM_LONG=1 exec bash tests/umcc/run.sh accepts
