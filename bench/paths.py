#!/usr/bin/env python3
"""`make bench BACKEND=cuda`: every path of the labs, measured by bench/gpu, beside peers' figures and the targets.

    bench/paths.py [--out build/bench] [--peers DIR] [--quick] [--strict] build/cuda/bench/gpu [its options]
    bench/paths.py [--out ...] [--peers DIR] --read build/bench/paths.jsonl      the tables once more, without measuring

Prints two tables: each comparison of targets.py (work, ours, peer, ratio, target, ok), and each path by size (median,
quartiles). What the program prints goes to OUT/paths.jsonl while it runs; OUT/paths.json has it all, with the
conditions. Peers: DIR's files by peer_files.py; what is missing there is SKIP, or stands in from gpu/peers-*.json,
figures kept from another card of the kind, and the table says so. Exit 1: data was wrong, a path failed, or, with
--strict, a target was missed or could not be judged.
"""
import argparse
import datetime
import json
import signal
import statistics
import subprocess
import sys
from pathlib import Path

import peer_files
import run as bench_run
from targets import AT_EVERY_SIZE, BESIDE, COMPARISONS

HERE = Path(__file__).resolve().parent
METHOD = {
    "spin": "queued behind a kernel that holds the stream, between two events",
    "events": "queued, between two events",
    "host": "host's monotonic clock, from the call to the end of the wait",
}
COUNTED = ("10^9 bytes a second; bytes counted once, but for device copy, mul, add, triad and dot, where each array "
           "read or written counts")


# Cells ----------------------------------------------------------------------------------------------------------------

def size_text(size):
    for unit, one in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if size >= one:
            return f"{size / one:g} {unit}"
    return f"{size} B"


def complete(cell):
    """Adds median and quartiles, of time and of bandwidth, to what the program printed. A time of 0 (the simulator's
    clock does not see everything) has no bandwidth."""
    samples = cell["us"]
    middle = statistics.median(samples)
    low, _, high = statistics.quantiles(samples, n=4, method="inclusive") if len(samples) > 1 else (middle,) * 3
    moved = cell["bytes"] * cell["arrays"]
    cell.update(median_us=middle, q1_us=low, q3_us=high, samples=len(samples))
    for name, us in (("gbs", middle), ("gbs_q1", high), ("gbs_q3", low)):
        cell[name] = moved / us / 1e3 if us > 0 else None
    return cell


def verdict(cell):
    if not cell["verified"]:
        return "NO"
    return "not all moved" if cell.get("incomplete") else "yes"


class Results:
    """What a run printed: conditions, cells that were measured, and those that were not."""

    def __init__(self, lines):
        self.conditions, self.cells, self.absent = {}, [], []
        for line in lines:
            try:
                entry = json.loads(line)
            except ValueError:
                continue  # the last line of a run that was cut off
            if "conditions" in entry:
                self.conditions = entry["conditions"]
            elif "us" in entry:
                self.cells.append(complete(entry))
            else:
                self.absent.append(entry)

    def at(self, path, size):
        """The cell of `path` at `size`, or at the largest size below; None. What was wrong or did not all move has no
        bandwidth."""
        found = [cell for cell in self.cells
                 if cell["path"] == path and cell["bytes"] <= size and cell["gbs"] and verdict(cell) == "yes"]
        return max(found, key=lambda cell: cell["bytes"]) if found else None

    def exactly(self, path, size):
        cell = self.at(path, size)
        return cell if cell and cell["bytes"] == size else None

    def why_not(self, path):
        """Why `path` was not measured, in the program's words."""
        for entry in self.absent + self.cells:
            if entry["path"] == path and "us" not in entry:
                return entry.get("skipped") or entry.get("error", "")
            if entry["path"] == path and verdict(entry) != "yes":
                return "the data was wrong" if not entry["verified"] else "not all of it moved"
        return "not measured"


# Peers ----------------------------------------------------------------------------------------------------------------

