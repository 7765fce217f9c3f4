"""Figures of bandwidth by strategy and size, and where another strategy becomes the better one."""
import math

import results
import style

KIND = "bandwidth"
TITLE = "bandwidth by strategy and size"
CAPTION = ("Look for where the lines part: higher is better. A line, or a point where there is one size, is a "
           "strategy. Axes are logarithmic.")
CROSSING = (" A ring marks where lines cross: the size from which on another strategy is faster by 1% or more, by "
            "interpolation between the sizes that were run.")
OF_POINTS = ("Look for how far apart the points are: to the right is faster, and on the logarithmic axis the same "
             "distance is the same factor everywhere. A point is a strategy.")
ACROSS = False
LEAD = 0.01  # of the logarithm: one percent


def lines_of(rows):
    """[{name, points: [[size, GB/s], ...]}], of verified rows, in the rows' order."""
    points = {}
    for row in rows:
        if results.drawn(row) and row.get("bandwidth_gbs") and row["size_bytes"]:
            points.setdefault(row["strategy"], {})[row["size_bytes"]] = row["bandwidth_gbs"]
    return [{"name": name, "points": [[size, of[size]] for size in sorted(of)]} for name, of in points.items()]


def crossing(first, second):
    """[(size, GB/s, whether the first is the faster from there on)]: where one line overtakes the other. Between sizes
    that both have, the lines are straight in the logarithms, as they are drawn. A lead of less than LEAD is none."""
    a, b = dict(map(tuple, first["points"])), dict(map(tuple, second["points"]))
    found = []
    leader, place, last = None, None, None  # who led clearly; where the lines met since; the size before
    for size in sorted(set(a) & set(b)):
        ahead = math.log(a[size] / b[size])
        if last and ahead * last[1] <= 0 and ahead != last[1]:
            part = last[1] / (last[1] - ahead)
            x = math.log(last[0]) + part * math.log(size / last[0])
            y = math.log(a[last[0]]) + part * math.log(a[size] / a[last[0]])
            place = (math.exp(x), math.exp(y))
        if abs(ahead) >= LEAD:
            if leader is not None and leader != (ahead > 0):
                found.append((*place, ahead > 0))
            leader = ahead > 0
        last = (size, ahead)
    return found


def at(line, size):
    """The line's bandwidth at a size between its own, or None."""
    points = line["points"]
    for (x0, y0), (x1, y1) in zip(points, points[1:]):
        if x0 <= size <= x1:
            part = math.log(size / x0) / math.log(x1 / x0)
            return math.exp(math.log(y0) + part * math.log(y1 / y0))
    return points[0][1] if len(points) == 1 and points[0][0] == size else None


def crossovers(lines):
    """All crossings: {size, gbs, from, to, best}; best: nobody is faster there, so the fastest changes."""
    found = []
    for i, first in enumerate(lines):
        for second in lines[i + 1:]:
            for size, gbs, first_wins in crossing(first, second):
                others = (at(line, size) for line in lines if line is not first and line is not second)
                best = all(other is None or other <= gbs * 1.0001 for other in others)
                names = (second["name"], first["name"]) if first_wins else (first["name"], second["name"])
                found.append({"size": round(size), "gbs": gbs, "from": names[0], "to": names[1], "best": best})
    return sorted(found, key=lambda crossover: (crossover["size"], crossover["from"]))


def parts(rows):
    """{panel: rows}: the kinds of memory by access pattern, where strategies are `kind pattern`; else all in one."""
    kinds = {}
    for row in rows:
        kind, _, pattern = row["strategy"].partition(" ")
        kinds.setdefault(pattern, []).append({**row, "strategy": kind} if pattern else row)
    whole = [row for row in rows if " " not in row["strategy"]]
    sizes = {row["size_bytes"] for row in rows if row.get("bandwidth_gbs")}
    if whole or min(len(sizes), len(kinds), max(map(len, kinds.values()), default=0)) < 2:
        return {"": rows}
    most = sorted(kinds, key=lambda pattern: (-len({row["strategy"] for row in kinds[pattern]}), pattern))
    return {pattern: kinds[pattern] for pattern in most[:2]}


