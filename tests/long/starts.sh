#!/bin/sh
# A hundred starts in a busy Python process (tests/python/starts.py). `make test` makes forty.
UM_LONG=1 exec python3 tests/python/starts.py
