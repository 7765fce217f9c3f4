#!/bin/sh
# Every wrong submission fails where it says. `make test-slow` grades a third of them.
UM_LONG=1 exec python3 tests/mutants/run.py
