#!/usr/bin/env python3
"""`make fidelity`: the simulator's times and counts beside hardware's, cell by cell.

    tests/fidelity/fidelity.py --backend sim --out build/fidelity PROGRAM
    tests/fidelity/fidelity.py --backend cuda --record tests/fidelity/measured/h200.json PROGRAM

PROGRAM (tests/fidelity/*.c) does the matrix of workloads on either backend. On sim its output is compared with what
was measured (measured/h200.json): the table goes to stdout and, with a figure, to the --out folder; the last line is
`N cells, median error x%, 90th percentile y%, counts equal in a of b`; exit 1 beyond the limits. With --record this
machine's GPU is measured, and the run is added to the file. README.md here says what the numbers mean.
"""
import argparse
import datetime
import hashlib
import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
MEASURED = HERE / "measured" / "h200.json"
MEDIAN_LIMIT, P90_LIMIT = 10.0, 25.0  # percent
STEADY = 10.0  # percent: cells whose own spread on hardware is as large or larger are left out of the statistics
COUNTS = ["cpu_faults", "gpu_fault_groups", "bytes_h2d", "bytes_d2h"]
EXACT = [0, 2, 3]  # fault groups depend on timing on hardware


def percentile(values, percent):
    """Linear between ranks."""
    values = sorted(values)
    at = (len(values) - 1) * percent / 100
    low = int(at)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (at - low)


def is_figure(name):
    """A cell that alone gives the model one of its figures: it calibrates, and is in no statistic."""
    return name.startswith("call/")


def is_set_aside(name):
    """Half of the cells, by a hash of the name: never looked at in calibrating."""
    return not is_figure(name) and hashlib.sha256(name.encode()).digest()[0] % 2 == 1


def samples(program, *arguments):
    """What the program did: (what ran, {cell: {"us": [...], "counts": [[...], ...]}})."""
    result = subprocess.run([program, *arguments], stdout=subprocess.PIPE, text=True, check=False)
    if result.returncode:
        raise SystemExit(result.returncode)
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    return lines[0], {line["cell"]: line for line in lines[1:]}


