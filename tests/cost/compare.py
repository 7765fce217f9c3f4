#!/usr/bin/env python3
"""Puts the simulator's times of the cells beside a GPU's.

    tests/cost/compare.py --measured tests/cost/measured/h200-1.jsonl FILE...

FILEs are what the program of this folder printed on the simulator, at full size. Prints a line a cell, and at the end
the median and the 90th percentile of the errors.
"""
import argparse
import json
from pathlib import Path


def cells(paths):
    lines = (json.loads(line) for path in paths for line in Path(path).read_text().splitlines())
    return {line["cell"]: line["us"] for line in lines if "cell" in line}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--measured", required=True)
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    measured, modelled = cells([options.measured]), cells(options.files)
    errors = []
    for name in (name for name in measured if name in modelled):
        error = modelled[name] / measured[name] - 1
        errors.append(abs(error))
        print(f"{name:38} {measured[name]:10.1f} {modelled[name]:10.1f} {100 * error:+7.0f}%")
    errors.sort()
    if errors:
        print(f"{len(errors)} cells: median error {100 * errors[len(errors) // 2]:.0f}%, "
              f"90th percentile {100 * errors[len(errors) * 9 // 10]:.0f}%")


if __name__ == "__main__":
    main()
