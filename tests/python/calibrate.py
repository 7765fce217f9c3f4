#!/usr/bin/env python3
"""`make calibrate` without a GPU: on the simulator itself, as a machine made up here, of which each figure is known.

The rules (tests/fidelity/rules.py, fit.py) have to find them in the half of the cells that is for calibrating. That
they find an H200's, too, .ci/run shows from its kept samples: `calibrate.py --from tests/fidelity/measured/h200.json
--check`.
"""
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from support import um_ctypes

ROOT = Path(__file__).resolve().parent.parent.parent
FIDELITY = ROOT / "tests" / "fidelity"
BASE = "h200-pcie5"
WITHIN = 0.05  # a known figure is found to this share
LARGEST = 16  # MiB: more takes its time
# What these cells (up to 16 MiB) do not tell is taken over from the base: here it is the base's.
UNTOLD = {"atomic_address_ns", "atomic_line_ns", "block_start_ns", "cache_gbs", "mapped_read_piece_ns",
          "mapped_write_piece_ns", "event_device_us", "kernel_minimum_us", "device_write_gbs", "managed_read_gbs",
          "managed_write_gbs", "mapped_start_us", "cpu_fault_populating_us", "gpu_fault_batch_us", "gpu_populate_us",
          "migrate_transfer_us", "advise_protect_us", "gpu_fault_crowd_us"}
SMALL = 1  # MiB, of the cells of several machines
APART_WITHIN = 0.1  # a range's ends are the known figures to this share
FEWEST_RANGES, NEAR_SHARE = 20, 0.8  # so many figures have to have a range, and such a share of them the known one
FEWEST = 60  # so many of the costs have to be found in the closed loop


def program():
    return Path(um_ctypes.build()) / "test" / "fidelity"


def python(script, *arguments, profile=None):
    env = {**os.environ, **({"UMSIM_PROFILE": str(profile)} if profile else {})}
    return subprocess.run([sys.executable, FIDELITY / script, *map(str, arguments)], capture_output=True, text=True,
                          check=False, env=env)


def calibrate(measured, name, folder, largest):
    files = [argument for path in measured for argument in ("--from", path)]
    result = python("calibrate.py", "--simulator", program(), *files, "--name", name, "--out", folder,
                    "--keep", folder, "--largest", largest, "--fit-only")
    path = folder / f"{name}.json"
    if result.returncode or not path.exists() or result.stdout.splitlines()[-1] != str(path):
        raise AssertionError(f"calibrate ended with {result.returncode}:\n{result.stdout}{result.stderr}")
    return path


def a_machine(base, seed=1):
    """A machine that never was: each cost is the base's, by a factor of its own from 0.7 to 1.4."""
    chance = random.Random(seed)
    machine = json.loads(json.dumps(base))
    for name, figure in machine["costs"].items():
        factor = chance.uniform(0.7, 1.4)
        figure.pop("range", None)  # of other machines
        figure.pop("machines", None)
        if name in UNTOLD:
            continue
        if "points" in figure:
            figure["points"] = [[size, us * factor] for size, us in figure["points"]]
        elif figure["unit"] != "bytes":
            figure["value"] *= factor
    machine["attributes"]["multiprocessor_count"]["value"] = 66
    machine["capacity"]["free_at_start"]["value"] = 100 << 30
    return machine


def as_measured(profile, largest):
    """What a GPU with this profile would have answered, as `--record` keeps it."""
    result = subprocess.run([program(), "--largest", str(largest)], stdout=subprocess.PIPE, text=True, check=True,
                            env={**os.environ, "UMSIM_PROFILE": str(profile)})
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    conditions = {"device": "Made Up 1", "driver": "1", "toolkit": "1", "pcie": "none", "processor": "none",
                  "date": "2026-01-01"}
    about = {"conditions": conditions, "attributes": lines[0]["attributes"], "capacity": lines[0]["capacity"]}
    return {"runs": [{**about, "cells": {line["cell"]: line for line in lines[1:]}}]}


def differences(known, found):
    """(how many costs were found, lines about those that are not the known ones)."""
    sys.path.insert(0, str(FIDELITY))
    import fit
    count, lines = 0, []
    for name, figure in found["costs"].items():
        if figure["source"] != "measured":
            continue
        count += 1
        if "points" in figure:
            pairs = [(us, fit.table_at(known["costs"][name]["points"], size)) for size, us in figure["points"]]
        else:
            pairs = [(figure["value"], known["costs"][name]["value"])]
        worst = max((abs(ours / theirs - 1), ours, theirs) for ours, theirs in pairs)
        if worst[0] > WITHIN:
            lines.append(f"{name}: {worst[1]:g}, known {worst[2]:g}")
    return count, lines


