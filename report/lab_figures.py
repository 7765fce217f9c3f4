#!/usr/bin/env python3
"""Figures of each lab for the documents, on no background, in the page's own text colour: DIR/labN.svg is the one that
says most about the lab, DIR/labN-KIND.svg are more (timeline, bandwidth, phases, ...).

    report/lab_figures.py --out DIR [FILE.json|FOLDER ...]

Without files it takes build/report/data, where `make report` puts the labs' results. Timelines and pages over time need
the simulator's trace: FILE.jsonl beside FILE.json (UMSIM_TRACE). As a picture (<img>) the figure's
text follows the reader's light or dark preference; put into a page as it is (inline), it takes the page's `color`.

The last line is the folder. Exit 0: written; 2: bad or missing input, said in one line, nothing written.
"""
import sys
from pathlib import Path

import bandwidth
import directions
import engines
import faults
import figure
import patterns
import phases
import reach
import residency
import results
import style
import timeline
import winners
import write
from bad_input import BadInput, Options

# The kinds of figures that say most about a lab, the best first.
CHOICE = {"lab0": [bandwidth], "lab1": [phases, bandwidth], "lab2": [reach], "lab3": [timeline, bandwidth, phases],
          "lab4": [patterns, bandwidth, phases], "lab5": [residency, faults, phases],
          "lab6": [residency, faults, phases], "lab9": [winners, patterns],
          "lab10": [engines, directions, residency]}
ELSE = [phases, faults, bandwidth]


def lab_specs(groups):
    """[(file name, kind, figure data)] of each lab's first machine: what its results are enough for."""
    made, seen = [], set()
    for group in groups:
        lab = group.source.lab
        if lab in seen:
            continue
        for kind in CHOICE.get(lab, ELSE):
            panels = kind.panels(group)
            if panels:
                specs = figure.make(kind, lab, [(results.label(group.source), panels)])
                spec = max(specs, key=lambda one: len(one["columns"][0]["panels"]))  # of several that with the most
                # The others are in the report only.
                spec = {**spec, "id": specs[0]["id"], "title": specs[0]["title"].partition(" (1 of ")[0]}
                made.append((f"{lab}-{kind.KIND}.svg" if lab in seen else f"{lab}.svg", kind, spec))
                seen.add(lab)
    return made


def main():
    parser = Options(prog="lab_figures", description="A figure of each lab for the documents: DIR/labN.svg.")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for the figures")
    parser.add_argument("inputs", nargs="*", default=["build/report/data"], metavar="JSON",
                        help="files that labs wrote, or folders of them (default: build/report/data)")
    args = parser.parse_args()
    try:
        labs, _ = results.separate(results.find_files(args.inputs))
        files = {name: style.svg(figure.draw(kind, spec), spec, page_colours=True).encode()
                 for name, kind, spec in lab_specs(results.collect(labs))}
        write.files(args.out, files)
    except (BadInput, OSError, ImportError) as error:
        print(f"lab_figures: {write.one_line(error)}", file=sys.stderr)
        return 2
    print(args.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
