#!/usr/bin/env python3
"""The figure of each lab for the documents: DIR/labN.svg, on no background, in the page's own text colour.

    report/lab_figures.py --out DIR [FILE.json|FOLDER ...]

Without files it takes build/report/data, where `make report` puts the labs' results. As a picture (<img>) the figure's
text follows the reader's light or dark preference; put into a page as it is (inline), it takes the page's `color`.

The last line is the folder. Exit 0: written; 2: bad or missing input, said in one line, nothing written.
"""
import argparse
import sys
from pathlib import Path

import bandwidth
import figure
import phases
import results
import style
import write

# The kind of figure that says most about a lab; the first that a lab has data for is drawn.
CHOICE = {"lab1": [bandwidth, phases], "lab3": [bandwidth, phases], "lab4": [bandwidth, phases], "lab0": [bandwidth]}
ELSE = [phases, bandwidth]


def lab_specs(groups):
    """{lab: (kind, figure data)}: of each lab the first machine's."""
    chosen = {}
    for group in groups:
        for kind in CHOICE.get(group.source.lab, ELSE):
            panels = kind.panels(group)
            if panels and group.source.lab not in chosen:
                chosen[group.source.lab] = (kind, figure.make(kind, group.source.lab, [(results.label(group.source), panels)]))
    return chosen


def main():
    parser = argparse.ArgumentParser(description="A figure of each lab for the documents: DIR/labN.svg.")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for the figures")
    parser.add_argument("inputs", nargs="*", default=["build/report/data"], metavar="JSON",
                        help="files that labs wrote, or folders of them (default: build/report/data)")
    args = parser.parse_args()
    try:
        chosen = lab_specs(results.collect(results.find_files(args.inputs)))
        files = {f"{lab}.svg": style.svg(figure.draw(kind, spec), spec, page_colours=True).encode()
                 for lab, (kind, spec) in chosen.items()}
        write.files(args.out, files)
    except (results.BadInput, OSError, ImportError) as error:
        print(f"lab_figures: {write.one_line(error)}", file=sys.stderr)
        return 2
    print(args.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
