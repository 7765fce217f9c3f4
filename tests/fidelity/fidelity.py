#!/usr/bin/env python3
"""`make fidelity`: the simulator's times and counts beside hardware's, cell by cell.

    tests/fidelity/fidelity.py --backend sim --out build/fidelity PROGRAM
    tests/fidelity/fidelity.py --backend cuda --record tests/fidelity/measured/h200.json PROGRAM
    UMSIM_PROFILE=h200-nvlink2 tests/fidelity/fidelity.py --backend sim --peers build/sim/test/fidelity-peers

PROGRAM (tests/fidelity/*.c) does the matrix of workloads on either backend. On sim its output is compared with what
was measured (measured/h200.json): the table goes to stdout and, with a figure, to the --out folder; the last line is
`N cells, median error x%, 90th percentile y%, counts equal in a of b`; exit 1 beyond the limits. With --record this
machine's GPU is measured, and the run is added to the file. README.md here says what the numbers mean.
"""
import argparse
import datetime
import hashlib
import json
import math
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
MEASURED = HERE / "measured" / "h200.json"
MACHINES = [MEASURED, *sorted(MEASURED.parent.glob("h200-*.json"))]
OF_TWO_DEVICES = sorted(MEASURED.parent.glob("h200x2*.json"))  # a file a machine
MEDIAN_LIMIT, P90_LIMIT = 10.0, 25.0  # percent
# Copies and managed memory, beside the range of all machines; no cell is left out of these.
EVERY_CELL, EVERY_MEDIAN_LIMIT, EVERY_P90_LIMIT = ("copy/", "managed/"), 5.0, 20.0
STEADY = 10.0  # percent: cells whose own spread on hardware is as large or larger are left out of the statistics
COUNTS = ["cpu_faults", "gpu_fault_groups", "bytes_h2d", "bytes_d2h", "bytes_d2d"]  # the last: of several devices
NOT_EXACT = COUNTS.index("gpu_fault_groups")  # depend on timing on hardware


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


def exact_of(counts):
    return tuple(count for i, count in enumerate(counts) if i != NOT_EXACT)


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


def link_between_devices():
    """As nvidia-smi names it: NV18 is 18 links of NVLink, PHB a bridge of PCIe."""
    rows = [line.split() for line in tool("nvidia-smi", "topo", "-m").splitlines()]
    return next((row[2] for row in rows if row[:1] == ["GPU0"] and row[1:2] == ["X"] and len(row) > 2), "unknown")


def conditions(what):
    query = "name,driver_version,pcie.link.gen.max,pcie.link.width.max"
    link = tool("nvidia-smi", f"--query-gpu={query}", "--format=csv,noheader").splitlines()
    release = tool("nvcc", "--version").splitlines()
    model = [line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text(encoding="ascii").splitlines()
             if line.startswith("model name")]
    between = {"devices": what["devices"], "between": link_between_devices()} if "devices" in what else {}
    return {"device": what["device"], **between, "driver": link[0].split(", ")[1] if link else what["driver"],
            "cuda_runtime": what["cuda"], "toolkit": release[-2].split("release ")[-1] if len(release) > 1 else "",
            "pcie": "generation {2}, {3} lanes".format(*link[0].split(", ")) if link else "",
            "processor": f"{model[0] if model else 'unknown'}, {len(model)} cores",
            "date": datetime.date.today().isoformat(),
            "clock": "host: CLOCK_MONOTONIC, from the call to the end of the wait; `events`: two CUDA events",
            "counts": "CUPTI's unified-memory counters, in a process of their own"}


def record(program, path, counts_too=True, machine=None):
    what, times = samples(program, "--pass", "times")
    counts = {}
    try:
        counts = samples(program, "--pass", "counts")[1] if counts_too else {}
    except SystemExit:  # what took minutes of a GPU is kept
        print(f"{program}: no counts; the times are recorded without", file=sys.stderr)
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
    told = conditions(what) if machine is None else {"machine": machine, **conditions(what)}
    about = {"conditions": told, "attributes": what["attributes"], "capacity": what["capacity"]}
    document["runs"].append({**about, "cells": cells})
    path.parent.mkdir(parents=True, exist_ok=True)
    head = {key: value for key, value in document.items() if key != "runs"}
    runs = ",\n".join(json.dumps({key: run[key] for key in run if key != "cells"}, indent=1)[:-2] + ',\n "cells": {\n' +
                      ",\n".join(f"  {json.dumps(name)}: {json.dumps(cell)}" for name, cell in run["cells"].items()) +
                      "}}" for run in document["runs"])
    path.write_text(json.dumps(head, indent=1)[:-2] + ',\n "runs": [\n' + runs + "\n ]}\n", encoding="utf-8")
    print(f"{path}: {len(cells)} cells, {len(document['runs'])} runs")


