#!/bin/bash
# Measures the cells of two devices on this machine's GPUs, and adds the run, with its conditions, to a file of JSON.
#
#     bash tests/fidelity/peers/device.sh FILE
#
# Needs two GPUs that reach each other's memory; takes about a minute, and at most 64 MiB of managed memory at a time.
# PROGRAM=FILE: built elsewhere (make BACKEND=cuda build/cuda/test/fidelity-peers).
set -euo pipefail
cd "$(dirname "$0")/../../.."
program=${PROGRAM:-build/cuda/test/fidelity-peers}
[ -x "$program" ] || make -s BACKEND=cuda "$program"
exec python3 tests/fidelity/fidelity.py --backend cuda --record "${1:?device.sh: FILE is missing}" "$program"