def closed_loop(folder):
    """Calibrating on the simulator gives back the figures that it was run with."""
    base = json.loads((ROOT / "profiles" / f"{BASE}.json").read_text(encoding="utf-8"))
    known = a_machine(base)
    (folder / "known.json").write_text(json.dumps(known), encoding="utf-8")
    (folder / "measured.json").write_text(json.dumps(as_measured(folder / "known.json", LARGEST)), encoding="utf-8")
    found = json.loads(calibrate([folder / "measured.json"], "found", folder, LARGEST).read_text(encoding="utf-8"))
    count, lines = differences(known, found)
    print(f"        {count} of {len(found['costs'])} costs found")
    print("        not told: " + ", ".join(n for n, f in found["costs"].items() if f["source"] != "measured"))
    assert not lines, "\n".join(lines)
    assert count >= FEWEST, "too few of the costs were found"
    assert found["attributes"]["multiprocessor_count"]["value"] == 66 and found["device"] == "Made Up 1"
    assert found["capacity"]["free_at_start"]["value"] == 100 << 30
    kept = found["costs"]["eviction_us"]
    assert kept["source"] == "assumed" and BASE in kept["note"] and \
        kept["value"] == base["costs"]["eviction_us"]["value"]


def several_machines_stay_apart(folder):
    """Of two machines each figure is between theirs, and its range is from one's to the other's."""
    base = json.loads((ROOT / "profiles" / f"{BASE}.json").read_text(encoding="utf-8"))
    machines, files = [a_machine(base, 2), a_machine(base, 3)], []
    for number, machine in enumerate(machines):
        known, measured = folder / f"known{number}.json", folder / f"measured{number}.json"
        known.write_text(json.dumps(machine), encoding="utf-8")
        measured.write_text(json.dumps(as_measured(known, SMALL)), encoding="utf-8")
        files.append(measured)
    path = calibrate(files, "both", folder, SMALL)
    costs, near = json.loads(path.read_text(encoding="utf-8"))["costs"], 0
    for name, figure in costs.items():
        if "range" not in figure:
            assert figure["source"] != "measured" or "machines" not in figure, name
            continue
        least, most = figure["range"][0] if "points" in figure else figure["range"]
        value = figure["points"][0][1] if "points" in figure else figure["value"]
        assert figure["machines"] == 2 and figure["source"] == "measured" and least <= value <= most, name
        if "value" in figure:
            theirs = sorted(machine["costs"][name]["value"] for machine in machines)
            near += max(abs(least / theirs[0] - 1), abs(most / theirs[1] - 1)) < APART_WITHIN
    ranges = sum("range" in figure and "value" in figure for figure in costs.values())
    print(f"        {ranges} single figures with a range, {near} of these from one machine's to the other's")
    assert ranges >= FEWEST_RANGES and near >= NEAR_SHARE * ranges
    assert not [name for name, figure in costs.items() if figure["source"] == "assumed" and "range" in figure]
    run = subprocess.run([program(), "--largest", "0"], capture_output=True, text=True, check=False,
                         env={**os.environ, "UMSIM_PROFILE": str(path)})
    assert run.returncode == 0, run.stderr  # the simulator takes such a profile


def writes_over_nothing(folder):
    """A profile that is there stays, unless told otherwise."""
    (folder / "mine.json").write_text("{}", encoding="utf-8")
    result = python("calibrate.py", "--simulator", program(), "--from", FIDELITY / "measured" / "h200.json", "--name",
                    "mine", "--out", folder)
    assert result.returncode == 2 and len(result.stderr.splitlines()) == 1, result.stderr
    assert (folder / "mine.json").read_text(encoding="utf-8") == "{}"


def main():
    um_ctypes.skip_unless_simulated()
    try:
        import numpy  # noqa: F401  the fit needs it
    except ImportError:
        print("SKIP: this Python has no numpy")
        return 2
    failed = 0
    for test in (writes_over_nothing, closed_loop, several_machines_stay_apart):
        with tempfile.TemporaryDirectory() as folder:
            try:
                test(Path(folder))
                print(f"ok    calibrate: {test.__doc__.splitlines()[0]}")
            except AssertionError as why:
                failed += 1
                print(f"FAIL  calibrate: {test.__doc__.splitlines()[0]}\n        "
                      + str(why).replace("\n", "\n        "))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