def runs_of(paths):
    """The runs of these files. Each says of which machine it is: of several files each is another machine's, and the
    runs of one file are of one machine unless their conditions number it (`machine`)."""
    runs = []
    for number_of_file, path in enumerate(paths):
        for run in json.loads(Path(path).read_text(encoding="utf-8"))["runs"]:
            run["machine"] = (number_of_file, run["conditions"].get("machine", 0))
            runs.append(run)
    return runs


def by_machine(name, runs):
    """{machine: its samples of this cell}, of the machines that have any."""
    found = {}
    for run in runs:
        us = run["cells"].get(name, {}).get("us", [])
        if us:
            found.setdefault(run["machine"], []).extend(us)
    return found


def spread_of(samples):
    """From the 10th to the 90th percentile, in percent of the median."""
    median = percentile(samples, 50)
    return 100 * (percentile(samples, 90) - percentile(samples, 10)) / median if median > 0 else 0.0


def outside(value, least, most):
    """How far a value is outside a range, in percent of its nearer end; below it the number is negative."""
    if least <= value <= most:
        return 0.0
    return 100 * (value / most - 1) if value > most else 100 * (value / least - 1)


class Cell:
    """One cell: hardware's samples of all runs, and the model's answer. What one machine took is the median of its
    samples; where several were asked, each counts once, and the error is the distance from the range of theirs."""

    def __init__(self, name, runs, modelled):
        self.name = name
        machines = by_machine(name, runs)
        self.us = [us for samples in machines.values() for us in samples]
        self.of_machines = sorted(percentile(samples, 50) for samples in machines.values())
        self.several = len(machines) > 1
        self.counts = [counts for run in runs for counts in run["cells"].get(name, {}).get("counts", [])]
        self.model_us = modelled["us"][0] if modelled.get("us") else None
        self.model_counts = modelled["counts"][0] if modelled.get("counts") else None
        self.timed = bool(self.us) and self.model_us is not None
        if self.timed:
            self.median = percentile(self.of_machines, 50)
            self.spread = max(spread_of(samples) for samples in machines.values())
            self.low, self.high = percentile(self.us, 10), percentile(self.us, 90)
            self.error = 100 * (self.model_us - self.median) / self.median
            if self.several:
                self.low, self.high = self.of_machines[0], self.of_machines[-1]
                self.error = outside(self.model_us, self.low, self.high)
        exact = {exact_of(counts) for counts in self.counts}
        self.repeats = len(exact) == 1
        self.counted = self.repeats and self.model_counts is not None
        self.equal = self.counted and exact_of(self.model_counts) in exact

    def in_statistics(self):
        return self.timed and not is_figure(self.name) and self.spread < STEADY

    def role(self):
        return "figure" if is_figure(self.name) else "set aside" if is_set_aside(self.name) else "calibrates"

    def groups(self):
        return percentile([counts[1] for counts in self.counts], 50) if self.counts else None


def number(us):
    return f"{us:.1f}" if us < 1000 else f"{us:.0f}"


def counts_text(counts):
    return " ".join(f"{count:.0f}" for count in counts)


def row(cell):
    measured = error = model = spread = counts = ""
    if cell.timed:
        steady = cell.spread < STEADY
        one = steady and not cell.several
        measured = number(cell.median) if one else f"{number(cell.low)} to {number(cell.high)}"
        spread, model = f"{cell.spread:.0f}", number(cell.model_us)
        error = f"{cell.error:+.1f}" if steady else f"({cell.error:+.0f})"
    if cell.counts:
        counts = counts_text([percentile(column, 50) for column in zip(*cell.counts)])
        ours = counts_text(cell.model_counts) if cell.model_counts else "?"
        counts += (" equal" if cell.equal else f" | {ours} DIFFERS") if cell.repeats else f" | {ours} (does not repeat)"
    return [cell.name, cell.role(), measured, spread, model, error, counts]


HEAD = ["cell", "role", "measured us", "spread %", "model us", "error %",
        "CPU faults, GPU fault groups, bytes to device, to host"]


def statistics(cells):
    errors = [abs(cell.error) for cell in cells]
    return (percentile(errors, 50), percentile(errors, 90)) if errors else (0.0, 0.0)


