#!/bin/sh
# Managed memory beside a model of it (tests/differential), 10 minutes under each schedule, and on a small device.
set -eu
UM_LONG=1 exec python3 tests/differential/run.py
