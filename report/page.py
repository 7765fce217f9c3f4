"""The report's pages, an index and one a lab, and its PDF: every figure, how to read it, and the numbers behind it."""
import io
from pathlib import Path

import palette
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
        "lab9": "Which memory for which access pattern?", "lab10": "Whose memory, when there are two?",
        "fidelity": "How far is the model to be trusted?"}
COLUMNS = [("size", "size_bytes"), *((f"{name}, \N{MICRO SIGN}s", f"{key}_us") for name, key in (
               ("alloc", "alloc"), ("advice", "advice"), ("host", "host"), ("H2D", "h2d"), ("kernel", "kernel"),
               ("D2H", "d2h"), ("total", "total"))),
           ("GB/s", "bandwidth_gbs"), ("CPU faults", "cpu_faults"), ("GPU fault groups", "gpu_fault_groups")]
MOST_BYTES = 400_000  # of a page's figures
# what a lab that times nothing shows in their place: its own columns
UNTOLD = {"strategy", "repeat", "verified", "skipped", "size_bytes", "contended", "thrashing", "throttles",
          "remote_maps"}


def number_text(key, value):
    if value is None:
        return "n/a"
    if key == "size_bytes":
        return results.size_text(value)
    if isinstance(value, str):
        return value
    if key in ("cpu_faults", "gpu_fault_groups"):
        return f"{value:,.0f}"
    if not key.endswith("_us") and value == int(value):
        return f"{value:,.0f}"
    return f"{value:,.3g}" if key == "bandwidth_gbs" else f"{value:,.1f}"


def verified_text(row):
    if row.get("verified") is None:
        return "skipped: " + str(row.get("skipped") or "no reason given")
    return "yes" if row["verified"] else "NO"


def columns_of(rows):
    """[(head, key)] with something in them: times and faults, or, of a lab that times few rows, what it has itself."""
    timed = 2 * sum(bool(row.get("total_us")) for row in rows) > len(rows)
    keys = dict.fromkeys(key for row in rows for key in row)
    own = [(key.replace("_", " "), key) for key in keys if key not in UNTOLD and not key.endswith("_us")
           and key not in dict(COLUMNS).values() and not key.startswith(("bytes_h2d", "bytes_d2h", "bytes_migrated"))]
    return [(head, key) for head, key in (COLUMNS if timed else own) if any(row.get(key) for row in rows)]


def table(title, group):
    """A lab's rows on one machine as texts."""
    columns = columns_of(group.rows)
    lines = []
    for row in group.rows:
        cells = [number_text(key, row.get(key)) for _, key in columns]
        lines.append({"name": row["strategy"], "cells": cells, "verified": verified_text(row),
                      "wrong": row.get("verified") is False, "skipped": row.get("verified") is None})
    return {"title": title, "head": [name for name, _ in columns], "lines": lines, "seen": group.closing}


def parts_of(figures):
    """A lab's figures, page by page: none is larger than MOST_BYTES, but for a figure that is."""
    parts, size = [[]], 0
    for figure in figures:
        if parts[-1] and size + len(figure[1]) > MOST_BYTES:
            parts.append([])
            size = 0
        parts[-1].append(figure)
        size += len(figure[1])
    return parts


def sections(figures, tables):
    """[{lab, name, question, file, seen, card, figures, tables}], in the labs' order, what is of no lab last. A lab
    with many figures has further pages, whose cards say what is drawn there."""
    labs = dict.fromkeys([spec["lab"] for spec, _ in figures] + list(tables))
    made = []
    for lab in sorted(labs, key=lambda lab: (lab not in LABS or lab == "fidelity", lab)):
        of_lab = tables.get(lab, [])
        parts = parts_of([figure for figure in figures if figure[0]["lab"] == lab])
        seen = next((one["seen"] for one in of_lab if one["seen"]), None)
        for number, part in enumerate(parts, 1):
            drawn = "; ".join(spec["title"].removeprefix(f"{lab}: ") for spec, _ in part) or "the table"
            made.append({"lab": lab, "name": lab + (f" ({number} of {len(parts)})" if len(parts) > 1 else ""),
                         "question": LABS.get(lab, ""), "file": f"{lab}{f'-{number}' if number > 1 else ''}.html",
                         "seen": seen, "card": seen if seen and number == 1 else drawn, "figures": part,
                         "tables": of_lab if number == len(parts) else []})
    return made


def pages(title, figures, tables, notes):
    """{file: page}: report.html and a page for each lab. figures: [(data, SVG text)]; tables: {lab: [table, ...]};
    notes: lines about what is missing, and why."""
    import jinja2

    environment = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True,
                                     undefined=jinja2.StrictUndefined)
    template = environment.from_string(TEMPLATE.read_text(encoding="utf-8"))
    rows = [line for of_lab in tables.values() for one in of_lab for line in one["lines"]]
    made = sections(figures, tables)
    known = {"title": title, "sections": made, "notes": notes, "rows": len(rows), "colours": palette.CSS,
             "wrong": [line["name"] for line in rows if line["wrong"]],
             "skipped": sum(line["verified"].startswith("skipped") for line in rows),
             "verified": sum(line["verified"] == "yes" for line in rows),
             "sources": list(dict.fromkeys(column["source"] for spec, _ in figures for column in spec["columns"]))}
    return {"report.html": template.render(section=None, **known) + "\n"} | {
        section["file"]: template.render(section=section, **known) + "\n" for section in made}


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
