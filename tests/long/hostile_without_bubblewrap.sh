#!/bin/sh
# The hostile submissions where bubblewrap does not start: another user, Landlock, seccomp and limits.
exec python3 tests/hostile/run.py --sandbox own
