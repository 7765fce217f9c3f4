#!/bin/sh
# Every case of umcc. `make test` takes a third of them, and of the programs that it accepts an eighth.
set -eu
if [ "$UMLAB_BACKEND" != sim ]; then
    echo "SKIP: umcc is the simulator's"
    exit 2
fi
UM_LONG=1 bash tests/umcc/run.sh others
UM_LONG=1 exec bash tests/umcc/run.sh accepts
