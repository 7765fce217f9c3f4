#!/usr/bin/env python3
"""`make calibrate`: measures the GPU at hand, and writes its profile.

    tests/fidelity/calibrate.py --simulator build/sim/test/fidelity --gpu build/cuda/test/fidelity   measures
    tests/fidelity/calibrate.py --simulator build/sim/test/fidelity --from FILE                      was measured before
    ... --from FILE --from FILE                                        on several machines: figures with their ranges

What was measured is kept (build/calibrate/NAME.json, or FILE); figures are fitted to the half of its cells that is for
calibrating (rules.py, fit.py), and the new profile is put beside the other half. The last line is the profile's path.
docs/profiles.md is for those who do this.
"""
import argparse
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import fidelity
import rules

try:
    import fit
except ImportError as missing:
    print(f"calibrate: {missing}: ./setup.sh installs what is needed", file=sys.stderr)
    raise SystemExit(2) from None

HERE = Path(__file__).resolve().parent
PROFILES = HERE.parent.parent / "profiles"
LARGEST = 64  # MiB: the fit's cells; more takes much time and tells little


def say(text):
    print(f"calibrate: {text}", file=sys.stderr)


def stop(text):
    say(text)
    raise SystemExit(2)


def whole(name):
    """A profile with its base's figures filled in."""
    document = json.loads((PROFILES / f"{name}.json").read_text(encoding="utf-8"))
    if "base" in document:
        base = whole(document["base"])
        for group in ("attributes", "capacity", "costs"):
            document[group] = {**base[group], **document.get(group, {})}
    return document


def name_of(device):
    return re.sub(r"[^a-z0-9]+", "-", device.lower()).strip("-")


def one_device(runs):
    devices = {run["conditions"]["device"] for run in runs}
    if len(devices) != 1:
        stop("these runs are of several devices: " + ", ".join(sorted(devices)))
    return devices.pop()


def conditions(runs):
    told = runs[-1]["conditions"]
    dates = sorted({run["conditions"]["date"] for run in runs})
    text = (f"{told['device']}, PCIe {told['pcie'] or 'unknown'}, driver {told['driver']}, CUDA {told['toolkit']}; "
            f"{told['processor']}; {' and '.join(dates)}")
    return text[:255]  # what a profile holds


def cells_text(cells):
    """Names of cells without their sizes, few words."""
    families = list(dict.fromkeys(re.sub(r"/\d+[KM]$", "", cell) for cell in cells))
    return "; ".join(families[:3]) + (f" and {len(families) - 3} more" if len(families) > 3 else "")


def digits(value):
    return float(f"{value:.4g}")


def note_costs(costs, found, base, date, by=rules):
    """Each figure says where it is from."""
    for figure, entry in costs.items():
        if figure not in found:
            inherit(entry, base)
            continue
        if "points" in entry:
            entry["points"] = [[size, digits(us)] for size, us in entry["points"]]
        else:
            entry["value"] = digits(entry["value"])
        entry["source"] = "measured"
        alone = figure in by.TABLES or figure in by.SINGLES
        cells = f"{len(found[figure])} cells" if len(found[figure]) > 1 else "the cell"
        entry["note"] = f"{date}: {'median of' if alone else 'fitted to'} {cells} {cells_text(found[figure])}"
        if figure in by.TABLES:
            entry["note"] += outside(entry["points"], found[figure], base)


def outside(points, cells, base):
    sizes = [fit.size_of(cell) for cell in cells]
    if points[0][0] >= min(sizes) and points[-1][0] <= max(sizes):
        return ""
    return f"; below and above their sizes as {base}, in proportion"


def inherit(entry, base):
    """Nothing was measured here: what the base says, and that it is the base's."""
    if entry["source"] == "documented":
        return
    entry["source"] = "assumed"
    entry["note"] = f"taken over from {base}"


def note_device(document, base, runs):
    """Attributes and capacity: as the device answered, where it was asked; of several machines the last one's."""
    date = runs[-1]["conditions"]["date"]
    for group in ("attributes", "capacity"):
        answers = runs[-1].get(group, {})
        for figure, entry in document[group].items():
            if figure in answers:
                entry.update(value=answers[figure], source="measured", note=f"{date}: the device's own answer")
                give_range(entry, {run["machine"]: run[group][figure] for run in runs if figure in run.get(group, {})})
            else:
                inherit(entry, base)


def give_range(entry, values):
    """What each machine answered, where they differ."""
    if len(set(values.values())) > 1:
        entry.update(range=[min(values.values()), max(values.values())], machines=len(values))


