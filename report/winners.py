"""Figures of which kind of memory wins where: access pattern by size."""
import results
import style

KIND = "winners"
TITLE = "which memory takes the least time"
CAPTION = ("Look for where one colour ends and another begins. A row is a way to access the data, a column a size; a "
           "cell has the kind of memory with the least time, kinds that are within 3% of it, and how many times as "
           "long the next one takes.")
DASH = " A dash was not run."
ACROSS = False
ALIKE = 1.03  # as the lab's own map has it
# (colour, hatch) of a kind: as light as black text on it needs, told apart by the text, too
KINDS = {name: (style.LINES[number][0], hatch) for number, (name, hatch) in enumerate(
    [("pageable", "."), ("pinned", "/"), ("mapped", ""), ("managed", "x"), ("prefetch", "\\"), ("advised", "-")])}


def panel_of(title, times):
    """times: {(pattern, size): {kind: us}}"""
    patterns = list(dict.fromkeys(pattern for pattern, _ in times))
    sizes = sorted({size for _, size in times})
    return {"title": title, "patterns": patterns, "sizes": [results.size_text(size) for size in sizes],
            "cells": [[winner_of(times.get((pattern, size), {})) for size in sizes] for pattern in patterns]}


def caption(panels):
    return CAPTION + (DASH if any(cell is None for panel in panels for line in panel["cells"] for cell in line) else "")


def winner_of(times):
    """Of {kind: us} the kinds with the least time, that time, and the next one's as its multiple; None for nothing."""
    if not times:
        return None
    best = min(times.values())
    kinds = [kind for kind in sorted(times, key=times.get) if times[kind] < ALIKE * best]
    rest = [us for kind, us in times.items() if kind not in kinds]
    return {"kinds": kinds, "us": best, "next": min(rest) / best if rest else None}


def panels(group):
    """Of strategies called `kind pattern` that have a time of their work, at two sizes or more."""
    there, got = {}, {}
    for row in group.rows:
        if not results.drawn(row) or not row.get("work_us") or row["strategy"].split(" ")[0] not in KINDS:
            continue
        kind, pattern = row["strategy"].split(" ", 1)
        there.setdefault((pattern, row["size_bytes"]), {})[kind] = row["work_us"]
        got.setdefault((pattern, row["size_bytes"]), {})[kind] = row["total_us"]
    if len({size for _, size in there}) < 2:
        return []
    largest = max(size for _, size in there)
    swept = {pattern for pattern, size in there if size < largest}
    return [panel_of(title, {cell: times for cell, times in some.items() if cell[0] in swept})
            for title, some in (("the memory being there", there), ("with getting it and giving it back", got))]


def size(panel):
    return 1.6 + 2.0 * len(panel["sizes"]), 0.9 + 0.62 * len(panel["patterns"])


def draw(place, panel, context):
    axes = place.axes()
    for r, line in enumerate(panel["cells"]):
        for c, cell in enumerate(line):
            if cell is None:
                axes.text(c, r, "\N{EN DASH}", ha="center", va="center")
                continue
            colour, hatch = KINDS[cell["kinds"][0]]
            axes.fill_between([c - 0.48, c + 0.48], r - 0.46, r + 0.46, facecolor=colour, alpha=0.45, hatch=hatch * 2,
                              edgecolor="white", linewidth=0)
            more = f", next \N{MULTIPLICATION SIGN}{cell['next']:.3g}" if cell["next"] else ""
            axes.text(c, r, f"{' = '.join(cell['kinds'])}\n{results.time_text(cell['us'])}{more}", ha="center",
                      va="center", fontsize=9, color="black", linespacing=1.15,
                      bbox={"facecolor": "white", "alpha": 0.75, "edgecolor": "none", "pad": 1.5})
    axes.set_xlim(-0.5, len(panel["sizes"]) - 0.5)
    axes.set_ylim(len(panel["patterns"]) - 0.5, -0.5)
    axes.set_xticks(range(len(panel["sizes"])), panel["sizes"])
    axes.set_yticks(range(len(panel["patterns"])), panel["patterns"])
    axes.set_xlabel("size of the array")
    axes.set_ylabel("access pattern")
    axes.grid(visible=False)
    axes.tick_params(length=0)
    for side in ("left", "bottom"):
        axes.spines[side].set_visible(False)
    return axes
