#!/bin/sh
# The labs, the conformance tests and their neighbours on an emulated arm64 machine. Without QEMU: skipped.
set -eu
if [ "$UMLAB_BACKEND" != sim ]; then
    echo "SKIP: there the simulator is looked at"
    exit 2
fi
exec python3 tests/arm64/run.py