def ranges(document, found, runs, simulator, largest, group="costs", by=rules):
    """The machines apart: each one's own fit begins at the merged profile, so that what its cells do not tell stays as
    it is there. A figure's range is what these fits found, and the merged figure itself."""
    own = []
    machines = list(dict.fromkeys(run["machine"] for run in runs))
    for count, machine in enumerate(machines):
        say(f"machine {count + 1} of {len(machines)} by itself")
        cells = fit.calibrating_cells([run for run in runs if run["machine"] == machine], largest)
        own.append(fit.Fit(simulator, document, cells, group, by).run(lambda text: None))
    for figure in found:
        entry = document[group][figure]
        told = [profile[group][figure] for profile, found_there in own if figure in found_there]
        if len(told) < 2:
            continue
        entry["machines"] = len(told)
        if "points" in entry:
            entry["range"] = [span([us] + [fit.table_at(one["points"], size) for one in told])
                              for size, us in entry["points"]]
        else:
            entry["range"] = span([entry["value"]] + [one["value"] for one in told])


def span(values):
    values = [digits(value) for value in values]
    return [min(values), max(values)]


def write(document, path):
    """As the profiles stand in profiles/: a figure a line."""
    lines = ["{"] + [f"  {json.dumps(key)}: {json.dumps(document[key])},"
                     for key in ("schema", "name", "device", "conditions")]
    groups = []
    for group in ("attributes", "capacity", "costs"):
        figures = [f"    {json.dumps(name)}: {json.dumps(entry)}" for name, entry in document[group].items()]
        groups.append(f"  {json.dumps(group)}: {{\n" + ",\n".join(figures) + "\n  }")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n" + ",\n".join(groups) + "\n}\n", encoding="utf-8")


def make_profile(runs, base, simulator, name, largest):
    document = whole(base)
    for group in ("attributes", "capacity", "costs"):
        for entry in document[group].values():
            for key in ("range", "machines"):
                entry.pop(key, None)  # of the base's machines, not of these
    note_device(document, base, runs)  # first: how many blocks run at once is among it
    simulator = fit.Simulator(simulator, largest)
    profile, found = fit.Fit(simulator, document, fit.calibrating_cells(runs, largest)).run(say)
    profile.pop("base", None)
    profile.update(name=name, device=one_device(runs), conditions=conditions(runs))
    note_costs(profile["costs"], found, base, runs[-1]["conditions"]["date"])
    if len({run["machine"] for run in runs}) > 1:
        ranges(profile, found, runs, simulator, largest)
    measured = sum(entry["source"] == "measured" for entry in profile["costs"].values())
    say(f"{measured} of {len(profile['costs'])} costs are measured, the others are {base}'s and say so")
    return profile


def main():
    parser = argparse.ArgumentParser(description="Measures a GPU, and writes its profile.")
    parser.add_argument("--simulator", required=True, type=Path, help="the fidelity program on the simulator")
    parser.add_argument("--gpu", type=Path, help="the fidelity program on the GPU: measure")
    parser.add_argument("--from", dest="measured", type=Path, action="append", metavar="FILE",
                        help="measured before; of several files each is another machine's")
    parser.add_argument("--keep", type=Path, default=Path("build/calibrate"), help="folder for what is measured")
    parser.add_argument("--base", default="h200-pcie5", help="whose figures stand where none is measured")
    parser.add_argument("--name", help="of the profile (default: the device's)")
    parser.add_argument("--out", type=Path, default=PROFILES, help="folder of the profile")
    parser.add_argument("--force", action="store_true", help="write over a profile of this name")
    parser.add_argument("--check", action="store_true",
                        help="exit 1 when the cells set aside are beyond fidelity's limits")
    parser.add_argument("--fit-only", action="store_true", help="do not put it beside what was measured")
    parser.add_argument("--largest", type=int, default=LARGEST, metavar="MIB", help="largest cells that the fit takes")
    args = parser.parse_args()
    if bool(args.gpu) == bool(args.measured):
        parser.error("either --gpu or --from")
    measured = args.measured
    if args.gpu:
        device = asked(args.gpu)
        kept = args.keep / f"{args.name or name_of(device)}.json"
        check_free(args, device)
        kept.unlink(missing_ok=True)
        say(f"measuring {device}: about a minute")
        fidelity.record(args.gpu, kept, counts_too=False)
        measured = [kept]
    runs = fidelity.runs_of(measured)
    path = check_free(args, one_device(runs))
    write(make_profile(runs, args.base, args.simulator, path.stem, args.largest), path)
    if args.fit_only:
        print(path)
        return 0
    say("the new profile beside what was measured:")
    files = [argument for path in measured for argument in ("--measured", path)]
    beside = subprocess.run([sys.executable, HERE / "fidelity.py", "--backend", "sim", *files, "--out",
                             args.keep / path.stem, "--brief", args.simulator], check=False,
                            env={**os.environ, "UMSIM_PROFILE": str(path.resolve())})
    print(path)
    return beside.returncode if args.check else 0


def asked(program):
    """The device's name; where no GPU works the program says so, in one line."""
    what, _ = fidelity.samples(program, "--pass", "times", "--largest", "0")
    return what["device"]


def check_free(args, device):
    path = args.out / f"{args.name or name_of(device)}.json"
    if path.exists() and not args.force:
        stop(f"{path} is there already: FORCE=1 writes over it, NAME= gives another name")
    return path


if __name__ == "__main__":
    sys.exit(main())