def kept_rows(device):
    """Peers' figures in the project, for cards of this kind."""
    rows = []
    for path in sorted(HERE.glob("gpu/peers-*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        if document["device"] not in device:
            continue
        for row in document["rows"]:
            gbs = row["gbs"] if "gbs" in row else row["bytes"] / row["us"] / 1e3
            rows.append({"peer": row["peer"], "test": row["test"], "bytes": row["bytes"], "gbs": gbs,
                         "kept": path.name})
    return rows


def find_peer(rows, peer, tests, size):
    """The peer's best figure of its first test that is there: at our size, else at none, else at the nearest. None."""
    for test in tests:
        named = [row for row in rows if row["peer"] == peer and row["test"] == test and row["gbs"]]
        for chosen in ([row for row in named if row["bytes"] == size], [row for row in named if row["bytes"] is None]):
            if chosen:
                return max(chosen, key=lambda row: row["gbs"])
        if named:
            return min(named, key=lambda row: (max(row["bytes"], size) / min(row["bytes"], size), -row["gbs"]))
    return None


def peer_text(row, size):
    text = f"{row['peer']} {row['test']}"
    if row["bytes"] not in (None, size):
        text += f", {size_text(row['bytes'])}"
    return text + (", kept from another card" if "kept" in row else "")


# Comparisons ----------------------------------------------------------------------------------------------------------

def row_of(work, ours, peer=None, peer_name="", skipped="", target=None):
    row = {"work": work, "unit": "GB/s", "better": "higher", "ours": ours, "peer": peer, "target": target,
           "target_is": "ratio"}
    row["peer_name" if peer else "skipped"] = peer_name if peer else skipped
    bench_run.judge(row)
    return row


def ours_of(results, comparison):
    """The fastest cell of the comparison's paths, at the largest size that is measured; None."""
    found = [cell for cell in (results.at(path, comparison["bytes"]) for path in comparison["paths"]) if cell]
    return max(found, key=lambda cell: (cell["bytes"], cell["gbs"])) if found else None


def work_of(comparison, ours):
    details = [] if len(comparison["paths"]) == 1 else [ours["path"]]
    details += [ours["shape"]] if ours.get("shape") else []
    return f"{comparison['work']}, {size_text(ours['bytes'])}" + (f" ({': '.join(details)})" if details else "")


def compare(results, comparison, peer_rows):
    """One row of the table, or None where ours was not measured."""
    ours = ours_of(results, comparison)
    if not ours:
        return None
    size, work = ours["bytes"], work_of(comparison, ours)
    target = comparison["target"] if size == comparison["bytes"] else None
    if "against" in comparison:
        other = results.exactly(comparison["against"], size)
        name = f"{comparison['against']}, same run"
        why = f"{name}: {results.why_not(comparison['against'])}"
        return row_of(work, ours["gbs"], other and other["gbs"], name, why, target)
    peer, tests = comparison["peer"]
    found = find_peer(peer_rows, peer, tests, size)
    if found:
        return row_of(work, ours["gbs"], found["gbs"], peer_text(found, size), target=target)
    return row_of(work, ours["gbs"], skipped=f"{peer} {tests[0]}: no figure", target=target)


def at_every_size(results, path, other, target):
    """The size at which `path` is slowest beside `other`."""
    pairs = []
    for cell in results.cells:
        ours = results.exactly(path, cell["bytes"]) if cell["path"] == path else None
        beside = results.exactly(other, cell["bytes"])
        if ours and beside:
            pairs.append((cell["gbs"] / beside["gbs"], cell, beside))
    if not pairs:
        return None
    _, cell, beside = min(pairs, key=lambda pair: pair[0])
    sizes = [pair[1]["bytes"] for pair in pairs]
    work = (f"{path}, worst of {len(pairs)} sizes from {size_text(min(sizes))} to {size_text(max(sizes))}: "
            f"{size_text(cell['bytes'])}")
    return row_of(work, cell["gbs"], beside["gbs"], f"{other}, in turns", target=target)


def compare_all(results, peer_rows):
    rows = [compare(results, comparison, peer_rows) for comparison in COMPARISONS]
    rows += [at_every_size(results, *one) for one in AT_EVERY_SIZE]
    return [row for row in rows if row]


def unjudged(results, rows):
    """A line for each target that no row answers: ours was not measured, or not at its size, or the peer is missing."""
    lines = []
    for comparison in COMPARISONS:
        ours, path = ours_of(results, comparison), " or ".join(comparison["paths"])
        if not ours:
            lines.append(f"SKIP  {path}: {results.why_not(comparison['paths'][0])}")
        elif ours["bytes"] != comparison["bytes"] and comparison["target"]:
            lines.append(f"SKIP  {path}: its target is for {size_text(comparison['bytes'])}, which was not measured")
    lines += [f"SKIP  {row['work']}: {row['skipped']}" for row in rows if row["target"] and row["ok"] is None]
    return list(dict.fromkeys(lines))


# Tables ---------------------------------------------------------------------------------------------------------------

def aligned(lines, right):
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    return ["  ".join(f"{cell:{'>' if i in right else ''}{width}}"
                      for i, (cell, width) in enumerate(zip(line, widths))).rstrip()
            for line in lines]


def figure(value):
    return "n/a" if value is None else f"{value:.4g}"


def beside(cell, peer_rows):
    """The peer's figure at the same size, for the full table."""
    peer, tests = BESIDE.get(cell["path"], (None, []))
    found = find_peer([row for row in peer_rows if row["bytes"] == cell["bytes"]], peer, tests, cell["bytes"])
    return f"{figure(found['gbs'])} {peer}{' (kept)' if 'kept' in found else ''}" if found else ""


def cell_lines(results, peer_rows):
    """The full table: paths in the order in which they were first measured, sizes upwards."""
    order = list(dict.fromkeys(cell["path"] for cell in results.cells))
    lines = [("path", "size", "GB/s", "quartiles", "us", "samples", "clock", "verified", "peer", "shape")]
    for cell in sorted(results.cells, key=lambda cell: (order.index(cell["path"]), cell["bytes"])):
        lines.append((cell["path"], size_text(cell["bytes"]), figure(cell["gbs"]),
                      f"{figure(cell['gbs_q1'])} - {figure(cell['gbs_q3'])}", figure(cell["median_us"]),
                      str(cell["samples"]),
                      cell["clock"], verdict(cell), beside(cell, peer_rows), cell.get("shape", "")))
    return aligned(lines, right=(1, 2, 3, 4, 5))


def other_lines(peer_rows):
    """What the peers measured that nothing here is compared with: each test at its largest size."""
    compared = {(peer, test) for peer, tests in list(BESIDE.values()) + [one["peer"] for one in COMPARISONS
                                                                         if "peer" in one]
                for test in tests}
    largest = {}
    for row in peer_rows:
        key = (row["peer"], row["test"])
        if key not in compared and "kept" not in row and (row["bytes"] or 0) >= (largest.get(key, row)["bytes"] or 0):
            largest[key] = row
    lines = [("also measured by peers", "test", "size", "GB/s", "ms")]
    lines += [(row["peer"], row["test"], size_text(row["bytes"]) if row["bytes"] else "n/a", figure(row["gbs"]),
               figure(row.get("ms"))) for row in largest.values()]
    return aligned(lines, right=(2, 3, 4)) if largest else []


def show(results, rows, peer_rows):
    conditions = results.conditions
    print(f"{conditions.get('device', '?')}, driver {conditions.get('driver') or 'n/a'}, CUDA "
          f"{conditions.get('cuda', '?')}, {conditions.get('backend', '?')}: {conditions.get('times', '?')} times. "
          f"{COUNTED}.\n")
    print("\n".join(cell_lines(results, peer_rows)) + "\n")
    bench_run.show(rows)
    for line in unjudged(results, rows) + other_lines(peer_rows):
        print(line)
    for entry in results.absent:
        if "error" in entry:
            print(f"FAILED  {entry['path']}, {size_text(entry.get('bytes', 0))}: {entry['error']}")
    missing = {entry.get("skipped") for entry in results.absent if entry.get("skipped")}
    for why in sorted(missing):
        count = sum(1 for entry in results.absent if entry.get("skipped") == why)
        print(f"left out: {count} of path and size: {why}")


# Running --------------------------------------------------------------------------------------------------------------

def measure(command, keep):
    """Runs the program; each line is kept as it comes. Returns (lines, exit code). Ended from outside, it gives what
    there is."""
    lines = []
    with open(keep, "w", encoding="utf-8") as file, subprocess.Popen(command, stdout=subprocess.PIPE,
                                                                     text=True) as program:
        try:
            for line in program.stdout:
                lines.append(line)
                file.write(line)
                file.flush()
        except KeyboardInterrupt:
            program.terminate()
        return lines, program.wait()


def interrupted(_number, _frame):
    raise KeyboardInterrupt


def document_of(results, rows, peer_rows):
    conditions = dict(results.conditions, counted=COUNTED, clocks=METHOD)
    return {"schema": "umlab-bench/1", "bench": "paths", "backend": conditions.get("backend"), "conditions": conditions,
            "rows": rows, "cells": results.cells, "not_measured": results.absent, "peers": peer_rows}


def arguments():
    parser = argparse.ArgumentParser(description="Every path to and from a GPU's memory, beside peers and targets.")
    parser.add_argument("--out", type=Path, default=Path("build/bench"))
    parser.add_argument("--peers", help="folder of files that the peers printed")
    parser.add_argument("--quick", action="store_true", help="20 s instead of 100")
    parser.add_argument("--strict", action="store_true", help="a target that is missed or cannot be judged is an error")
    parser.add_argument("--read", type=Path, help="a paths.jsonl of before, instead of a program")
    parser.add_argument("program", nargs="?")
    args, more = parser.parse_known_args()
    if bool(args.program) == bool(args.read):
        parser.error("a program or --read FILE, one of the two")
    return args, more


def stamp(lines):
    """The first line with what the program does not know: the date."""
    for index, line in enumerate(lines):
        if line.startswith('{"conditions"'):
            entry = json.loads(line)
            entry["conditions"].update(date=datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"))
            lines[index] = json.dumps(entry) + "\n"
    return lines


def main():
    args, more = arguments()
    signal.signal(signal.SIGTERM, interrupted)
    status = 0
    try:
        peer_rows = peer_files.read(args.peers) if args.peers else []
        if args.read:
            lines = args.read.read_text(encoding="utf-8").splitlines()
        else:
            args.out.mkdir(parents=True, exist_ok=True)
            keep = args.out / "paths.jsonl"
            lines, status = measure([args.program] + more + (["--quick"] if args.quick else []), keep)
            if status == 2:
                print("bench: SKIP: " + ("a wrong option, or " if more else "") + "no GPU that this can run on (above)",
                      file=sys.stderr)
                return 2 if more else 0
            lines = stamp(lines)
            keep.write_text("".join(lines), encoding="utf-8")
    except OSError as why:
        print(f"bench: {why.filename}: {why.strerror}", file=sys.stderr)
        return 2
    except peer_files.Unreadable as why:
        print(f"bench: {why}", file=sys.stderr)
        return 2
    results = Results(lines)
    if results.conditions.get("backend") == "cuda":
        peer_rows = peer_rows + [row for row in kept_rows(results.conditions["device"])
                                 if not any(row["peer"] == one["peer"] and row["test"] == one["test"]
                                            for one in peer_rows)]
    rows = compare_all(results, peer_rows)
    show(results, rows, peer_rows)
    args.out.mkdir(parents=True, exist_ok=True)
    (args.out / "paths.json").write_text(json.dumps(document_of(results, rows, peer_rows), indent=1) + "\n",
                                         encoding="utf-8")
    if status:
        print(f"bench: the program ended with {status}: what it measured until then is above", file=sys.stderr)
        return 1
    missed = any(row["ok"] is False for row in rows) or unjudged(results, rows)
    return 1 if args.strict and missed else 0


if __name__ == "__main__":
    sys.exit(main())
