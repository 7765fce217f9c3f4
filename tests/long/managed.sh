#!/bin/sh
# The tests of managed memory (tests/managed) in their long version: every advice under each of 100 random schedules,
# eight threads against kernels for 10 s, and with system calls for 10 s more, a checkerboard of 1 GiB.
set -eu
if [ "$UMLAB_BACKEND" != sim ]; then
    echo "SKIP: the simulator's counters are what is tested"
    exit 2
fi
UM_LONG=1 exec "$UMLAB_BUILD/test/managed"
