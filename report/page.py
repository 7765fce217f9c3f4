"""The report's page and its PDF: every figure, how to read it, and the numbers behind it; self-contained."""
import io
from pathlib import Path

import results
import style

TEMPLATE = Path(__file__).resolve().parent / "page.html"
LABS = {"lab0": "What can this machine's memory system do?",
        "lab1": "What does it cost to send data to the GPU and back?",
        "lab2": "Whose address is it, and why does the host fault on it?",
        "lab3": "When is pinned memory faster, and what may overlap?",
        "lab4": "When should the GPU read the host's memory in place?",
        "lab5": "Who moves the pages, and when?", "lab6": "Can I tell the driver what I know?",
        "lab7": "How do records and linked structures cross over?",
        "lab8": "How do C and Python share one pointer without a copy?",
        "lab9": "Which memory for which access pattern?", "fidelity": "How far is the model to be trusted?"}
COLUMNS = [("size", None), ("alloc, \N{MICRO SIGN}s", "alloc_us"), ("H2D, \N{MICRO SIGN}s", "h2d_us"),
           ("kernel, \N{MICRO SIGN}s", "kernel_us"), ("D2H, \N{MICRO SIGN}s", "d2h_us"),
           ("host, \N{MICRO SIGN}s", "host_us"), ("advice, \N{MICRO SIGN}s", "advice_us"),
           ("total, \N{MICRO SIGN}s", "total_us"),
           ("GB/s", "bandwidth_gbs"), ("CPU faults", "cpu_faults"), ("GPU fault groups", "gpu_fault_groups")]


def number_text(key, value):
    if value is None:
        return "n/a"
    if key in ("cpu_faults", "gpu_fault_groups"):
        return f"{value:,.0f}"
    return f"{value:,.3g}" if key == "bandwidth_gbs" else f"{value:,.1f}"


def verified_text(row):
    if row.get("verified") is None:
        return "skipped: " + str(row.get("skipped") or "no reason given")
    return "yes" if row["verified"] else "NO"


def table(title, group):
    """A lab's rows on one machine as texts."""
    lines = []
    for row in group.rows:
        cells = [results.size_text(row["size_bytes"])] + [number_text(key, row.get(key)) for _, key in COLUMNS[1:]]
        lines.append({"name": row["strategy"], "cells": cells, "verified": verified_text(row),
                      "wrong": row.get("verified") is False})
    return {"title": title, "head": [name for name, _ in COLUMNS], "lines": lines}


def sections(figures, tables):
    """[{lab, question, figures, tables}], in the labs' order, what is of no lab last."""
    labs = dict.fromkeys([spec["lab"] for spec, _ in figures] + list(tables))
    ordered = sorted(labs, key=lambda lab: (lab not in LABS or lab == "fidelity", lab))
    return [{"lab": lab, "question": LABS.get(lab, ""),
             "figures": [figure for figure in figures if figure[0]["lab"] == lab],
             "tables": tables.get(lab, [])} for lab in ordered]


def html(title, figures, tables, notes):
    """The page. figures: [(data, SVG text)]; tables: {lab: [table, ...]}; notes: lines about what is missing, and
    why."""
    import jinja2

    environment = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True,
                                     undefined=jinja2.StrictUndefined)
    template = environment.from_string(TEMPLATE.read_text(encoding="utf-8"))
    rows = [line for of_lab in tables.values() for one in of_lab for line in one["lines"]]
    return template.render(title=title, sections=sections(figures, tables), notes=notes, rows=len(rows),
                           wrong=[line["name"] for line in rows if line["wrong"]],
                           skipped=sum(line["verified"].startswith("skipped") for line in rows),
                           verified=sum(line["verified"] == "yes" for line in rows),
                           sources=list(dict.fromkeys(column["source"] for spec, _ in figures
                                                      for column in spec["columns"]))) + "\n"


def pdf(title, drawn, notes):
    """A page for each figure, the same bytes each time. drawn: [(data, matplotlib figure)]."""
    pyplot = style.matplotlib_ready()
    from matplotlib.backends.backend_pdf import PdfPages

    out = io.BytesIO()
    with PdfPages(out, metadata={"Title": title, "Creator": "umlab", "Producer": None, "CreationDate": None}) as pages:
        front = pyplot.figure(figsize=(8.3, 11.7))
        front.text(0.1, 0.92, title, fontsize=20, va="top")
        sources = dict.fromkeys(column["source"] for spec, _ in drawn for column in spec["columns"])
        lines = ["Times and counts are", *[f"  - {source}" for source in sources], "",
                 "Modelled times come from the simulator's clock, measured ones from a GPU.", "", "Figures:",
                 *[f"  {number}  {spec['title']}" for number, (spec, _) in enumerate(drawn, 1)], "", *notes]
        text = "\n".join(wrapped for line in lines for wrapped in wrap(line, 88))
        front.text(0.1, 0.86, text, fontsize=9.5, va="top", linespacing=1.5)
        pages.savefig(front)
        pyplot.close(front)
        for spec, figure in drawn:
            width, height = figure.get_size_inches()
            text = "\n".join(wrap(spec["caption"], int(width * 14)))
            extra = 0.35 + 0.19 * (text.count("\n") + 1)
            with_caption(pages, figure, text, width, height, extra)
    return out.getvalue()


def with_caption(pages, figure, text, width, height, extra):
    """The figure on a page that is higher by what its caption needs: below the figure's own foot."""
    from matplotlib import transforms

    caption = figure.text(0.012, -0.05 / height, text, fontsize=9, va="top", linespacing=1.35)
    pages.savefig(figure, bbox_inches=transforms.Bbox.from_extents(0, -extra, width, height))
    caption.remove()


def wrap(line, width):
    import textwrap

    indent = len(line) - len(line.lstrip()) + 2 if line[:1] == " " else 0
    return textwrap.wrap(line, width, subsequent_indent=" " * indent) or [""]
