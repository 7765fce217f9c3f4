#!/usr/bin/env python3
"""Puts the simulator's times of the cells beside a GPU's.

    tests/cost/compare.py --measured tests/cost/measured/h200-1.jsonl FILE...

FILEs are what the program of this folder printed on the simulator, at full size. Prints a line a cell, and at the end
the median and the 90th percentile of the errors, of each half of the cells. The halves are told apart by a hash of
their names: the model's figures are fitted to the first (+), the second (-) is set aside and shows how it does on
kernels that it was not fitted to. --measured can be named several times: an error is then the distance from the range
of what the machines took.

--orders compares, of the families that a course compares, all pairs of cells whose names differ in one part
(transpose/tiled/1024 and transpose/copy/1024, or /2048): where each machine has them in one order, the simulator has to
have them in the same. It prints those that it has not, and how many pairs there are.
"""
import argparse
import hashlib
import itertools
import json
from pathlib import Path


def cells(paths):
    lines = (json.loads(line) for path in paths for line in Path(path).read_text().splitlines())
    return {line["cell"]: line["us"] for line in lines if "cell" in line}


def is_set_aside(name):
    return hashlib.sha256(name.encode()).digest()[0] % 2 == 1


def error_of(modelled, measured):
    """The distance from the range, as a part of its nearer end; below it, negative."""
    low, high = min(measured), max(measured)
    return modelled / high - 1 if modelled > high else modelled / low - 1 if modelled < low else 0.0


def summary(which, errors):
    errors = sorted(map(abs, errors))
    if errors:
        print(f"{which}: {len(errors)} cells, median error {100 * errors[len(errors) // 2]:.0f}%, "
              f"90th percentile {100 * errors[len(errors) * 9 // 10]:.0f}%")


FAMILIES = {"transpose": "transpose", "multiply": "multiply", "aos": "layout", "soa": "layout", "atomic": "atomic"}


def is_pair(one, other):
    """Of one family, and otherwise different in one part of the name."""
    one, other = ([FAMILIES.get(name.split("/")[0]), *name.split("/")] for name in (one, other))
    return one[0] and one[0] == other[0] and len(one) == len(other) and sum(map(str.__ne__, one, other)) == 1


def orders(machines, modelled):
    """Prints the pairs that are in another order here than on every machine. Returns how many."""
    pairs, wrong = 0, 0
    for one, other in itertools.combinations(modelled, 2):
        both = [(machine[one], machine[other]) for machine in machines if one in machine and other in machine]
        if not both or not is_pair(one, other):
            continue
        spans = [(min(side), max(side)) for side in zip(*both)]
        if spans[0][1] >= spans[1][0] and spans[1][1] >= spans[0][0]:
            continue  # the machines' ranges meet
        pairs += 1
        if (spans[0][0] < spans[1][0]) != (modelled[one] < modelled[other]):
            wrong += 1
            print(f"another order: {one} {spans[0][0]:.1f} to {spans[0][1]:.1f}, here {modelled[one]:.1f}; "
                  f"{other} {spans[1][0]:.1f} to {spans[1][1]:.1f}, here {modelled[other]:.1f}")
    print(f"orders: {pairs} pairs that {len(machines)} machines agree on, {wrong} in another order")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--measured", required=True, action="append")
    parser.add_argument("--orders", action="store_true", help="only what is in another order")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    for path in [*options.measured, *options.files]:
        if not Path(path).is_file():
            parser.error(f"no file {path}")
    machines, modelled = [cells([path]) for path in options.measured], cells(options.files)
    if options.orders:
        orders(machines, modelled)
        return
    errors = {False: [], True: []}
    for name in modelled:
        measured = [machine[name] for machine in machines if name in machine]
        if not measured:
            continue
        error, aside = error_of(modelled[name], measured), is_set_aside(name)
        errors[aside].append(error)
        print(f"{'-' if aside else '+'} {name:38} {min(measured):10.1f} {max(measured):10.1f} {modelled[name]:10.1f} "
              f"{100 * error:+7.0f}%")
    summary("fitted", errors[False])
    summary("set aside", errors[True])


if __name__ == "__main__":
    main()
