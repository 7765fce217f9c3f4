#!/usr/bin/env python3
"""Fits what a profile says of several devices (its group `peers`) to what was measured on two.

    tests/fidelity/peers/calibrate.py --simulator build/sim/test/fidelity-peers --profile h200-nvlink2 \\
        --from tests/fidelity/measured/h200x2.json [--from ANOTHER-MACHINE'S]

The half of the cells that is for calibrating gives the figures (rules.py here, ../fit.py); each says from which cells
it is. What no cell tells stays as it is. The profile is written over, but for its other groups; its path is the last
line. docs/profiles.md is for those who do this.
"""
import argparse
import importlib.util
import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import calibrate  # noqa: E402
import fidelity  # noqa: E402
import fit  # noqa: E402

spec = importlib.util.spec_from_file_location("peer_rules", HERE / "rules.py")
rules = importlib.util.module_from_spec(spec)
spec.loader.exec_module(rules)
LARGEST = 256  # MiB


def write(document, path):
    """A figure of the group a line, as the profiles stand in profiles/."""
    heads = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in document.items() if key != "peers"]
    figures = [f"    {json.dumps(name)}: {json.dumps(entry)}" for name, entry in document["peers"].items()]
    path.write_text("{\n" + ",\n".join(heads) + ',\n  "peers": {\n' + ",\n".join(figures) + "\n  }\n}\n",
                    encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description="Fits a profile's group `peers`.")
    parser.add_argument("--simulator", required=True, type=Path, help="the program of two devices on the simulator")
    parser.add_argument("--from", dest="measured", type=Path, action="append", metavar="FILE", required=True,
                        help="what two devices took; of several files each is another machine's")
    parser.add_argument("--profile", default="h200-nvlink2", help="name of the profile that is fitted")
    args = parser.parse_args()
    path = calibrate.PROFILES / f"{args.profile}.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    for entry in document["peers"].values():
        for key in ("range", "machines"):
            entry.pop(key, None)
    before = {name: dict(entry) for name, entry in document["peers"].items()}
    runs = fidelity.runs_of(args.measured)
    calibrate.one_device(runs)
    simulator = fit.Simulator(args.simulator.resolve(), LARGEST)
    cells = fit.calibrating_cells(runs, LARGEST)
    profile, found = fit.Fit(simulator, document, cells, "peers", rules).run(calibrate.say)
    calibrate.note_costs({name: profile["peers"][name] for name in found}, found, args.profile,
                         runs[-1]["conditions"]["date"], rules)
    if len({run["machine"] for run in runs}) > 1:
        calibrate.ranges(profile, found, runs, simulator, LARGEST, "peers", rules)
    for name, entry in before.items():
        if name not in found:
            profile["peers"][name] = entry
    write(profile, path)
    calibrate.say(f"{len(found)} of {len(before)} figures are from these cells")
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
