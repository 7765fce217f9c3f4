#!/usr/bin/env bash
# All 500 scenarios of the playground beside the simulator.
UM_LONG=1 exec python3 tests/playground/run.py