def single_copies(rows):
    """{panel: rows}: where a lab timed single copies, their bandwidth, each way."""
    found = {}
    for title, key in (("a single copy to the device", "copy_h2d_us"), ("a single copy to the host", "copy_d2h_us")):
        timed = [{**row, "bandwidth_gbs": row["size_bytes"] / row[key] / 1e3} for row in rows if row.get(key)]
        if len({row["size_bytes"] for row in timed}) > 1:
            found[title] = timed
    return found


def panels(group):
    made = []
    apart = single_copies(group.rows)
    all_parts = {("all of a strategy's work" if apart and not title else title): rows
                 for title, rows in parts(group.rows).items()}
    for title, rows in {**all_parts, **apart}.items():
        lines = lines_of(rows)
        if len(lines) > 1:
            made.append({"title": title, "lines": lines, "crossovers": crossovers(lines)})
    return made


def is_points(panel):
    return len({size for line in panel["lines"] for size, _ in line["points"]}) == 1


def caption(panels):
    if all(map(is_points, panels)):
        return OF_POINTS
    return CAPTION + (CROSSING if any(panel["crossovers"] for panel in panels) else "")


def size(panel):
    return (9.0, 1.2 + 0.30 * len(panel["lines"])) if is_points(panel) else (9.0, 4.0)


def draw(place, panel, context):
    return draw_points(place, panel) if is_points(panel) else draw_lines(place, panel, context)


def draw_points(place, panel):
    axes = place.axes(share_x=True)
    beside = axes.get_xlim() if len(place.peers) > 1 else None
    names = [line["name"] for line in panel["lines"]]
    values = [line["points"][0][1] for line in panel["lines"]]
    axes.plot(values, range(len(names)), linestyle="", marker="o", markersize=8, color=style.LINES[0][0])
    for y, value in enumerate(values):
        axes.annotate(f"{value:,.0f}" if value >= 100 else f"{value:.3g}", (value, y), xytext=(8, 0),
                      textcoords="offset points", va="center", fontsize=9)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_xscale("log")
    low, high = min(values) / 2, max(values) * 3
    axes.set_xlim((min(low, beside[0]), max(high, beside[1])) if beside else (low, high))
    style.logarithmic(axes.xaxis, *axes.get_xlim())
    axes.set_xlabel(f"bandwidth at {results.size_text(panel['lines'][0]['points'][0][0])}, GB/s (logarithmic)")
    return axes


def draw_lines(place, panel, context):
    axes = place.axes(share_y=True)
    for number, line in enumerate(panel["lines"]):
        sizes, bandwidths = zip(*line["points"])
        thin = max(0, 4 - number)  # lines that lie upon each other are seen all the same
        look = context["lines"].setdefault(line["name"], style.LINES[len(context["lines"]) % len(style.LINES)])
        drawn, = axes.plot(sizes, bandwidths, color=look[0], marker=look[1], linestyle=look[2],
                           markeredgecolor=style.INK, markeredgewidth=0.5, linewidth=1.4 + 0.45 * thin,
                           markersize=5.5 + 1.1 * thin)
        context["legend"].setdefault(line["name"], drawn)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    mark_crossovers(axes, panel["crossovers"], context)
    ticks = sorted({size for line in panel["lines"] for size, _ in line["points"]})
    axes.set_xticks(ticks, [results.size_text(size) for size in ticks])
    if len(ticks) > 6:
        axes.tick_params(axis="x", labelrotation=30)
    axes.minorticks_off()
    style.logarithmic(axes.yaxis, *axes.get_ylim())
    axes.set_xlabel("size (logarithmic)")
    axes.set_ylabel("bandwidth, GB/s (logarithmic)")
    return axes


def mark_crossovers(axes, marks, context):
    middle = math.sqrt(math.prod(axes.get_xlim()))
    for mark in marks:
        left = mark["size"] > middle
        ring = axes.scatter([mark["size"]], [mark["gbs"]], s=130 if mark["best"] else 45, facecolors="none",
                            edgecolors=style.INK, linewidths=1.6 if mark["best"] else 0.8, zorder=5)
        if mark["best"]:
            axes.annotate(f"{mark['to']} from about {results.size_text(mark['size'], 2)}", (mark["size"], mark["gbs"]),
                          xytext=(-10 if left else 10, 9 if left else -16), textcoords="offset points", fontsize=9,
                          ha="right" if left else "left")
            context["legend"].setdefault("the fastest strategy changes", ring)
        else:
            context["legend"].setdefault("two others cross", ring)
