#!/bin/sh
# Every wrong submission fails where it says. `make test-slow` grades a fifth of them.
UM_LONG=1 exec python3 tests/mutants/run.py
