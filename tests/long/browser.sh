#!/usr/bin/env bash
# Every page of the site in a browser, where `make docs` has made them.
UM_LONG=1 exec python3 tests/browser/run.py