def tool(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def conditions(what):
    query = "name,driver_version,pcie.link.gen.max,pcie.link.width.max"
    link = tool("nvidia-smi", f"--query-gpu={query}", "--format=csv,noheader").splitlines()
    release = tool("nvcc", "--version").splitlines()
    model = [line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text(encoding="ascii").splitlines()
             if line.startswith("model name")]
    return {"device": what["device"], "driver": link[0].split(", ")[1] if link else what["driver"],
            "cuda_runtime": what["cuda"], "toolkit": release[-2].split("release ")[-1] if len(release) > 1 else "",
            "pcie": "generation {2}, {3} lanes".format(*link[0].split(", ")) if link else "",
            "host": f"{model[0] if model else 'unknown'}, {len(model)} cores",
            "date": datetime.date.today().isoformat(),
            "clock": "host: CLOCK_MONOTONIC, from the call to the end of the wait; `events`: two CUDA events",
            "counts": "CUPTI's unified-memory counters, in a process of their own"}


def record(program, path):
    what, times = samples(program, "--pass", "times")
    _, counts = samples(program, "--pass", "counts")
    document = {"schema": "umlab-fidelity/1", "units": {"us": "microseconds", "counts": COUNTS}, "runs": []}
    if path.exists():
        document = json.loads(path.read_text(encoding="utf-8"))
    cells = {}
    for name in list(times) + [name for name in counts if name not in times]:
        cells[name] = {}
        if times.get(name, {}).get("us"):
            cells[name]["us"] = [round(us, 2) for us in times[name]["us"]]
        if counts.get(name, {}).get("counts"):
            cells[name]["counts"] = counts[name]["counts"]
    document["runs"].append({"conditions": conditions(what), "cells": cells})
    path.parent.mkdir(parents=True, exist_ok=True)
    head = {key: value for key, value in document.items() if key != "runs"}
    runs = ",\n".join(json.dumps({"conditions": run["conditions"]}, indent=1)[:-2] + ',\n "cells": {\n' +
                      ",\n".join(f"  {json.dumps(name)}: {json.dumps(cell)}" for name, cell in run["cells"].items()) +
                      "}}" for run in document["runs"])
    path.write_text(json.dumps(head, indent=1)[:-2] + ',\n "runs": [\n' + runs + "\n ]}\n", encoding="utf-8")
    print(f"{path}: {len(cells)} cells, {len(document['runs'])} runs")


class Cell:
    """One cell: hardware's samples of all runs, and the model's answer."""

    def __init__(self, name, runs, modelled):
        self.name = name
        self.us = [us for run in runs for us in run["cells"].get(name, {}).get("us", [])]
        self.counts = [counts for run in runs for counts in run["cells"].get(name, {}).get("counts", [])]
        self.model_us = modelled["us"][0] if modelled.get("us") else None
        self.model_counts = modelled["counts"][0] if modelled.get("counts") else None
        self.timed = bool(self.us) and self.model_us is not None
        if self.timed:
            self.median = percentile(self.us, 50)
            self.low, self.high = percentile(self.us, 10), percentile(self.us, 90)
            self.spread = 100 * (self.high - self.low) / self.median
            self.error = 100 * (self.model_us - self.median) / self.median
        exact = {tuple(counts[i] for i in EXACT) for counts in self.counts}
        self.repeats = len(exact) == 1
        self.counted = self.repeats and self.model_counts is not None
        self.equal = self.counted and tuple(self.model_counts[i] for i in EXACT) in exact

    def in_statistics(self):
        return self.timed and not is_figure(self.name) and self.spread < STEADY

    def role(self):
        return "figure" if is_figure(self.name) else "set aside" if is_set_aside(self.name) else "calibrates"

    def groups(self):
        return percentile([counts[1] for counts in self.counts], 50) if self.counts else None


def number(us):
    return f"{us:.1f}" if us < 1000 else f"{us:.0f}"


def counts_text(counts):
    faults, groups, h2d, d2h = counts
    return f"{faults:.0f} {groups:.0f} {h2d:.0f} {d2h:.0f}"


def row(cell):
    measured = error = model = spread = counts = ""
    if cell.timed:
        steady = cell.spread < STEADY
        measured = number(cell.median) if steady else f"{number(cell.low)} to {number(cell.high)}"
        spread, model = f"{cell.spread:.0f}", number(cell.model_us)
        error = f"{cell.error:+.1f}" if steady else f"({cell.error:+.0f})"
    if cell.counts:
        counts = counts_text([percentile([c[i] for c in cell.counts], 50) for i in range(4)])
        ours = counts_text(cell.model_counts) if cell.model_counts else "?"
        counts += (" equal" if cell.equal else f" | {ours} DIFFERS") if cell.repeats else f" | {ours} (does not repeat)"
    return [cell.name, cell.role(), measured, spread, model, error, counts]


HEAD = ["cell", "role", "measured us", "spread %", "model us", "error %",
        "CPU faults, GPU fault groups, bytes to device, to host"]


def statistics(cells):
    errors = [abs(cell.error) for cell in cells]
    return (percentile(errors, 50), percentile(errors, 90)) if errors else (0.0, 0.0)


def chapters(cells):
    """(chapter, cells, median, 90th percentile) of the set-aside half."""
    names = []
    for cell in cells:
        chapter = "/".join(cell.name.split("/")[:2])
        if chapter not in names:
            names.append(chapter)
    for chapter in names:
        inside = [cell for cell in cells if (cell.name + "/").startswith(chapter + "/")]
        if inside:
            yield (chapter, len(inside), *statistics(inside))


def figure(cells, path):
    """Modelled against measured, both axes logarithmic, as SVG."""
    import math
    low, high, size, margin = -1.0, 6.0, 560, 60

    def at(us):
        return (math.log10(us) - low) / (high - low) * size

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size + 2 * margin} {size + 2 * margin}" '
           'font-family="sans-serif" font-size="12">',
           f'<rect x="{margin}" y="{margin}" width="{size}" height="{size}" fill="none" stroke="#999"/>']
    for power in range(int(low), int(high) + 1):
        x = margin + at(10.0 ** power)
        y = margin + size - at(10.0 ** power)
        label = f"{10.0 ** power:g}"
        out.append(f'<path d="M{x:.0f} {margin}v{size}M{margin} {y:.0f}h{size}" stroke="#eee"/>'
                   f'<text x="{x:.0f}" y="{margin + size + 16}" text-anchor="middle">{label}</text>'
                   f'<text x="{margin - 6}" y="{y + 4:.0f}" text-anchor="end">{label}</text>')
    out.append(f'<path d="M{margin} {margin + size}L{margin + size} {margin}" stroke="#333"/>')
    for role, colour in (("calibrates", "#8ab"), ("set aside", "#c40")):
        for cell in cells:
            if cell.timed and cell.role() == role and cell.model_us > 0:
                x, y = margin + at(cell.median), margin + size - at(cell.model_us)
                out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}" fill-opacity="0.7">'
                           f'<title>{cell.name}: {number(cell.median)} us measured, {number(cell.model_us)} modelled'
                           '</title></circle>')
    out.append(f'<text x="{margin + size / 2:.0f}" y="{size + 2 * margin - 16}" text-anchor="middle">measured on an H200, '
               'microseconds</text>'
               f'<text x="16" y="{margin + size / 2:.0f}" text-anchor="middle" transform="rotate(-90 16 '
               f'{margin + size / 2:.0f})">modelled, microseconds</text>'
               f'<text x="{margin + 10}" y="{margin + 20}" fill="#c40">set aside: used only here</text>'
               f'<text x="{margin + 10}" y="{margin + 38}" fill="#579">used for calibrating</text></svg>')
    path.write_text("\n".join(out) + "\n", encoding="utf-8")