def chapter_of(name):
    return "call" if is_figure(name) else "/".join(name.split("/")[:2])


def chapters(cells):
    """(chapter, cells, median, 90th percentile) of the set-aside half."""
    for chapter in dict.fromkeys(chapter_of(cell.name) for cell in cells):
        inside = [cell for cell in cells if chapter_of(cell.name) == chapter]
        yield (chapter, len(inside), *statistics(inside))


class Panel:
    """One of the figure's two: the measured time along its foot, something else along its side."""
    LOW, HIGH = -1.0, 6.0  # powers of ten of a microsecond
    LEFT, WIDTH = 70, 580

    def __init__(self, top, height, at_y, marks, title):
        self.top, self.height, self.at_y, self.title = top, height, at_y, title
        self.out = []
        for power in range(int(self.LOW), int(self.HIGH) + 1):
            x = self.x(10.0 ** power)
            self.out.append(f'<path d="M{x:.0f} {top}v{height}" class="grid"/>'
                            f'<text x="{x:.0f}" y="{top + height + 16}" '
                            f'text-anchor="middle">{power_text(power)}</text>')
        for value, text, colour in marks:
            y = self.y(value)
            self.out.append(f'<path d="M{self.LEFT} {y:.1f}h{self.WIDTH}" class="{colour}"/>'
                            f'<text x="{self.LEFT - 6}" y="{y + 4:.0f}" text-anchor="end">{text}</text>')
        self.out.append(f'<rect x="{self.LEFT}" y="{top}" width="{self.WIDTH}" height="{height}" fill="none" '
                        f'class="ink"/><text x="{self.LEFT}" y="{top - 10}" font-weight="bold">{title}</text>')

    def x(self, us):
        return self.LEFT + (math.log10(us) - self.LOW) / (self.HIGH - self.LOW) * self.WIDTH

    def y(self, value):
        return self.top + self.height * (1 - min(max(self.at_y(value), 0), 1))

    def dot(self, cell, value):
        """Full for a steady cell, a ring for one that varies on hardware."""
        colour = "var(--aside)" if is_set_aside(cell.name) else "var(--used)"
        inside = f"fill: {colour}; fill-opacity: 0.7" if cell.spread < STEADY else f"fill: none; stroke: {colour}"
        if cell.several:
            self.out.append(f'<path d="M{self.x(cell.low):.1f} {self.y(value):.1f}H{self.x(cell.high):.1f}" '
                            f'style="stroke: {colour}; stroke-opacity: 0.5"/>')
        self.out.append(f'<circle cx="{self.x(cell.median):.1f}" cy="{self.y(value):.1f}" r="2.5" style="{inside}">'
                        f'<title>{cell.name}: {number(cell.median)} us measured, {number(cell.model_us)} '
                        'modelled</title></circle>')


def power_text(power):
    unit = ("us", "ms", "s")[max(power, 0) // 3]
    return f"{10.0 ** (power - 3 * (max(power, 0) // 3)):g} {unit}"


# Light and dark as the reader prefers: it is a picture of its own, which no page's colours reach.
LOOK = """<style>
svg { --paper: #fffefe; --text: #1b2230; --lines: #dfe2e8; --aside: #b5307f; --used: #1f7f86; }
@media (prefers-color-scheme: dark) {
    svg { --paper: #1a2029; --text: #e4e8ef; --lines: #3a4453; --aside: #ee7fc0; --used: #5cc2c9; }
}
text { fill: var(--text); } .paper { fill: var(--paper); } .grid { stroke: var(--lines); } .ink { stroke: var(--text); }
</style>
"""


def figure(cells, path):
    """Modelled against measured, and the error; the time in logarithms. SVG."""
    shown = [cell for cell in cells if cell.timed and not is_figure(cell.name) and cell.model_us > 0]
    shown.sort(key=lambda cell: is_set_aside(cell.name))
    powers = range(int(Panel.LOW), int(Panel.HIGH) + 1)
    both = Panel(70, 420, lambda us: (math.log10(us) - Panel.LOW) / (Panel.HIGH - Panel.LOW),
                 [(10.0 ** power, power_text(power), "grid") for power in powers], "modelled, by what was measured")
    both.out.append(f'<path d="M{both.LEFT} {both.top + both.height}L{both.LEFT + both.WIDTH} {both.top}" '
                    'class="ink"/>')
    error = Panel(550, 300, lambda percent: (percent + 75) / 150,
                  [(percent, f"{percent:+d}%" if percent else "0", "ink" if percent == 0 else "grid")
                   for percent in (-75, -50, -25, -10, 0, 10, 25, 50, 75)], "error (beyond 75%: at the edge)")
    for cell in shown:
        both.dot(cell, cell.model_us)
        error.dot(cell, cell.error)
    legend = [("var(--aside)", "set aside: used only here"), ("var(--used)", "used for calibrating")]
    key = "".join(f'<circle cx="{80 + 220 * i}" cy="26" r="4" style="fill: {colour}"/>'
                  f'<text x="{90 + 220 * i}" y="30">{text}</text>'
                  for i, (colour, text) in enumerate(legend))
    key += '<circle cx="520" cy="26" r="4" fill="none" class="ink"/><text x="530" y="30">varies on hardware</text>'
    path.write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 680 890" font-family="sans-serif" '
                    'font-size="12">\n'
                    f'{LOOK}<rect width="680" height="890" class="paper"/>\n' + "\n".join([key] + both.out + error.out)
                    + "\n</svg>\n", encoding="utf-8")


