#!/bin/sh
# 10,000 random kernels through umcc in all modes, and the ones that it once got wrong (tests/umcc/differential).
# The seed is the day's, and said.
set -eu
if [ "$UMLAB_BACKEND" != sim ]; then
    echo "SKIP: the kernels are umcc's"
    exit 2
fi
python3 tests/umcc/differential/kept.py
exec python3 tests/umcc/differential/run.py --count 10000 --per-file 100 --seed "$(date +%Y%m%d)"