def markdown(cells, measured, closing, path):
    lines = ["# Fidelity: the model beside an H200", "", "Measured: " + "; ".join(
        f"{c['device']}, driver {c['driver']}, CUDA {c['toolkit']}, PCIe {c['pcie']}, host {c['host']}, {c['date']}"
        for c in (run["conditions"] for run in measured["runs"])) + ".", "", closing, "",
        "![modelled against measured](fidelity.svg)", "", "| " + " | ".join(HEAD) + " |", "|" + "---|" * len(HEAD)]
    lines += ["| " + " | ".join(text.replace("|", "/") for text in row(cell)) + " |" for cell in cells]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def print_table(rows):
    widths = [max(len(line[i]) for line in rows) for i in range(len(HEAD))]
    for line in rows:
        left = line[0].ljust(widths[0]) + "  " + line[1].ljust(widths[1])
        numbers = "".join("  " + text.rjust(width) for text, width in zip(line[2:6], widths[2:6]))
        print((left + numbers + "  " + line[6]).rstrip())


def compare(program, out, measured_path):
    measured = json.loads(measured_path.read_text(encoding="utf-8"))
    what, modelled = samples(program)
    runs = measured["runs"]
    names = [name for name in modelled if any(name in run["cells"] for run in runs)]
    cells = [Cell(name, runs, modelled[name]) for name in names]
    unmeasured = [name for name in modelled if name not in names]
    aside = [cell for cell in cells if cell.in_statistics() and is_set_aside(cell.name)]
    rest = [cell for cell in cells if cell.in_statistics() and not is_set_aside(cell.name)]
    counted = [cell for cell in cells if cell.counted]
    equal = [cell for cell in counted if cell.equal]
    grouped = [cell for cell in cells if cell.model_counts and cell.groups()]

    print_table([HEAD] + [row(cell) for cell in cells])
    print(f"\nprofile {what['profile']}; set aside, by chapter:")
    for chapter, count, median, p90 in chapters(aside):
        print(f"  {chapter:34} {count:4} cells, median error {median:5.1f}%, 90th percentile {p90:5.1f}%")
    if grouped:
        errors = [100 * abs(cell.model_counts[1] - cell.groups()) / cell.groups() for cell in grouped]
        print(f"GPU fault groups: median error {percentile(errors, 50):.0f}% in {len(grouped)} cells (timing decides "
              "them on hardware)")
    print("%d cells too unsteady on hardware (their range stands above), %d counts that do not repeat there"
          % (sum(cell.timed and not is_figure(cell.name) and cell.spread >= STEADY for cell in cells),
             sum(bool(cell.counts) and not cell.repeats for cell in cells)))
    for name in unmeasured:
        print(f"not measured on hardware: {name}")
    print("used for calibrating: %d cells, median error %.1f%%, 90th percentile %.1f%%" % (len(rest), *statistics(rest)))
    managed = [cell for cell in aside if cell.name.startswith("managed/")]
    print("managed memory alone, set aside: %d cells, median error %.1f%%, 90th percentile %.1f%%"
          % (len(managed), *statistics(managed)))
    median, p90 = statistics(aside)
    closing = (f"{len(aside)} cells, median error {median:.1f}%, 90th percentile {p90:.1f}%, counts equal in "
               f"{len(equal)} of {len(counted)}")
    if out:
        out.mkdir(parents=True, exist_ok=True)
        figure(cells, out / "fidelity.svg")
        markdown(cells, measured, closing, out / "fidelity.md")
    print(closing)
    good = aside and median <= MEDIAN_LIMIT and p90 <= P90_LIMIT and len(equal) == len(counted) and not unmeasured
    return 0 if good else 1


def main():
    parser = argparse.ArgumentParser(description="The model's times and counts beside hardware's.")
    parser.add_argument("--backend", required=True, choices=["sim", "cuda"])
    parser.add_argument("--record", type=Path, help="measure this GPU, and add the run to FILE", metavar="FILE")
    parser.add_argument("--measured", type=Path, default=MEASURED, help="hardware's answers (default: %(default)s)")
    parser.add_argument("--out", type=Path, help="folder for the table and the figure")
    parser.add_argument("program")
    args = parser.parse_args()
    if args.backend == "cuda":
        if not args.record:
            print("fidelity: on a GPU it measures: RECORD=FILE says where to", file=sys.stderr)
            return 2
        record(args.program, args.record)
        return 0
    if args.record:
        parser.error("only hardware is recorded: BACKEND=cuda")
    return compare(args.program, args.out, args.measured)


if __name__ == "__main__":
    sys.exit(main())
