"""Figures of what the three engines did and when, from the simulator's trace."""
import style
import traces

KIND = "timeline"
TITLE = "what the three engines did, and when"
CAPTION = ("Look at how long each row is, on one time axis: the same work. A lane is an engine, a bar one operation "
           "in it; numbers count an engine's bars; kernels of a stream that follow each other without a gap are one. "
           "Bars that stand above each other ran at the same time. 'Engines busy' is the lab's own number, by its "
           "events: 1 means one after another, 3 would be all three all the time. Where the bars are much less, the "
           "rest is the driver, which copies pageable memory to a buffer of its own before the engine can take it.")
ACROSS = False
MOST = 4  # panels in a figure
LEAST, LONGEST = 2, 300  # operations of each engine; of all
LOOKS = {"H2D copy": style.PHASES["h2d"][1:], "compute": style.PHASES["kernel"][1:],
         "D2H copy": style.PHASES["d2h"][1:]}


def panels(group):
    """A panel for each row in which each engine had several operations to do."""
    if group.trace is None or group.trace.devices > 1:  # engines.py has them
        return []
    made = []
    for run in group.trace.runs:
        operations = group.trace.operations(run)
        busy = {engine: [op for op in operations if op[0] == engine] for engine in traces.ENGINES}
        if min(map(len, busy.values())) < LEAST or len(operations) > LONGEST:
            continue
        start = max(span.start_ns for span in run.spans if span.start_ns <= operations[0][1])
        end = max(span.end_ns for span in run.spans)
        lanes = [{"engine": engine, "bars": [[(begin - start) / 1e3, (stop - start) / 1e3]
                                             for begin, stop in bars_of(ops)]}
                 for engine, ops in busy.items()]
        total = (end - start) / 1e3
        sum_us = sum(bar[1] - bar[0] for lane in lanes for bar in lane["bars"])
        made.append({"title": run.row, "lanes": lanes, "total_us": total, "bars_busy": round(sum_us / total, 4),
                     "engines_busy": by_events(group, run.row, total) or round(sum_us / total, 4)})
    for panel in made:
        panel["axis_us"] = max(other["total_us"] for other in made)
    return made


def by_events(group, name, total):
    """What the lab's row of the same run says; None where it has no such number."""
    found = [row for row in group.rows if row["strategy"] == name and abs(row["total_us"] - total) < 0.01]
    return round(found[0]["engines_busy"], 4) if found and found[0].get("engines_busy") else None


def bars_of(operations):
    """[start_ns, end_ns]: kernels of a stream that follow each other without a gap are one bar."""
    bars, last = [], None
    for engine, start, end, event in operations:
        if engine == "compute" and last and last["stream"] == event["stream"] and bars[-1][1] == start:
            bars[-1][1] = end
        else:
            bars.append([start, end])
        last = event
    return bars


def size(panel):
    return 9.0, 2.0


def draw(place, panel, context):
    axes = place.axes()
    unit, scale = ("ms", 1e3) if panel["axis_us"] >= 1e4 else ("\N{MICRO SIGN}s", 1)
    for y, lane in enumerate(panel["lanes"]):
        colour, hatch = LOOKS[lane["engine"]]
        wide = len(lane["bars"]) < 40
        bars = [(start / scale, (end - start) / scale) for start, end in lane["bars"]]
        drawn = axes.broken_barh(bars, (y - 0.38, 0.76), facecolors=colour, edgecolors=style.INK, hatch=hatch if wide
                                 else None, linewidth=0.5 if wide else 0.2)
        context["legend"].setdefault(lane["engine"], drawn)
        for number, (start, width) in enumerate(bars):
            if width * scale > 0.018 * panel["axis_us"]:
                axes.text(start + width / 2, y, str(number), ha="center", va="center", fontsize=8.5, color="black",
                          bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8, "alpha": 0.85})
    axes.set_yticks(range(len(panel["lanes"])), [lane["engine"] for lane in panel["lanes"]])
    axes.set_ylim(len(panel["lanes"]) - 0.5, -0.5)
    axes.set_xlim(0, panel["axis_us"] / scale)
    axes.grid(axis="y", visible=False)
    drawn = f", the bars alone {panel['bars_busy']:.2f}" if panel["bars_busy"] < 0.9 * panel["engines_busy"] else ""
    axes.set_xlabel(f"time, {unit}   ({panel['total_us']:,.0f} \N{MICRO SIGN}s in all, "
                    f"engines busy {panel['engines_busy']:.2f}{drawn})")
    return axes
