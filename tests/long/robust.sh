#!/bin/sh
# The robustness programs (tests/robust), each repeated as often as it takes to be sure.
set -eu
UM_LONG=1 exec python3 tests/robust/run.py
