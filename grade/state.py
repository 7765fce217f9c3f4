"""Keeps what a student has been shown and has predicted: build/grade/state.json, or the file that UMLAB_STATE names.

    {"schema": "umlab-state/1", "hints": {"lab3": {"stream_saxpy/right_data": 2}},
     "predictions": {"lab5": {"faults": {"predicted": 48, "happened": 96, "right": false}}}}

One process at a time changes the file (a lock file beside it) and replaces it as a whole, so two makes at once lose
nothing. A file that cannot be read is put aside under another name, and one line says so.
"""
import contextlib
import fcntl
import json
import math
import os
import sys
from pathlib import Path

import result as results

SCHEMA = "umlab-state/1"


def path_of(build="build"):
    return Path(os.environ.get("UMLAB_STATE") or Path(build, "grade", "state.json"))


def _number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _sound(state):
    """Whether it has the shape that the rest of the code relies on."""
    if not isinstance(state, dict) or state.get("schema") != SCHEMA:
        return False
    hints, predictions = state.setdefault("hints", {}), state.setdefault("predictions", {})
    return (all(isinstance(count, int) and count >= 0 for lab in hints.values() for count in lab.values())
            and all(_number(one["predicted"]) and _number(one.get("happened", 0))
                    for lab in predictions.values() for one in lab.values()))


def _put_aside(path):
    """Under a name that no file has: an older one is not lost either. The caller holds the lock."""
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    path.rename(aside)
    print(f"{path} is damaged: it is kept as {aside.name}, and a new one begun", file=sys.stderr)


def _parse(path):
    """The state, or None where it is damaged."""
    try:
        state = json.loads(path.read_bytes().decode("utf-8"))
        return state if _sound(state) else None
    except FileNotFoundError:
        return {"schema": SCHEMA, "hints": {}, "predictions": {}}
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError, AttributeError, KeyError, TypeError):
        return None


def read(path):
    """To look at; a damaged file is left where it is, and counts as empty."""
    try:
        state = _parse(path)
    except OSError as error:
        raise results.Bad(f"{path}: {error.strerror}") from error
    if state is None:
        print(f"{path} is damaged: what it holds is not shown", file=sys.stderr)
        return {"schema": SCHEMA, "hints": {}, "predictions": {}}
    return state


@contextlib.contextmanager
def changed(path):
    """`with changed(path) as state:` reads, lets change, writes; nobody else writes meanwhile."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path.with_name(path.name + ".lock"), "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            state = _parse(path)
            if state is None:
                _put_aside(path)
                state = _parse(path)
            before = json.dumps(state)
            yield state
            if json.dumps(state) != before:
                results.write_atomically(path, json.dumps(state, indent=1) + "\n")
    except OSError as error:
        raise results.Bad(f"{path}: {error.strerror}") from error