def table(head, rows):
    """Markdown's, the first column to the left."""
    lines = ["| " + " | ".join(head) + " |", "|---|" + "--:|" * (len(head) - 1)]
    return lines + ["| " + " | ".join(text.replace("|", "/") for text in line) + " |" for line in rows]


def several_machines(cells):
    """What a reader has to know where ranges are those of machines."""
    count = max((len(cell.of_machines) for cell in cells), default=0)
    return [] if count < 2 else [
        f"Measured on {count} machines: a range is from the least to the most that one of them took (the median of its "
        "samples), and an error is the distance from that range.", ""]


def markdown(cells, aside, runs, profile, closing, path):
    """The page: what it is over all, by chapter, then each cell, a table a chapter."""
    told = dict.fromkeys("{device}, driver {driver}, CUDA {toolkit}, PCIe {pcie}, host {processor}, {date}".format(
        **run["conditions"]) for run in runs)
    lines = ["# Each fidelity cell, modelled and measured {#fidelity_cells}", "",
             f"What `make fidelity` found for the profile `{profile}`: {closing}.", "", "Measured on: " +
             "; ".join(told) + ".", "", "How to read it is told in "
             "[tests/fidelity/README.md](../../tests/fidelity/README.md).",
             "", *several_machines(cells), "![modelled against measured](fidelity.svg)", "",
             "## Set aside, by chapter", ""]
    lines += table(["chapter", "cells", "median error %", "90th percentile %"],
                   [[name, str(count), f"{median:.1f}", f"{p90:.1f}"] for name, count, median, p90 in chapters(aside)])
    for chapter in dict.fromkeys(chapter_of(cell.name) for cell in cells):
        rows = [row(cell) for cell in cells if chapter_of(cell.name) == chapter]
        used = [i for i in range(len(HEAD)) if i < 2 or any(line[i] for line in rows)]
        lines += ["", f"## {chapter}", ""]
        lines += table([HEAD[i] for i in used], [[line[i] for i in used] for line in rows])
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def print_table(rows):
    widths = [max(len(line[i]) for line in rows) for i in range(len(HEAD))]
    for line in rows:
        left = line[0].ljust(widths[0]) + "  " + line[1].ljust(widths[1])
        numbers = "".join("  " + text.rjust(width) for text, width in zip(line[2:6], widths[2:6]))
        print((left + numbers + "  " + line[6]).rstrip())


def beside_machines(modelled, paths):
    """Prints how far the cells of copies and of managed memory are outside of the range of the machines of `paths`,
    unsteady cells too, and each that is farther than the limit. Whether they are within the limits."""
    runs = runs_of(paths)
    cells = [cell for cell in (Cell(name, runs, answer) for name, answer in modelled.items()
                               if name.startswith(EVERY_CELL)) if cell.timed]
    far = sorted((cell for cell in cells if abs(cell.error) > EVERY_P90_LIMIT), key=lambda cell: -abs(cell.error))
    print(f"\nbeside {len(paths)} machines, farther than {EVERY_P90_LIMIT:.0f}% outside of their range:")
    for cell in far:
        print(f"  {cell.name:56} {number(cell.low)} to {number(cell.high)} us, modelled {number(cell.model_us)}: "
              f"{cell.error:+.0f}%")
    good = True
    for which, inside in (("copies and managed memory", cells),
                          ("of them, set aside", [cell for cell in cells if is_set_aside(cell.name)])):
        median, p90 = statistics(inside)
        good &= median <= EVERY_MEDIAN_LIMIT and p90 <= EVERY_P90_LIMIT
        print(f"{which}, unsteady cells too: {len(inside)} cells, median error {median:.1f}%, 90th percentile "
              f"{p90:.1f}%")
    return good


