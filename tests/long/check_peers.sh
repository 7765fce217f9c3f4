#!/bin/sh
# What a program of one device is told under --check has to be the same on a machine of two, whose processes share what
# is known of memory: all planted errors, and the right programs.
set -eu
if [ "$UMLAB_BACKEND" != sim ]; then
    echo "SKIP: umcc is the simulator's"
    exit 2
fi
UM_LONG=1 UMSIM_PROFILE=h200-nvlink2 exec python3 tests/planted/run.py
