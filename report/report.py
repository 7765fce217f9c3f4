#!/usr/bin/env python3
"""The labs' results as a report: figures (SVG and PNG), an index and a page a lab, a PDF, and the data behind all
of it.

    report/report.py --out build/report --run build/sim [--profile NAME]     runs the labs first (make report)
    report/report.py --out build/report FILE.json|FOLDER ...                 of results that are there
    report/report.py --out build/report --compare a.json,b.json              two machines or submissions side by side

Writes OUT/report.html, labN.html, report.pdf, data.json, figures/*.svg and *.png; with --run also data/, the labs' own
JSON and traces. Results of different machines, or modelled and measured ones, never share a figure that does not say
which is which.

Exit 0: written, and the page's path is the last line; 1: written, but a result in it is wrong; 2: bad or missing input,
or a place that cannot be written to: one line, and nothing has changed.
"""
import json
import os
import sys
from pathlib import Path

import bandwidth
import comparison
import directions
import engines
import faults
import fidelity_data
import fidelity_figure
import figure
import page
import patterns
import phases
import reach
import residency
import results
import run_labs
import style
import timeline
import winners
import write
from bad_input import BadInput, Options

KINDS = [bandwidth, phases, timeline, engines, directions, residency, faults, patterns]
KINDS_OF = {"lab1": [phases, bandwidth], "lab2": [reach], "lab3": [timeline, bandwidth, phases],
            "lab0": [bandwidth],  # a machine's measures, no strategies to be compared by phase
            "lab9": [winners, patterns]}  # more rows than bars can show
REPLACED = ("figures", "data")  # folders that are the report's alone


def lab_specs(groups):
    """[(kind, figure data)] of results, each machine apart; a lab's second machine has its name in the figure's."""
    made, seen = [], set()
    for group in groups:
        for kind in KINDS_OF.get(group.source.lab, KINDS):
            panels = kind.panels(group)
            for spec in figure.make(kind, group.source.lab, [(results.label(group.source), panels)]) if panels else []:
                if spec["id"] in seen:
                    words = "".join(c if c.isalnum() else "-" for c in group.source.machine.lower())
                    spec["id"] = f"{spec['id']}-{words}"
                seen.add(spec["id"])
                made.append((kind, spec))
    return made


def fidelity_specs(document):
    made = [(fidelity_figure, spec) for spec in
            figure.make(fidelity_figure, "fidelity",
                        [(fidelity_figure.source(document), fidelity_figure.panels(document))])]
    columns = fidelity_figure.pattern_columns(document)
    return made + ([(patterns, spec) for spec in figure.make(patterns, "fidelity", columns)] if columns else [])


def notes_of(groups, fidelity):
    """What is not there, and why."""
    notes = []
    if not any(group.trace for group in groups):
        notes.append("No timelines and no pages over time: they are drawn from the simulator's trace, which a GPU does "
                     "not give.")
    if fidelity is None:
        notes.append("Modelled against measured is not shown: its cells are run by make report on the simulator's own "
                     "profile, where the tests are there.")
    return notes


def gather(args, place):
    """(title, [(kind, data)], tables, notes, groups)"""
    if args.compare:
        specs, sides = comparison.specs(args.compare, KINDS, figure.make)
        tables = {}
        for label, group in sides:
            tables.setdefault(group.source.lab, []).append(page.table(f"{label} ({results.label(group.source)})",
                                                                      group))
        return "umlab: two side by side", specs, tables, [], [group for _, group in sides]
    inputs, notes = args.inputs, []
    if args.run:
        inputs, notes = [place / "data"], run(args, place / "data")
    labs, fidelity = results.separate(results.find_files(inputs))
    if fidelity:
        fidelity_data.check(*fidelity)
        fidelity = fidelity[0]
    groups = results.collect(labs)
    specs = lab_specs(groups) + (fidelity_specs(fidelity) if fidelity else [])
    tables = {}
    for group in groups:
        tables.setdefault(group.source.lab, []).append(page.table(results.label(group.source), group))
    return "umlab: what the labs found", specs, tables, notes + notes_of(groups, fidelity), groups


def run(args, folder):
    """Runs the labs of a build into a folder. Returns what did not run, and why."""
    backend = args.run.resolve().name if args.backend is None else args.backend
    program = args.run / "test" / "fidelity"
    more = []
    if backend == "sim" and not args.profile and fidelity_data.available(program):
        def modelled():
            text = json.dumps(fidelity_data.run(program), indent=1) + "\n"
            write.put(folder, {"fidelity.json": text.encode()})
        more.append(("model against hardware", modelled))
    return run_labs.run_all(args.run, backend, args.profile, folder, more)


def draw_all(title, specs, tables, notes):
    """{name: bytes} of all that the report is."""
    pictures, drawn = [], []
    contents = {}
    for kind, spec in specs:
        drawn_figure = figure.draw(kind, spec)
        contents[f"figures/{spec['id']}.svg"] = style.svg(drawn_figure, spec).encode() + b"\n"
        contents[f"figures/{spec['id']}.png"] = style.png(drawn_figure)
        pictures.append((spec, style.svg(drawn_figure, spec, page_colours=True)))
        drawn.append((spec, drawn_figure))
    data = {"schema": "umlab-report/1", "figures": [spec for _, spec in specs]}
    contents["data.json"] = (json.dumps(data, separators=(",", ":")).replace('{"id":', '\n{"id":') + "\n").encode()
    contents |= {name: text.encode() for name, text in page.pages(title, pictures, tables, notes).items()}
    contents["report.pdf"] = page.pdf(title, drawn, notes)
    return contents


def make(args):
    """Returns how many rows are wrong."""
    with write.aside(args.out) as place:
        title, specs, tables, notes, groups = gather(args, place)
        write.put(place, draw_all(title, specs, tables, notes))
        write.publish(place, args.out, REPLACED)
    return sum(row.get("verified") is False for group in groups for row in group.rows)


def main():
    parser = Options(prog="report", description="The labs' results as a report: page, PDF, figures, and their data.")
    parser.add_argument("--out", type=Path, default=Path("build/report"),
                        help="folder of the report (default: %(default)s)")
    parser.add_argument("--run", type=Path, metavar="DIR", help="run the labs in this folder (build/sim) first")
    parser.add_argument("--backend", choices=["sim", "cuda"], help="of --run (default: the folder's name)")
    parser.add_argument("--profile", help="of --run: the simulator's machine")
    parser.add_argument("--compare", metavar="A,B", help="two files or folders, side by side")
    parser.add_argument("inputs", nargs="*", help="JSON files that labs wrote, or folders of them")
    args = parser.parse_args()
    if sum(map(bool, (args.run, args.compare, args.inputs))) != 1:
        parser.error("one of: --run DIR, --compare A,B, or files")
    os.environ.setdefault("SOURCE_DATE_EPOCH", "946684800")  # a PDF without a date: any that is always the same
    try:
        wrong = make(args)
    except (BadInput, OSError, ImportError) as error:
        print(f"report: {write.one_line(error)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("report: interrupted; nothing was written", file=sys.stderr)
        return 130
    if wrong:
        print(f"report: {wrong} results are wrong (verified: NO)", file=sys.stderr)
    print(args.out / "report.html")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