def compare(program, out, measured_paths, brief):
    what, modelled = samples(program)
    runs = runs_of(measured_paths)
    names = [name for name in modelled if any(name in run["cells"] for run in runs)]
    cells = [Cell(name, runs, modelled[name]) for name in names]
    unmeasured = [name for name in modelled if name not in names]
    aside = [cell for cell in cells if cell.in_statistics() and is_set_aside(cell.name)]
    rest = [cell for cell in cells if cell.in_statistics() and not is_set_aside(cell.name)]
    counted = [cell for cell in cells if cell.counted]
    equal = [cell for cell in counted if cell.equal]
    grouped = [cell for cell in cells if cell.model_counts and cell.groups()]

    if not brief:
        print_table([HEAD] + [row(cell) for cell in cells])
        print()
    for line in several_machines(cells)[:1]:
        print(line)
    print(f"profile {what['profile']}; set aside, by chapter:")
    for chapter, count, median, p90 in chapters(aside):
        print(f"  {chapter:34} {count:4} cells, median error {median:5.1f}%, 90th percentile {p90:5.1f}%")
    if grouped:
        errors = [100 * abs(cell.model_counts[1] - cell.groups()) / cell.groups() for cell in grouped]
        print(f"GPU fault groups: median error {percentile(errors, 50):.0f}% in {len(grouped)} cells (timing decides "
              "them on hardware, by 10 to 20%)")
    print("%d cells too unsteady on hardware (their range stands above), %d counts that do not repeat there"
          % (sum(cell.timed and not is_figure(cell.name) and cell.spread >= STEADY for cell in cells),
             sum(bool(cell.counts) and not cell.repeats for cell in cells)))
    for name in unmeasured:
        print(f"not measured on hardware: {name}")
    missing = [name for run in runs if "devices" in run["conditions"] for name in run["cells"] if name not in modelled]
    if missing:
        print(f"measured on two devices, and not done here: {len(dict.fromkeys(missing))} cells, such as {missing[0]}")
    print("used for calibrating: %d cells, median error %.1f%%, 90th percentile %.1f%%" % (len(rest),
                                                                                           *statistics(rest)))
    managed = [cell for cell in aside if cell.name.startswith("managed/")]
    print("managed memory alone, set aside: %d cells, median error %.1f%%, 90th percentile %.1f%%"
          % (len(managed), *statistics(managed)))
    median, p90 = statistics(aside)
    closing = (f"{len(aside)} cells, median error {median:.1f}%, 90th percentile {p90:.1f}%, counts equal in "
               f"{len(equal)} of {len(counted)}")
    if out:
        out.mkdir(parents=True, exist_ok=True)
        figure(cells, out / "fidelity.svg")
        markdown(cells, aside, runs, what["profile"], closing, out / "fidelity.md")
    beside = measured_paths != [MEASURED] or beside_machines(modelled, MACHINES)
    print(closing)
    good = beside and median <= MEDIAN_LIMIT and p90 <= P90_LIMIT
    return 0 if good and aside and len(equal) == len(counted) and not unmeasured else 1


def main():
    parser = argparse.ArgumentParser(description="The model's times and counts beside hardware's.")
    parser.add_argument("--backend", required=True, choices=["sim", "cuda"])
    parser.add_argument("--record", type=Path, help="measure this GPU, and add the run to FILE", metavar="FILE")
    parser.add_argument("--measured", type=Path, action="append", metavar="FILE",
                        help="hardware's answers (default: the H200's); of several files each is another machine's")
    parser.add_argument("--peers", action="store_true", help="PROGRAM is that of two devices")
    parser.add_argument("--machine", type=int, help="with --record: the machine's number, where FILE has several")
    parser.add_argument("--out", type=Path, help="folder for the table and the figure")
    parser.add_argument("--brief", action="store_true", help="without the table")
    parser.add_argument("program", type=Path)
    args = parser.parse_args()
    if args.backend == "cuda":
        if not args.record:
            print("fidelity: on a GPU it measures: RECORD=FILE says where to", file=sys.stderr)
            return 2
        record(args.program, args.record, machine=args.machine)
        return 0
    if args.record:
        parser.error("only hardware is recorded: BACKEND=cuda")
    usual = OF_TWO_DEVICES if args.peers else [MEASURED]
    return compare(args.program, args.out, args.measured or usual, args.brief)


if __name__ == "__main__":
    sys.exit(main())
