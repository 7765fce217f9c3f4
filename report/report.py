#!/usr/bin/env python3
"""Draws the labs' results: one page, self-contained.

    report/report.py --out build/report  FILE.json|FOLDER ...

Reads JSON that labs wrote (`build/sim/lab1 --json FILE`, schema umlab/1), draws bandwidth by strategy and size, one
figure for each lab and machine, and writes OUT/report.html. Results of different machines, or modelled and measured
ones, never share a figure; each figure says where its numbers are from.

Exit 0: written, and its path printed; 1: written, but a row in it is not verified; 2: bad or missing input, said in one
line, nothing written.
"""
import argparse
import html
import io
import json
import os
import sys
import tempfile
from collections import namedtuple
from pathlib import Path

# Which figure a row belongs to.
Source = namedtuple("Source", "lab backend machine times")
NUMBERS = ("size_bytes", "bandwidth_gbs", "total_us")


class BadInput(Exception):
    """What is wrong with the input, in one line."""


def find_files(arguments):
    files = []
    for argument in map(Path, arguments):
        if argument.is_dir():
            found = sorted(argument.glob("*.json"))
            if not found:
                raise BadInput(f"{argument}: no .json file in this folder (make report runs the labs first)")
            files += found
        elif argument.exists():
            files.append(argument)
        else:
            raise BadInput(f"{argument}: no such file")
    return files


def machine_of(document):
    """The profile's name, or the device with its driver and CUDA version."""
    if document["backend"] == "sim":
        return str(document["profile"])
    device = document["device"]
    return f"{device['name']}, driver {device['driver']}, CUDA {device['cuda']}"


def check_row(row, where):
    if not isinstance(row, dict) or not isinstance(row.get("strategy"), str):
        raise BadInput(f"{where}: a row without a strategy")
    for key in NUMBERS:
        value = row.get(key)
        if value is not None and (isinstance(value, bool) or not isinstance(value, (int, float))):
            raise BadInput(f"{where}: {row['strategy']}: {key} is no number")
    if not row.get("size_bytes") or row["size_bytes"] < 0:
        raise BadInput(f"{where}: {row['strategy']}: no size")


