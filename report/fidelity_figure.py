"""Figures of the model beside hardware: each cell's time, and the error by chapter; and access patterns of both."""
import fidelity_data
import patterns
import style

KIND = "fidelity"
TITLE = "modelled against measured"
CAPTION = ("A point is one thing done at one size (tests/fidelity): its time on hardware, and in the model. On the "
           "line both are equal; the band is 25% to either side. Rings vary by 10% or more on hardware itself and are "
           "in no statistic. The error on the right is of cells that were set aside when the model was fitted: the box "
           "holds the middle half, the whiskers 10% to 90%.")
ACROSS = True
LOOKS = {"alloc": (style.LINES[1][0], "s"), "copy": (style.LINES[0][0], "o"), "set": (style.LINES[4][0], "P"),
         "kernel": (style.LINES[2][0], "^"), "managed": (style.LINES[3][0], "D")}
NAMES = {"alloc": "allocations", "copy": "copies", "set": "memset", "kernel": "kernels", "managed": "managed memory"}


def source(document):
    return f"modelled, profile {document['profile']}, against measured, {document['measured']}"


def chapter(name):
    return name.split("/")[0]


def error(cell):
    return 100 * (cell["modelled_us"] - cell["measured_us"]) / cell["measured_us"]


def panels(document):
    kept = {}
    for cell in document["cells"]:
        kept.setdefault(chapter(cell["name"]), []).append({**cell, "error_percent": round(error(cell), 3)})
    judged = {name: sorted(cell["error_percent"] for cell in cells if cell["steady"] and cell["set_aside"])
              for name, cells in kept.items()}
    boxes = [{"chapter": name, "cells": len(errors), "errors_percent": errors} for name, errors in judged.items()
             if errors]
    return [{"title": "time of each cell", "chapters": kept}, {"title": "error of cells set aside", "boxes": boxes}]


def size(panel):
    return (6.0, 5.6) if "chapters" in panel else (4.4, 5.6)


def draw(place, panel, context):
    return draw_points(place, panel, context) if "chapters" in panel else draw_boxes(place, panel)


def draw_points(place, panel, context):
    axes = place.axes()
    every = [cell for cells in panel["chapters"].values() for cell in cells]
    values = [cell[key] for cell in every for key in ("measured_us", "modelled_us")]
    ends = (min(values) / 1.5, max(values) * 1.5)
    axes.plot(ends, ends, color=style.INK, linewidth=1)
    axes.fill_between(ends, [end * 0.75 for end in ends], [end * 1.25 for end in ends], color=style.NONE, alpha=0.25,
                      linewidth=0)
    for name, cells in panel["chapters"].items():
        colour, marker = LOOKS.get(name, (style.LINES[5][0], "X"))
        for steady in (True, False):
            points = [(cell["measured_us"], cell["modelled_us"]) for cell in cells if cell["steady"] == steady]
            if not points:
                continue
            drawn = axes.scatter(*zip(*points), s=22, marker=marker, facecolors=colour if steady else "none",
                                 edgecolors=style.INK if steady else colour, linewidths=0.4 if steady else 0.9,
                                 zorder=3)
            if steady:
                context["legend"].setdefault(NAMES.get(name, name), drawn)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(ends)
    axes.set_ylim(ends)
    for axis in (axes.xaxis, axes.yaxis):
        style.logarithmic(axis, *ends)
    axes.set_xlabel("measured, \N{MICRO SIGN}s (logarithmic)")
    axes.set_ylabel("modelled, \N{MICRO SIGN}s (logarithmic)")
    return axes


def draw_boxes(place, panel):
    axes = place.axes()
    boxes = panel["boxes"]
    drawn = axes.boxplot([box["errors_percent"] for box in boxes], orientation="horizontal", whis=(10, 90), widths=0.55,
                         patch_artist=True, showfliers=False, medianprops={"color": style.INK, "linewidth": 2},
                         whiskerprops={"color": style.INK}, capprops={"color": style.INK})
    for box, patch in zip(boxes, drawn["boxes"]):
        patch.set_facecolor(LOOKS.get(box["chapter"], (style.LINES[5][0], ""))[0])
    axes.axvline(0, color=style.INK, linewidth=1)
    texts = [f"{NAMES.get(box['chapter'], box['chapter'])}\n{box['cells']} cell{'s' * (box['cells'] > 1)}"
             for box in boxes]
    axes.set_yticks(range(1, len(boxes) + 1), texts)
    axes.set_ylim(len(boxes) + 0.6, 0.4)
    axes.grid(axis="y", visible=False)
    axes.set_xlabel("error of the model, % of what was measured")
    return axes


# Cells that are one access pattern on one kind of memory, at LARGEST_MIB.
KERNELS = {"dense": "dense read", "stride 4 KiB": "stride 4K read", "stride 64 KiB": "stride 64K read",
           "stride 2 MiB": "stride 2M read", "random": "random read"}
# Random touches of managed memory are of fewer places: they cannot stand beside the others.
MANAGED = {"dense": "dense", "stride 4 KiB": "stride 4K", "stride 64 KiB": "stride 64K", "stride 2 MiB": "stride 2M"}


def pattern_cells(document, key):
    """{(kind, pattern): us} of the modelled or the measured times."""
    of = {cell["name"]: cell[key] for cell in document["cells"]}
    end = f"{fidelity_data.LARGEST_MIB}M"
    found = {}
    for kind in ("device", "mapped"):
        for pattern, cell in KERNELS.items():
            found[f"{kind}, read", pattern] = of.get(f"kernel/{kind}/{cell}/{end}")
    for kind, cell in (("managed, held by the host", "GPU touch of host pages"),
                       ("managed, the second time", "GPU touch again")):
        for pattern, name in MANAGED.items():
            found[kind, pattern] = of.get(f"managed/{name}/{cell}/{end}")
    return {cell: us for cell, us in found.items() if us}


def pattern_columns(document):
    """Two columns, each with its source: never modelled and measured in one table."""
    made = []
    for source_text, key in ((f"modelled, profile {document['profile']}", "modelled_us"),
                             (f"measured, {document['measured']}", "measured_us")):
        cells = pattern_cells(document, key)
        if cells:
            made.append((source_text, [patterns.panel_of(f"a kernel's pass over {fidelity_data.LARGEST_MIB} MiB",
                                                         cells)]))
    return made
