#!/usr/bin/env python3
"""Puts the simulator's times of the cells beside what several machines measured.

    tests/migration/compare.py FILE [--measured FILE...] [--brief] [--only PREFIX] [--check]

FILE is what the program of this folder printed on the simulator with --counts. A machine's time is the median of its
samples; the error is how far the model is outside the range of the machines' times, in percent of its nearer end.
Prints a line a cell and one a chapter; counts that are outside of the machines' are shown.
"""
import argparse
import hashlib
import json
import re
import sys
from pathlib import Path

MEASURED = sorted((Path(__file__).resolve().parent / "measured").glob("*.jsonl"))
COUNTS = "CPU faults, GPU fault groups, bytes to device, bytes to host, thrashing, throttles, remote maps"
# The host's own work alone: shown, and in no statistic.
NOT_MODELLED = re.compile(r"walk/|anchor/host again/|advice/prefers host/host after/|advice/prefetch/.*/host read/")
MEDIAN_LIMIT, P90_LIMIT = 5.0, 20.0  # percent, over all cells that are modelled


def percentile(values, percent):
    """Linear between ranks."""
    values = sorted(values)
    at = (len(values) - 1) * percent / 100
    low = int(at)
    return values[low] + (values[min(low + 1, len(values) - 1)] - values[low]) * (at - low)


def cells(path):
    """{cell: (median of its times or None, median of each of its counts or None)}."""
    found = {}
    for line in map(json.loads, Path(path).read_text(encoding="utf-8").splitlines()):
        if "cell" not in line:
            continue
        us, counts = found.get(line["cell"], (None, None))
        if line.get("us"):
            us = percentile(line["us"], 50)
        if line.get("counts"):
            columns = [[count for count in column if count is not None] for column in zip(*line["counts"])]
            counts = [percentile(column, 50) if column else None for column in columns]
        found[line["cell"]] = (us, counts)
    return found


def is_set_aside(name):
    """Half of the cells, by a hash of the name: no figure was fitted to these."""
    return hashlib.sha256(name.encode()).digest()[0] % 2 == 1


def outside(value, least, most):
    """By how many percent a value is outside a range; below it the number is negative."""
    if least <= value <= most:
        return 0.0
    return 100 * (value / most - 1) if value > most else 100 * (value / least - 1)


def chapter_of(name):
    return "/".join(name.split("/")[:-1]) if name.startswith("turns/") else "/".join(name.split("/")[:2])


def count_text(machines, ours):
    """The columns that differ: `column: ours (theirs)`."""
    words = []
    for i, name in enumerate(COUNTS.split(", ")):
        theirs = [counts[i] for counts in machines if counts and counts[i] is not None]
        if theirs and ours and not min(theirs) <= ours[i] <= max(theirs):
            words.append(f"{name} {ours[i]:.0f} ({' '.join(f'{count:.0f}' for count in theirs)})")
    return "; ".join(words)


def statistics(errors):
    errors = [abs(error) for error in errors]
    median, p90 = percentile(errors, 50), percentile(errors, 90)
    return f"{len(errors):4} cells, median {median:5.1f}%, 90th percentile {p90:6.1f}%"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("modelled")
    parser.add_argument("--measured", nargs="+", default=MEASURED, help="a file a machine")
    parser.add_argument("--brief", action="store_true", help="without the table")
    parser.add_argument("--only", default="", help="cells whose names begin so")
    parser.add_argument("--check", action="store_true", help="exit 1 beyond the limits")
    options = parser.parse_args()
    machines, modelled = [cells(path) for path in options.measured], cells(options.modelled)
    errors, by_chapter = {}, {}
    for name, (us, counts) in modelled.items():
        times = [machine[name][0] for machine in machines if machine.get(name, (None,))[0]]
        if not times or us is None or not name.startswith(options.only):
            continue
        error = outside(us, min(times), max(times))
        if not options.brief:
            print(f"{name:62} {min(times):10.1f} to {max(times):10.1f} {us:10.1f} {error:+7.0f}%  "
                  + count_text([machine[name][1] for machine in machines if name in machine], counts))
        if not NOT_MODELLED.match(name):
            errors[name] = error
            by_chapter.setdefault(chapter_of(name), []).append(error)
    for chapter, inside in by_chapter.items():
        print(f"{chapter:44} {statistics(inside)}")
    if not errors:
        sys.exit("compare: no cell is in both")
    print(f"{len(machines)} machines; outside their range:")
    for half, aside in (("calibrating", False), ("set aside", True)):
        inside = [error for name, error in errors.items() if is_set_aside(name) == aside]
        if inside:
            print(f"{half:12} {statistics(inside)}")
    print(f"{'all':12} {statistics(errors.values())}")
    values = [abs(error) for error in errors.values()]
    good = percentile(values, 50) <= MEDIAN_LIMIT and percentile(values, 90) <= P90_LIMIT
    return 0 if good or not options.check else 1


if __name__ == "__main__":
    sys.exit(main())
