#!/bin/sh
# Every right solution that is unusual has full marks. `make test-slow` grades a quarter of them.
UM_LONG=1 exec python3 tests/fair/run.py