def read(path):
    """Returns (Source, rows)."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise BadInput(f"{path}: not readable as JSON: {error}") from error
    if not isinstance(document, dict) or document.get("schema") != "umlab/1":
        raise BadInput(f"{path}: no results of a lab (schema is not umlab/1)")
    try:
        source = Source(document["lab"], document["backend"], machine_of(document), document["times"])
        rows = document["rows"]
    except (KeyError, TypeError) as error:
        raise BadInput(f"{path}: incomplete: {error}") from error
    if source.backend not in ("sim", "cuda") or source.times != {"sim": "modelled", "cuda": "measured"}[source.backend]:
        raise BadInput(f"{path}: backend {source.backend!r} with {source.times!r} times")
    if not isinstance(rows, list):
        raise BadInput(f"{path}: rows is no list")
    for row in rows:
        check_row(row, path)
    return source, rows


def collect(files):
    """Rows by source. What a file says again about the same strategy and size replaces what was said before."""
    by_source = {}
    for path in files:
        source, rows = read(path)
        kept = by_source.setdefault(source, {})
        for row in rows:
            kept[row["strategy"], row["size_bytes"]] = row
    return {source: list(rows.values()) for source, rows in sorted(by_source.items())}


def size_text(size):
    for unit, scale in (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if size >= scale:
            return f"{size / scale:.4g} {unit}"
    return f"{size:.4g} B"


def label(source):
    return f"backend {source.backend}, {source.machine}, {source.times} times"


def figure(source, rows):
    """The figure as SVG text, or None when the lab reports no bandwidth."""
    import matplotlib

    matplotlib.use("svg")
    # The same results give the same bytes.
    matplotlib.rcParams.update({"svg.hashsalt": "umlab", "svg.fonttype": "none", "font.size": 10})
    from matplotlib import pyplot, ticker

    lines = {}
    for row in rows:
        if row.get("bandwidth_gbs") and row.get("verified"):
            lines.setdefault(row["strategy"], []).append((row["size_bytes"], row["bandwidth_gbs"]))
    if not lines:
        return None
    canvas, axes = pyplot.subplots(figsize=(8, 4.5), layout="constrained")
    markers = "osD^vP*Xph<>"
    for number, (strategy, points) in enumerate(lines.items()):
        sizes, bandwidths = zip(*sorted(points))
        axes.plot(sizes, bandwidths, marker=markers[number % len(markers)], markersize=5, linewidth=1.5, label=strategy)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    ticks = sorted({size for points in lines.values() for size, _ in points})
    axes.set_xticks(ticks, [size_text(size) for size in ticks], rotation=45, ha="right")
    axes.minorticks_off()
    low, high = axes.get_ylim()
    narrow = high < 10 * low  # within a decade the 1, 2, 5 of a logarithmic axis are too few
    axes.yaxis.set_major_locator(ticker.LogLocator(subs=range(1, 10) if narrow else (1, 2, 5)))
    axes.yaxis.set_major_formatter("{x:g}")
    axes.set_xlabel("size")
    axes.set_ylabel("bandwidth, GB/s")
    axes.set_title(f"{source.lab}: bandwidth by strategy and size\n{label(source)}", loc="left", fontsize=10)
    axes.grid(color="#dddddd", linewidth=0.6)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    canvas.legend(loc="outside right upper", frameon=False)
    out = io.StringIO()
    canvas.savefig(out, format="svg", metadata={"Date": None})
    pyplot.close(canvas)
    text = out.getvalue()
    return text[text.index("<svg"):]


def number_text(value, decimals):
    return "n/a" if value is None else f"{value:,.{decimals}f}"


def verified_text(row):
    if row.get("verified") is None:
        return "skipped: " + str(row.get("skipped", "no reason given"))
    return "yes" if row["verified"] else "NO"


def table(rows):
    cells = ["<tr><th>strategy</th><th>size</th><th>bandwidth, GB/s</th><th>total, us</th><th>verified</th></tr>"]
    for row in rows:
        values = (row["strategy"], size_text(row["size_bytes"]), number_text(row.get("bandwidth_gbs"), 2),
                  number_text(row.get("total_us"), 1), verified_text(row))
        cells.append("<tr>" + "".join(f"<td>{html.escape(value)}</td>" for value in values) + "</tr>")
    return "<table>\n" + "\n".join(cells) + "\n</table>"


STYLE = """
body { font: 15px/1.5 sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; color: #222; }
table { border-collapse: collapse; margin: 1em 0; }
th, td { border-bottom: 1px solid #ddd; padding: 0.2em 0.8em; text-align: right; }
th:first-child, td:first-child { text-align: left; }
svg { max-width: 100%; height: auto; }
"""


def page(by_source):
    parts = ["<!DOCTYPE html>", '<html lang="en"><head><meta charset="utf-8"><title>umlab: results</title>',
             f"<style>{STYLE}</style></head><body>", "<h1>umlab: results</h1>",
             "<p>Modelled times come from the simulator's clock, measured ones from a GPU; they never share a figure."
             " Rows that are not verified are not drawn.</p>"]
    for source, rows in by_source.items():
        parts.append(f"<h2>{html.escape(source.lab)}</h2>\n<p>{html.escape(label(source))}</p>")
        drawn = figure(source, rows)
        parts.append(drawn if drawn else "<p>No bandwidth to draw in these results.</p>")
        parts.append(f"<details><summary>the numbers</summary>{table(rows)}</details>")
    parts.append("</body></html>\n")
    return "\n".join(parts)


def write_whole(path, text):
    """Writes the file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, delete=False) as file:
        file.write(text)
    os.chmod(file.name, 0o644)
    os.replace(file.name, path)


def main():
    parser = argparse.ArgumentParser(description="Draws the labs' results: OUT/report.html.")
    parser.add_argument("--out", type=Path, default=Path("build/report"), help="folder for report.html")
    parser.add_argument("inputs", nargs="+", help="JSON files that labs wrote, or folders of them")
    args = parser.parse_args()
    try:
        by_source = collect(find_files(args.inputs))
        text = page(by_source)
        write_whole(args.out / "report.html", text)
    except (BadInput, OSError, ImportError) as error:
        hint = " (./setup.sh puts it into .venv)" if isinstance(error, ImportError) else ""
        print(f"report: {error}{hint}", file=sys.stderr)
        return 2
    print(args.out / "report.html")
    wrong = sum(1 for rows in by_source.values() for row in rows if row.get("verified") is False)
    if wrong:
        print(f"report: {wrong} rows are not verified", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
