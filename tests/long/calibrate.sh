#!/bin/sh
# `make calibrate` on the simulator itself, as a machine of which each figure is known. CI runs its rules on an H200's
# kept samples (.ci/run).
set -eu
if [ "$UMLAB_BACKEND" != sim ]; then
    echo "SKIP: it calibrates the simulator"
    exit 2
fi
exec python3 tests/python/calibrate.py
